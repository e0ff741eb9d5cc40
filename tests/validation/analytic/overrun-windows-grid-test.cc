// SPDX-License-Identifier: GPL-2.0-only
// Holds the analytic network against packets in the library's three-dc-gpt with windows of 64 MB, which overrun the
// queues of the caps, and prints the table of compute-model/analytic/README.md. Which packets a full queue loses is
// chance, which decides on the windows of later iterations. So computations vary by 0.1 %, and errors are those of
// the mean of eight seeds.
#include "scenario-runs.h"
#include "small-scenario.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace geotrain
{
namespace
{

struct Variant
{
    const char* name;
    std::vector<std::string> sets;
};

void
PrintTo(const Variant& variant, std::ostream* out)
{
    *out << variant.name;
}

class ThreeDcWithWideWindows : public testing::TestWithParam<Variant>
{
};

/// Returns the mean iteration time of eight seeds, in seconds.
double
MeanOfSeeds(std::vector<std::string> sets)
{
    constexpr std::uint64_t seeds = 8;
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed)
    {
        std::vector<Assignment> assignments{{"run.seed=" + std::to_string(seed), "--set"}};
        for (const auto& set : sets)
        {
            assignments.push_back({set, "--set"});
        }
        const auto scenario = LoadScenario(ReadScenarioText("three-dc-gpt"), assignments);
        sum += RunOnce(scenario).Find("iteration_time").value();
    }
    return sum / seeds;
}

/// Returns the error of the analytic network's mean, and prints both means.
double
ErrorOf(std::vector<std::string> sets)
{
    sets.insert(sets.end(), {"transport.window=64MB", "run.compute_jitter=0.001"});
    const double packets = MeanOfSeeds(sets);
    sets.emplace_back("run.network=ANALYTIC");
    const double error = MeanOfSeeds(sets) / packets - 1;
    std::printf(" %.2f | %+.1f %% |", packets, 100 * error);
    std::fflush(stdout);
    return error;
}

TEST_P(ThreeDcWithWideWindows, IterationsAreWithinFivePercentOfPackets)
{
    auto first = GetParam().sets;
    first.insert(first.end(), {"run.warmup_iterations=0", "run.iterations=1"});
    std::printf("| %s |", GetParam().name);
    EXPECT_NEAR(ErrorOf(first), 0, 0.10); // most packets are lost in it
    EXPECT_NEAR(ErrorOf(GetParam().sets), 0, 0.05);
    std::printf("\n");
}

INSTANTIATE_TEST_SUITE_P(Variants,
                         ThreeDcWithWideWindows,
                         testing::Values(Variant{"one connection, 64 MB",
                                                 {"transport.connections=1"}},
                                         Variant{"1F1B, 20 connections", {}},
                                         Variant{"GPipe", {"schedule.name=gpipe"}},
                                         Variant{"1F1B, temporal sharing", {"sharing=TEMPORAL"}},
                                         Variant{"deeper warm-up", {"schedule.warmup_factor=2"}},
                                         Variant{"deeper warm-up and temporal sharing",
                                                 {"schedule.warmup_factor=2", "sharing=TEMPORAL"}},
                                         Variant{"GPipe, temporal sharing",
                                                 {"schedule.name=gpipe", "sharing=TEMPORAL"}}));

} // namespace
} // namespace geotrain
