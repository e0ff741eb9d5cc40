// SPDX-License-Identifier: GPL-2.0-only
// Tests geotrain run end to end: files, columns, warnings and exit codes.
#include "cli-fixture.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <string>

namespace
{

namespace fs = std::filesystem;
using geotrain::Cli;
using geotrain::Contents;

/// Returns the value of a metric in the summary of the run in `folder`.
double
MetricOf(const fs::path& folder, const std::string& metric)
{
    const auto summary = "\n" + Contents(folder / "summary.csv");
    const auto line = summary.find("\n" + metric + ",");
    return line == std::string::npos ? -1 : std::stod(summary.substr(line + metric.size() + 2));
}

TEST_F(Cli, TheAnalyticNetworkRefusesLossToWhichItHasNoResponse)
{
    const std::string run = "run small.textproto --network analytic --set wan_link[0].loss=0.001 ";
    const auto refused = Geotrain(run + "--out bbr --set transport.congestion_control=TcpBbr3");
    EXPECT_EQ(refused.code, 1);
    EXPECT_NE(refused.error.find("transport.congestion_control"), std::string::npos);
    EXPECT_EQ(Geotrain(run + "--out cubic").code, 0);
}

TEST_F(Cli, AnalyticRunsCountAWarningForEachThingTheyIgnore)
{
    ASSERT_EQ(Geotrain("run small.textproto --network analytic --out plain").code, 0);
    const auto outcome = Geotrain(
        "run small.textproto --network analytic --out unknown --set wan_link[0].duplication=0.001 "
        "--set wan_link[0].queue_disc=FqCoDelQueueDisc --set caps.police=true "
        "--set caps.node_pair=2Gbps");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    for (const auto* field : {"wan_link[0].duplication", "wan_link[0].queue_disc", "caps.police"})
    {
        EXPECT_NE(outcome.out.find("the analytic network ignores " + std::string(field)),
                  std::string::npos)
            << field;
    }
    EXPECT_EQ(MetricOf(m_folder / "unknown", "warnings"),
              MetricOf(m_folder / "plain", "warnings") + 3);
}

TEST_F(Cli, MfuSaysOfWhichPrecisionsPeakItIs)
{
    const std::string run = "run small.textproto --network analytic --out ";
    EXPECT_NE(Geotrain(run + "half").out.find("of the BF16 peak"), std::string::npos);
    const auto single = Geotrain(run + "single --json --set model.precision=TF32");
    ASSERT_EQ(single.code, 0) << single.error;
    EXPECT_EQ(nlohmann::json::parse(single.out).at("precision"), "TF32");
}

TEST_F(Cli, RunLeavesAFolderThatExplainsItself)
{
    for (const auto* network : {"analytic", "packet"})
    {
        const auto outcome = Geotrain("run small.textproto --network " + std::string(network) +
                                      " --json --out " + network);
        ASSERT_EQ(outcome.code, 0) << outcome.error;
        for (const auto* file : {"scenario.textproto",
                                 "trace.pb",
                                 "summary.csv",
                                 "critical-path.csv",
                                 "run-info.json",
                                 "figures",
                                 "report.html"})
        {
            EXPECT_TRUE(fs::exists(m_folder / network / file)) << file;
        }
        const auto summary = nlohmann::json::parse(outcome.out);
        EXPECT_GT(summary["iteration_time_s"].get<double>(), 0.02);
        // 2 pipelines x 4 microbatches x both directions of s b h x 2 bytes.
        EXPECT_EQ(summary["wan_bytes"].get<double>(), 2 * 4 * 2 * 128 * 256 * 2);
        const auto info = nlohmann::json::parse(Contents(m_folder / network / "run-info.json"));
        EXPECT_EQ(info["exit_code"], 0);
        EXPECT_EQ(Contents(m_folder / network / "summary.csv").rfind("metric,value,unit,job,meaning\n", 0), 0U);
    }
}

TEST_F(Cli, TheRunFoldersScenarioGivesTheSameSummary)
{
    ASSERT_EQ(Geotrain("run small.textproto --network analytic --out a").code, 0);
    ASSERT_EQ(Geotrain("run a/scenario.textproto --out b").code, 0);
    EXPECT_EQ(Contents(m_folder / "a/summary.csv"), Contents(m_folder / "b/summary.csv"));
}

TEST_F(Cli, AFolderWithSomethingInItIsRefusedUnlessForced)
{
    ASSERT_EQ(Geotrain("run small.textproto --network analytic --out a").code, 0);
    const auto refused = Geotrain("run small.textproto --network analytic --out a");
    EXPECT_EQ(refused.code, 1);
    EXPECT_EQ(refused.error, "--out: \"a\" is not empty; --force replaces it\n");
    EXPECT_EQ(Geotrain("run small.textproto --network analytic --out a --force").code, 0);
}

TEST_F(Cli, AnEmptyFolderIsUsed)
{
    for (const std::string options : {"", " --force"})
    {
        fs::remove_all(m_folder / "a");
        fs::create_directory(m_folder / "a");
        EXPECT_EQ(
            Geotrain(
                "schedule gpipe --stages 2 --microbatches 2 --forward 1ms --backward 1ms --out a" +
                options)
                .error,
            "");
    }
}

TEST_F(Cli, ForceReplacesWhatScheduleWrote)
{
    ASSERT_EQ(
        Geotrain("schedule gpipe --stages 2 --microbatches 2 --forward 1ms --backward 1ms --out a")
            .code,
        0);
    const auto again = Geotrain(
        "schedule gpipe --stages 2 --microbatches 2 --forward 1ms --backward 1ms --out a --force");
    EXPECT_EQ(again.code, 0) << again.error;
}

TEST_F(Cli, ForceTouchesOnlyFoldersOfResults)
{
    fs::create_directory(m_folder / "mine");
    std::ofstream(m_folder / "mine/thesis.tex") << "x";
    EXPECT_EQ(Geotrain("run small.textproto --network analytic --out mine --force").code, 1);
    EXPECT_TRUE(fs::exists(m_folder / "mine/thesis.tex"));
}

TEST_F(Cli, WithoutOutResultsAreNumbered)
{
    ASSERT_EQ(Geotrain("run small.textproto --network analytic").code, 0);
    ASSERT_EQ(Geotrain("run small.textproto --network analytic").code, 0);
    EXPECT_TRUE(fs::exists(m_folder / "results/small-1/summary.csv"));
    EXPECT_TRUE(fs::exists(m_folder / "results/small-2/summary.csv"));
}

TEST_F(Cli, ADeadlineExitsWithTwoAndSaysWhoWaits)
{
    const auto outcome =
        Geotrain("run small.textproto --network analytic --set run.deadline=5ms --out a");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.error.find("replica 0 stage 1"), std::string::npos) << outcome.error;
    EXPECT_TRUE(fs::exists(m_folder / "a/trace.pb"));
}

} // namespace
