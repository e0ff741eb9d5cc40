// SPDX-License-Identifier: GPL-2.0-only
// Tests geotrain schedule end to end: numbers, orders of one's own, pictures.
#include "cli-fixture.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace
{

namespace fs = std::filesystem;
using geotrain::Cli;

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
    EXPECT_NE(outcome.out.find("picture in p/timeline.png\n"), std::string::npos) << outcome.out;
}

TEST_F(Cli, ScheduleOrdersAndPicturesKeepToTheTerminal)
{
    for (const std::string columns : {"80", "60"})
    {
        setenv("COLUMNS", columns.c_str(), 1);
        const auto outcome = Geotrain("schedule interleaved --stages 4 --virtual-stages 4 "
                                      "--microbatches 32 --forward 1ms --backward 2ms");
        ASSERT_EQ(outcome.code, 0) << outcome.error;
        std::istringstream lines(outcome.out);
        for (std::string line; std::getline(lines, line);)
        {
            EXPECT_LE(line.size(), std::stoul(columns)) << line;
        }
        // What does not fit stands below the order's first operation.
        EXPECT_NE(outcome.out.find("order of worker   0: 0F0 0F1 0F2 "), std::string::npos);
        EXPECT_NE(outcome.out.find("\n                     "), std::string::npos) << outcome.out;
    }
    unsetenv("COLUMNS");
}

} // namespace
