// SPDX-License-Identifier: GPL-2.0-only
// Tests the geotrain program end to end: exit codes, file names, columns, messages.
#include "program-test.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <sys/wait.h>

namespace
{

namespace fs = std::filesystem;
using geotrain::Contents;

class Cli : public geotrain::ProgramTest
{
  protected:
    void SetUp() override
    {
        WriteSmall();
    }
};

int
Lines(const std::string& text)
{
    return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

TEST_F(Cli, UnknownVerbNamesTheVerbs)
{
    const auto outcome = Geotrain("paln x");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.error,
              "geotrain: \"paln\" is no verb; the verbs are run, compare, plan, figures, export, "
              "check, transfer, schedule, timing, fit-gpu, learn, live, list\n");
}

TEST_F(Cli, ALibraryScenarioIsPrintedToBeCopied)
{
    const auto shown = Geotrain("list scenarios --show single-dc");
    ASSERT_EQ(shown.code, 0) << shown.error;
    Write("single-dc", shown.out);
    Write("mine.textproto", shown.out + "run { seed: 7 }");
    EXPECT_EQ(Geotrain("check ./single-dc").out, Geotrain("check single-dc").out);
    EXPECT_NE(Geotrain("check mine.textproto").out, Geotrain("check single-dc").out);
    EXPECT_EQ(Geotrain("list gpus --show single-dc").code, 1);
    const auto unknown = Geotrain("list scenarios --show singel-dc");
    EXPECT_EQ(unknown.code, 1);
    EXPECT_NE(unknown.error.find("the nearest are single-dc"), std::string::npos) << unknown.error;
}

TEST_F(Cli, TheLibraryGoesBeforeAFileOfItsNameUnlessAPathIsGiven)
{
    Write("single-dc", "broken {");
    EXPECT_EQ(Geotrain("check single-dc").code, 0);
    EXPECT_EQ(Geotrain("check ./single-dc").code, 1);
}

TEST_F(Cli, TransferTellsItsTimeAndRate)
{
    const auto outcome = Geotrain("transfer --bytes 2MB --rate 100Mbps --rtt 20ms --buffer 8bdp "
                                  "--messages 2 --gap 1ms --json");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const auto report = nlohmann::json::parse(outcome.out);
    // At least half a round trip and the payload at the rate.
    EXPECT_GT(report["completion_time_s"], 0.01 + 2e6 * 8 / 100e6);
    EXPECT_LT(report["completion_time_s"], 0.5);
    EXPECT_NEAR(report["goodput_bps"].get<double>() * report["completion_time_s"].get<double>(),
                2e6 * 8,
                1);
    EXPECT_EQ(report["retransmitted_bytes"], 0);
    EXPECT_GT(report["packets"], 2 * 2000000 / 1448);
    EXPECT_TRUE(report.contains("wall_s"));
}

TEST_F(Cli, ADefaultWithoutEffectNamesTheOneThatHas)
{
    const auto outcome = Geotrain("run small.textproto --ns3 ns3::TcpSocketBase::MinRto=1s");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.error,
              "--ns3: ns3::TcpSocketBase::MinRto: \"1s\" has no effect over "
              "transport.bearer EXPRESS: geotrain::BulkTcp::MinRto has\n");
    const std::string transfer = "transfer --bytes 1MB --rate 1Gbps --rtt 20ms --json --ns3 "
                                 "ns3::TcpSocketBase::MinRto=300ms --transport ";
    EXPECT_EQ(Geotrain(transfer + "express").code, 1);
    EXPECT_EQ(Geotrain(transfer + "device").code, 1);
    EXPECT_EQ(Geotrain(transfer + "stock").code, 0);
}

TEST_F(Cli, ADefaultSetToNs3sOwnValueHasItsEffect)
{
    // Many losses over a slow link need timeouts, of which ns-3's least of 1 s is five times ours.
    const std::string transfer = "transfer --bytes 200kB --rate 10Mbps --rtt 20ms --loss 0.1 "
                                 "--transport stock --json ";
    const auto seconds = [this, &transfer](const std::string& more)
    {
        const auto outcome = Geotrain(transfer + more);
        EXPECT_EQ(outcome.code, 0) << outcome.error;
        return nlohmann::json::parse(outcome.out)["completion_time_s"].get<double>();
    };
    const double ns3sOwn = seconds("--ns3 ns3::TcpSocketBase::MinRto=1s");
    EXPECT_EQ(ns3sOwn, seconds("--min-rto 1s"));
    EXPECT_GT(ns3sOwn, seconds("") + 0.5);
}

TEST_F(Cli, ALargerInitialWindowSavesRoundTrips)
{
    const std::string path = "transfer --bytes 500kB --rate 1Gbps --rtt 100ms --json";
    const auto seconds = [](const Outcome& outcome)
    { return nlohmann::json::parse(outcome.out)["completion_time_s"].get<double>(); };
    const auto initial = Geotrain(path);
    const auto large = Geotrain(path + " --initial-window 40");
    ASSERT_EQ(large.code, 0) << large.error;
    // Slow start sends 10, 20, 40, ... segments per round trip, so 40 at first save two round
    // trips.
    EXPECT_NEAR(seconds(initial) - seconds(large), 0.2, 0.05);
    const auto attribute = Geotrain(path + " --ns3 geotrain::BulkTcp::InitialWindow=40");
    EXPECT_EQ(seconds(attribute), seconds(large));
    const auto over =
        Geotrain(path + " --initial-window 10 --ns3 geotrain::BulkTcp::InitialWindow=40");
    EXPECT_EQ(seconds(over), seconds(initial)); // the option goes before the attribute
}

TEST_F(Cli, PacingHasThreeKindsAndTwoOlderWords)
{
    const auto seconds = [this](const std::string& pacing)
    {
        const auto outcome =
            Geotrain("transfer --bytes 20MB --rate 1Gbps --rtt 20ms --buffer 0.05bdp --json "
                     "--pacing " +
                     pacing);
        EXPECT_EQ(outcome.code, 0) << outcome.error;
        return nlohmann::json::parse(outcome.out)["completion_time_s"].get<double>();
    };
    EXPECT_EQ(seconds("on"), seconds("auto"));
    EXPECT_EQ(seconds("off"), seconds("none"));
    EXPECT_NE(seconds("none"), seconds("auto"));
    EXPECT_NE(seconds("fq"), seconds("auto"));
}

TEST_F(Cli, TcpSettingsAreListed)
{
    const auto outcome = Geotrain("list tcp-settings --json");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const auto settings = nlohmann::json::parse(outcome.out)["tcp-settings"];
    const auto found = std::find_if(
        settings.begin(),
        settings.end(),
        [](const auto& setting) { return setting["name"] == "geotrain::BulkTcp::InitialWindow"; });
    ASSERT_NE(found, settings.end());
    EXPECT_EQ((*found)["default"], "10");
}

TEST_F(Cli, TransferTakesTheSameTimeOverStockTcp)
{
    const std::string path =
        "transfer --bytes 1MB --rate 100Mbps --rtt 20ms --buffer 8bdp --json --transport ";
    const auto express = Geotrain(path + "express");
    const auto stock = Geotrain(path + "stock");
    ASSERT_EQ(stock.code, 0) << stock.error;
    const double time = nlohmann::json::parse(stock.out)["completion_time_s"];
    // The tolerance is 5 %, for other delayed acknowledgements and HyStart in slow start.
    EXPECT_NEAR(
        nlohmann::json::parse(express.out)["completion_time_s"].get<double>(), time, 0.05 * time);
}

TEST_F(Cli, TransferTakesTheSameTimeOverBothBearers)
{
    const std::string path = "transfer --bytes 1MB --rate 100Mbps --rtt 20ms --json --transport ";
    const auto express = Geotrain(path + "express");
    const auto device = Geotrain(path + "device");
    ASSERT_EQ(device.code, 0) << device.error;
    const double time = nlohmann::json::parse(device.out)["completion_time_s"];
    // The tolerance is 0.1 %, for 32 bytes of framing.
    EXPECT_NEAR(
        nlohmann::json::parse(express.out)["completion_time_s"].get<double>(), time, 0.001 * time);
}

TEST_F(Cli, TransferRefusesBadInputInOneLine)
{
    const std::string good = "transfer --bytes 1MB --rate 100Mbps --rtt 20ms ";
    for (const auto* bad : {"--congestion-control TcpTahiti",
                            "--congestion-control ns3::Node",
                            "--mtu 575",
                            "--mtu 65536",
                            "--buffer 0B",
                            "--buffer 0bdp",
                            "--loss 1.5",
                            "--loss 1",
                            "--loss -0.1",
                            "--loss nan",
                            "--window 100B",
                            "--connections 0",
                            "--messages 0",
                            "--gap -1ms",
                            "--transport pigeon",
                            "--seed 0"})
    {
        const auto outcome = Geotrain(good + bad);
        EXPECT_EQ(outcome.code, 1) << bad;
        EXPECT_EQ(Lines(outcome.error), 1) << bad << ": " << outcome.error;
    }
}

TEST_F(Cli, EveryVerbTeachesWithExamples)
{
    for (const auto* verb : {"run",
                             "compare",
                             "plan",
                             "figures",
                             "export",
                             "check",
                             "transfer",
                             "schedule",
                             "timing",
                             "fit-gpu",
                             "learn",
                             "list"})
    {
        const auto outcome = Geotrain(std::string(verb) + " --help");
        EXPECT_EQ(outcome.code, 0) << verb;
        EXPECT_NE(outcome.out.find("Examples:\n  geotrain " + std::string(verb)), std::string::npos)
            << verb;
    }
}

TEST_F(Cli, TimingAndTransferPrintTheirQuantitiesOnceInTheFormAskedFor)
{
    for (const std::string verb : {"timing --model gpt3-175b --gpu A100-80 --tp 8",
                                   "transfer --bytes 1MB --rate 1Gbps --rtt 10ms"})
    {
        EXPECT_EQ(Geotrain(verb).out.rfind("quantity", 0), 0u) << verb;
        EXPECT_EQ(Geotrain(verb + " --quiet").out, "") << verb;
        const auto json = Geotrain(verb + " --quiet --json");
        EXPECT_EQ(json.code, 0) << verb;
        EXPECT_TRUE(nlohmann::json::parse(json.out).is_object()) << verb;
    }
}

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
        EXPECT_EQ(Contents(m_folder / network / "summary.csv").rfind("metric,value,unit\n", 0), 0U);
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

TEST_F(Cli, BadInputExitsWithOneAndOneLine)
{
    std::ofstream(m_folder / "broken.textproto") << "model {";
    std::ofstream(m_folder / "empty.textproto");
    fs::create_directory(m_folder / "foreign");
    std::ofstream(m_folder / "foreign/trace.pb") << "this is no trace";
    for (const auto* arguments :
         {"run nowhere",
          "run broken.textproto",
          "run empty.textproto",
          "run small.textproto --set wan_link[0].delay=-3ms",
          "run small.textproto --set mtu",
          "run small.textproto --seed -1",
          "run small.textproto --seed x",
          "run small.textproto --network carrier-pigeon",
          "run small.textproto --ns3 ns3::Nothing::X=1",
          "run small.textproto --ns3 ns3::TcpSocketBase::MinRto=much",
          "run small.textproto --ns3 ns3::TcpSocketBase::MinRto=1s",
          "run small.textproto --ns3 geotrain::BulkTcp::InitialWindow=0",
          "run small.textproto --ns3 geotrain::BulkTcp::MinRto=-1s",
          "run small.textproto --set transport.bearer=STOCK --ns3 ns3::TcpSocketBase::MinRto=-1s",
          "run small.textproto --set transport.bearer=STOCK --ns3 "
          "ns3::TcpSocket::DelAckTimeout=-1ms",
          "run small.textproto --set transport.bearer=STOCK --ns3 ns3::TcpSocket::InitialCwnd=0",
          "run small.textproto --set transport.pacing=MAYBE",
          "run small.textproto --set transport.initial_window=0",
          "run small.textproto --set transport.min_rto=0s",
          "run small.textproto --set transport.bearer=STOCK --set transport.hystart=false",
          "run small.textproto --set transport.bearer=STOCK --ns3 geotrain::BulkTcp::MinRto=1s",
          "transfer --bytes 1MB --rate 1Gbps --rtt 1ms --initial-window 0",
          "transfer --bytes 1MB --rate 1Gbps --rtt 1ms --min-rto -1s",
          "transfer --bytes 1MB --rate 1Gbps --rtt 1ms --hystart maybe",
          "transfer --bytes 1MB --rate 1Gbps --rtt 1ms --pacing maybe",
          "transfer --bytes 1MB --rate 1Gbps --rtt 1ms --transport stock --hystart off",
          "run small.textproto --nonsense",
          "run",
          "compare small.textproto --vary transport.konnections=1,2",
          "compare small.textproto --seeds 3..1",
          "compare small.textproto --jobs 0",
          "check small.textproto --set data_center[0].gpu=A101",
          "check small.textproto --set wan_link[0].queue_disc=FqCoDelQueueDisc",
          "check small.textproto --set wan_link[0].outage[0].begin=1s",
          "figures nowhere",
          "figures .",
          "figures foreign",
          "export foreign --format csv",
          "export foreign --format morse",
          "list nothing",
          "timing --model gpt5 --gpu H100",
          "timing --model gpt-a --gpu H101",
          "timing --model gpt-a --gpu H100 --tp -1",
          "timing --model gpt-a --gpu H100 --tp 7",
          "schedule 2f2b --stages 2 --microbatches 4 --forward 1ms --backward 1ms",
          "schedule 1f1b --stages 0 --microbatches 4 --forward 1ms --backward 1ms",
          "schedule 1f1b --stages 2 --microbatches 4 --forward -1ms --backward 1ms",
          "schedule 1f1b --stages 2 --microbatches 4 --forward 1 --backward 1ms",
          "schedule 1f1b --stages 3 --microbatches 4 --forward 1ms --backward 1ms --hops 1ms",
          "schedule 1f1b --stages 2 --microbatches 4 --forward 1ms --backward 1ms --virtual-stages "
          "2",
          "schedule 1f1b --stages 2 --microbatches 4 --forward 1ms --backward 1ms --memory-cap 1",
          "schedule 1f1b --stages 2 --microbatches 4 --forward 1ms --backward 1ms --cells 2",
          "schedule pipedream-2bw --stages 4 --microbatches 3 --forward 1ms --backward 1ms",
          "schedule dualpipe-v --stages 4 --microbatches 7 --forward 1ms --backward 1ms",
          "schedule mine --orders nothing.csv --forward 1ms --backward 1ms",
          "schedule 1f1b --forward 1ms --backward 1ms"})
    {
        const auto outcome = Geotrain(arguments);
        EXPECT_EQ(outcome.code, 1) << arguments << "\n" << outcome.error;
        EXPECT_EQ(Lines(outcome.error), 1) << arguments << "\n" << outcome.error;
        EXPECT_EQ(outcome.out, "") << arguments;
    }
}

TEST_F(Cli, ADeadlineExitsWithTwoAndSaysWhoWaits)
{
    const auto outcome =
        Geotrain("run small.textproto --network analytic --set run.deadline=5ms --out a");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.error.find("replica 0 stage 1"), std::string::npos) << outcome.error;
    EXPECT_TRUE(fs::exists(m_folder / "a/trace.pb"));
}

TEST_F(Cli, CompareWritesARowAVariant)
{
    const auto outcome = Geotrain("compare small.textproto --network analytic --out c --jobs 2");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    std::istringstream csv(Contents(m_folder / "c/comparison.csv"));
    std::string header;
    std::string first;
    std::string second;
    std::getline(csv, header);
    std::getline(csv, first);
    std::getline(csv, second);
    EXPECT_EQ(header.rfind("variant,schedule.name,iteration_time_s,gpu_utilization,", 0), 0U)
        << header;
    EXPECT_EQ(first.rfind("plain,,", 0), 0U); // the scenario's own
    EXPECT_EQ(second.rfind("gpipe,gpipe,", 0), 0U);
    EXPECT_EQ(nlohmann::json::parse(Contents(m_folder / "c/run-info.json"))["seed"], 1);
    EXPECT_TRUE(fs::exists(m_folder / "c/gpipe/trace.pb"));
    EXPECT_TRUE(fs::exists(m_folder / "c/figures/comparison.png"));
    EXPECT_EQ(Geotrain("figures c").code, 0);
}

TEST_F(Cli, FiguresFollowChoicesAndRefuseBadOnes)
{
    ASSERT_EQ(Geotrain("compare small.textproto --network analytic --out c --jobs 2").code, 0);
    fs::remove_all(m_folder / "c/figures");
    const auto drawn = Geotrain("figures c --only comparison --variant gpipe --width 3.3in "
                                "--title none --format svg,pdf --json");
    ASSERT_EQ(drawn.code, 0) << drawn.error;
    const auto files = nlohmann::json::parse(drawn.out)["figures"];
    EXPECT_EQ(files.size(), 4U) << drawn.out; // SVG, PDF, CSV, gnuplot script
    // 3.3 in are 237.6 pt.
    EXPECT_NE(Contents(m_folder / "c/figures/comparison.svg").find("width=\"237.6pt\""),
              std::string::npos);
    EXPECT_EQ(Contents(m_folder / "c/figures/comparison.csv").find("plain"), std::string::npos);
    // The comparison has no timeline: those of its runs are drawn.
    fs::remove(m_folder / "c/gpipe/figures/timeline.png");
    EXPECT_EQ(Geotrain("figures c --only timeline --width one-column").code, 0);
    EXPECT_TRUE(fs::exists(m_folder / "c/gpipe/figures/timeline.png"));
    for (const auto* arguments : {"--only nothing",
                                  "--only comparison,nothing",
                                  "--variant nothing",
                                  "--width 0.1in",
                                  "--width 100in",
                                  "--width 3",
                                  "--width in",
                                  "--width nan",
                                  "--width -3in",
                                  "--from -1s",
                                  "--from 1",
                                  "--from 2s --to 1s",
                                  "--only timeline --from 1h",
                                  "--format gif",
                                  "--format png,bmp"})
    {
        const auto outcome = Geotrain(std::string("figures c ") + arguments);
        EXPECT_EQ(outcome.code, 1) << arguments << "\n" << outcome.error;
        EXPECT_EQ(Lines(outcome.error), 1) << arguments << "\n" << outcome.error;
    }
    EXPECT_EQ(Geotrain("figures c/gpipe --variant gpipe").code, 1);
}

const char* const bulk = R"(
data_center { name: "a" nodes: 1 }
data_center { name: "b" nodes: 1 }
wan_link { from: "a" to: "b" rate: "100Mbps" delay: "5ms" }
transport { bearer: EXPRESS window: "1MB" }
transfer { size: "200kB" messages: 100 }
grid {
  vary: "transport.congestion_control=TcpCubic,TcpBbr"
  vary: "wan_link[0].loss=0,0.001"
}
)";

TEST_F(Cli, ComparedTransfersHaveTheirColumnsAndFigures)
{
    std::ofstream(m_folder / "bulk.textproto") << bulk;
    const auto outcome = Geotrain("compare bulk.textproto --out c --jobs 2 --set "
                                  "transport.connections=2 --set transfer.rival=TcpCubic");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const auto csv = Contents(m_folder / "c/comparison.csv");
    EXPECT_EQ(csv.rfind("variant,transport.congestion_control,wan_link[0].loss,"
                        "completion_time_p50_s,completion_time_p99_s,completion_time_mean_s,"
                        "messages,goodput_bps,goodput_over_capacity,retransmitted_share,"
                        "mean_queueing_delay_s,jain_index,rival_goodput_over_capacity,"
                        "jain_index_rival,simulated_time_s,warnings,speedup\n",
                        0),
              0U)
        << csv;
    EXPECT_EQ(Lines(csv), 1 + 4);
    for (const auto* figure : {"goodput-loss", "completion-cdf", "congestion"})
    {
        EXPECT_TRUE(fs::exists(m_folder / "c/figures" / (std::string(figure) + ".png"))) << figure;
    }
    const auto report = Contents(m_folder / "c/report.html");
    EXPECT_NE(report.find("href=\"./congestion_control%3DTcpBbr_loss%3D0/report.html\""),
              std::string::npos);
    fs::remove_all(m_folder / "c/figures");
    fs::remove(m_folder / "c/report.html");
    EXPECT_EQ(Geotrain("figures c").code, 0);
    EXPECT_TRUE(fs::exists(m_folder / "c/figures/goodput-loss.png"));
    EXPECT_EQ(Contents(m_folder / "c/report.html"), report);
    EXPECT_EQ(Geotrain("export c --format csv").code, 0);
    EXPECT_EQ(Contents(m_folder / "c/csv/summary.csv").rfind("variant,seed,metric,value,unit\n", 0),
              0U);
    EXPECT_EQ(Geotrain("export c/congestion_control=TcpBbr_loss=0 --format csv").code, 0);
    EXPECT_EQ(Geotrain("export c/congestion_control=TcpBbr_loss=0 --format perfetto").code, 0);
}

TEST_F(Cli, AKilledComparisonGoesOnWhereItWas)
{
    std::ofstream(m_folder / "bulk.textproto") << bulk;
    const std::string compare = "compare bulk.textproto --out c --resume --quiet";
    ASSERT_EQ(Geotrain(compare).code, 0);
    const auto csv = Contents(m_folder / "c/comparison.csv");
    const auto infoOf = [this](const std::string& variant)
    { return Contents(m_folder / "c" / variant / "run-info.json"); };
    const std::string kept = "congestion_control=TcpBbr_loss=0";
    const std::string broken = "congestion_control=TcpBbr_loss=0.001";
    const auto keptInfo = infoOf(kept);
    // The folder is as a kill leaves it: a trace without its end, no summary, no table.
    fs::remove(m_folder / "c/comparison.csv");
    fs::remove(m_folder / "c" / broken / "summary.csv");
    std::ofstream(m_folder / "c" / broken / "run-info.json") << "{}";
    ASSERT_EQ(Geotrain(compare).code, 0);
    EXPECT_EQ(infoOf(kept), keptInfo);
    EXPECT_NE(infoOf(broken), "{}");
    EXPECT_EQ(Contents(m_folder / "c/comparison.csv"), csv);
    // Another scenario in the same folder: everything is run again.
    ASSERT_EQ(Geotrain(compare + " --set transfer.messages=101").code, 0);
    EXPECT_NE(infoOf(kept), keptInfo);
    EXPECT_NE(Contents(m_folder / "c/comparison.csv"), csv);
}

TEST_F(Cli, ResumeRefusesWhatIsNoFolderOfResults)
{
    std::ofstream(m_folder / "bulk.textproto") << bulk;
    fs::create_directory(m_folder / "mine");
    std::ofstream(m_folder / "mine/thesis.tex") << "x";
    for (const auto* arguments : {"--resume", "--resume --out mine", "--resume --force --out c"})
    {
        const auto outcome = Geotrain(std::string("compare bulk.textproto ") + arguments);
        EXPECT_EQ(outcome.code, 1) << arguments;
        EXPECT_EQ(Lines(outcome.error), 1) << outcome.error;
    }
}

TEST_F(Cli, ScenariosRefuseBadTransportsInOneLine)
{
    std::ofstream(m_folder / "bulk.textproto") << bulk;
    for (const auto* set : {"transport.congestion_control=TcpTahiti",
                            "transport.congestion_control=ns3::Node",
                            "transport.congestion_control=ns3::TcpSocketBase",
                            "mtu=575",
                            "mtu=65536",
                            "wan_link[0].queue=0B",
                            "wan_link[0].queue=0bdp",
                            "wan_link[0].loss=1.1"})
    {
        const auto outcome = Geotrain(std::string("run bulk.textproto --out o --set ") + set);
        EXPECT_EQ(outcome.code, 1) << set;
        EXPECT_EQ(Lines(outcome.error), 1) << set << ": " << outcome.error;
        EXPECT_FALSE(fs::exists(m_folder / "o")) << set;
    }
}

TEST_F(Cli, VariantsThatDifferInTheRoundTripHaveTheirFigures)
{
    const auto outcome =
        Geotrain("compare small.textproto --network analytic --vary wan_link[*].delay=5ms,20ms "
                 "--vary schedule.name=1f1b,gpipe --out c --quiet");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    for (const auto* figure : {"c/figures/round-trips.png", "c/figures/timelines.png"})
    {
        const auto drawn = Contents(m_folder / figure);
        ASSERT_FALSE(drawn.empty()) << figure;
        fs::remove(m_folder / figure);
        EXPECT_EQ(Geotrain("figures c").code, 0);
        EXPECT_EQ(Contents(m_folder / figure), drawn) << figure;
    }
}

TEST_F(Cli, AVariantThatFailsLeavesTheOthers)
{
    const auto outcome = Geotrain(
        "compare small.textproto --network analytic --vary model.microbatches=2,-2,4 --out c");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.error,
              "variant microbatches=-2: exit 1: small.textproto: model.microbatches: \"-2\" must "
              "be >= 1\n");
    const auto csv = Contents(m_folder / "c/comparison.csv");
    EXPECT_EQ(Lines(csv), 4) << csv;
    EXPECT_NE(csv.find("\nmicrobatches=4,4,0."), std::string::npos) << csv;
}

TEST_F(Cli, SeedsGiveMeanAndInterval)
{
    const auto outcome = Geotrain("compare small.textproto --network analytic --set "
                                  "run.compute_jitter=0.1 --seeds 1..3 --out c --quiet");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(Contents(m_folder / "c/comparison.csv").find(",iteration_time_s_ci95,"),
              std::string::npos);
    EXPECT_TRUE(fs::exists(m_folder / "c/plain/seed-3/trace.pb"));
    const auto info = nlohmann::json::parse(Contents(m_folder / "c/run-info.json"));
    EXPECT_EQ(info["seeds"], (std::vector<int>{1, 2, 3}));
}

TEST_F(Cli, CheckPrintsAScenarioThatChecksToItself)
{
    const auto first = Geotrain("check small.textproto");
    ASSERT_EQ(first.code, 0) << first.error;
    std::ofstream(m_folder / "resolved.textproto") << first.out;
    EXPECT_EQ(Geotrain("check resolved.textproto").out, first.out);
}

TEST_F(Cli, ScheduleSpeaksJson)
{
    const auto outcome =
        Geotrain("schedule 1f1b --stages 4 --microbatches 8 --forward 10ms --backward 20ms --json");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const auto object = nlohmann::json::parse(outcome.out);
    EXPECT_DOUBLE_EQ(object["makespan_s"].get<double>(), 0.33);
    EXPECT_EQ(object["peak_activations"], 4);
}

TEST_F(Cli, ScheduleReportsStalenessAndMemoryWithoutFlush)
{
    const auto outcome = Geotrain("schedule pipemare --stages 4 --microbatches 8 --forward 10ms "
                                  "--backward 20ms --json");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const auto object = nlohmann::json::parse(outcome.out);
    EXPECT_DOUBLE_EQ(object["iteration_time_s"].get<double>(), 8 * 0.03);
    EXPECT_DOUBLE_EQ(object["staleness_updates"].get<double>(), 7.0 / 8); // (2(p-1)+1)/m
    EXPECT_EQ(object["extra_weight_copies"], 0);
    EXPECT_EQ(object["peak_activations"], 7);
}

TEST_F(Cli, SchedulePrintsCrossDcAndItsFallBackApart)
{
    const auto outcome = Geotrain(
        "schedule cross-dc --stages 4 --microbatches 16 --forward 18.5ms --backward 18.1ms "
        "--weight 9.3ms --hop 37ms --memory-cap 8 --json");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const auto object = nlohmann::json::parse(outcome.out);
    EXPECT_LT(object["own_makespan_s"].get<double>(), object["fallback_makespan_s"].get<double>());
    EXPECT_EQ(object["makespan_s"], object["own_makespan_s"]);
    EXPECT_LE(object["peak_activations"].get<int>(), 8);
}

TEST_F(Cli, ScheduleRunsAnOrderOfOnesOwn)
{
    std::ofstream(m_folder / "mine.csv") << "0F0,0F1,,0B0,0B1\n,1F0,1B0,1F1,1B1\n";
    const auto outcome =
        Geotrain("schedule mine --orders mine.csv --forward 1ms --backward 1ms --json");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const auto object = nlohmann::json::parse(outcome.out);
    EXPECT_DOUBLE_EQ(object["makespan_s"].get<double>(), 0.006);
    EXPECT_EQ(object["order"][1], "1F0 1B0 1F1 1B1");

    std::ofstream(m_folder / "mine.csv") << "0F0,0B0\n1B0,1F0\n";
    const auto refused = Geotrain("schedule mine --orders mine.csv --forward 1ms --backward 1ms");
    EXPECT_EQ(refused.code, 1);
    EXPECT_NE(refused.error.find("the backward of microbatch 0 in stage 1 comes before the forward "
                                 "of microbatch 0 in stage 1"),
              std::string::npos)
        << refused.error;
}

// (2 + 3 - 1) (1 ms + 2 ms) for 2 stages and 3 microbatches.
TEST_F(Cli, ScheduleTellsItsMakespanInAUnitThatSuitsIt)
{
    const auto outcome =
        Geotrain("schedule gpipe --stages 2 --microbatches 3 --forward 1ms --backward 2ms");
    EXPECT_NE(outcome.out.find("makespan          12 ms\n"), std::string::npos) << outcome.out;
}

TEST_F(Cli, ScheduleDrawsItsPicture)
{
    const auto outcome =
        Geotrain("schedule gpipe --stages 2 --microbatches 3 --forward 1ms --backward 2ms --out p");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_TRUE(fs::exists(m_folder / "p/timeline.png"));
}

TEST_F(Cli, TimingSpeaksJson)
{
    const auto outcome = Geotrain("timing --model llama3-8b --gpu A100-80 --tp 2 --json");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const auto object = nlohmann::json::parse(outcome.out);
    EXPECT_GT(object["backward_s"].get<double>(), object["forward_s"].get<double>());
    EXPECT_GT(object["prefill_s"].get<double>(), 0);
}

TEST_F(Cli, ListsAreThereWithSources)
{
    for (const auto* kind :
         {"gpus", "models", "schedules", "congestion-controls", "regions", "scenarios"})
    {
        const auto outcome = Geotrain(std::string("list ") + kind + " --json");
        ASSERT_EQ(outcome.code, 0) << outcome.error;
        EXPECT_FALSE(nlohmann::json::parse(outcome.out)[kind].empty()) << kind;
        EXPECT_EQ(Geotrain(std::string("list ") + kind).code, 0);
    }
}

TEST_F(Cli, TheListOfControlsSaysWhereNs3sDepartFromTheirSource)
{
    const auto outcome = Geotrain("list congestion-controls --json");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const auto object = nlohmann::json::parse(outcome.out);
    std::set<std::string> withCaveat;
    for (const auto& row : object["congestion-controls"])
    {
        if (!row["caveat"].get<std::string>().empty())
        {
            withCaveat.insert(row["name"].get<std::string>());
        }
    }
    for (const std::string name :
         {"Vegas", "Lp", "NewReno", "Scalable", "Htcp", "Cubic", "Veno", "Yeah", "Dctcp"})
    {
        EXPECT_EQ(withCaveat.count("ns3::Tcp" + name), 1U) << name;
    }
    for (const std::string name : {"geotrain::TcpCubic", "geotrain::TcpBbr3", "ns3::TcpLinuxReno"})
    {
        EXPECT_EQ(withCaveat.count(name), 0U) << name;
    }
}

TEST_F(Cli, ExportWritesTheTimeline)
{
    ASSERT_EQ(Geotrain("run small.textproto --network analytic --out a").code, 0);
    ASSERT_EQ(Geotrain("export a --format perfetto").code, 0);
    ASSERT_EQ(Geotrain("export a --format csv").code, 0);
    EXPECT_TRUE(fs::exists(m_folder / "a/timeline.pftrace"));
    EXPECT_TRUE(fs::exists(m_folder / "a/csv/gpu_spans.csv"));
}

} // namespace
