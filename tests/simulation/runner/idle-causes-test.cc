// SPDX-License-Identifier: GPL-2.0-only
// Idle time by its cause, and the critical path, in runs of library scenarios: what has to hold
// whatever the numbers are.

#include "loader/scenario-loader.h"
#include "scenario-runs.h"

#include <gtest/gtest.h>

#include <fstream>
#include <numeric>
#include <sstream>

namespace geotrain
{
namespace
{

/// Runs a library scenario with the changes `sets` on the analytic network, for one iteration.
Summary
RunOfLibrary(const std::string& name, std::vector<std::string> sets)
{
    const std::string folder = GEOTRAIN_SOURCE_DIR "/scenarios/library";
    const std::string file = name + ".textproto";
    std::ostringstream text;
    text << std::ifstream(folder + "/" + file).rdbuf();
    std::vector<Assignment> assignments{{"run.network=ANALYTIC", "--set"},
                                        {"run.iterations=1", "--set"}};
    for (const auto& set : sets)
    {
        assignments.push_back({set, "--set"});
    }
    const TemporaryFolder results;
    RunOptions options;
    options.folder = results.Path();
    options.drawsFigures = false;
    return geotrain::Run(LoadScenario({file, folder, text.str()}, assignments), options);
}

double
SumOf(const Summary& summary, const std::vector<std::string>& names)
{
    return std::accumulate(names.begin(),
                           names.end(),
                           0.0,
                           [&](double sum, const std::string& name)
                           { return sum + summary.Find(name).value(); });
}

void
ExpectSharesOfOne(const Summary& summary)
{
    // Seven doubles of at most 1 differ from 1 by rounding only.
    EXPECT_NEAR(SumOf(summary,
                      {"total_utilization",
                       "idle_fill_drain",
                       "idle_forward_backward",
                       "idle_imbalance",
                       "idle_local",
                       "idle_all_reduce",
                       "idle_wan"}),
                1,
                1e-9);
    EXPECT_NEAR(SumOf(summary,
                      {"idle_wan_propagation",
                       "idle_wan_serialisation",
                       "idle_wan_window",
                       "idle_wan_congestion",
                       "idle_wan_turn"}),
                summary.Find("idle_wan").value(),
                1e-12);
}

TEST(IdleCausesOfARun, SharesAddToOneAndThePathToTheIteration)
{
    for (const std::string name : {"single-dc", "two-regions", "three-dc-gpt", "abilene-gpt"})
    {
        for (const std::string seed : {"1", "2"})
        {
            const auto summary =
                RunOfLibrary(name, {"run.seed=" + seed, "run.compute_jitter=0.05"});
            SCOPED_TRACE(name + ", seed " + seed);
            ExpectSharesOfOne(summary);
            double seconds = 0;
            for (const auto& time : summary.criticalPath)
            {
                seconds += time.seconds;
            }
            // Of one measured iteration; sums of ns in doubles.
            EXPECT_NEAR(seconds, summary.Find("iteration_time").value(), 1e-9);
        }
    }
}

TEST(IdleCausesOfARun, WithoutAWanNothingWaitsForIt)
{
    const auto summary = RunOfLibrary("single-dc", {});
    EXPECT_EQ(summary.Find("idle_wan").value(), 0);
    EXPECT_GT(summary.Find("idle_local").value(), 0);
}

TEST(IdleCausesOfARun, OnlyTemporalSharingWaitsForATurn)
{
    const auto spatial = RunOfLibrary("three-dc-gpt", {"sharing=SPATIAL"});
    EXPECT_EQ(spatial.Find("idle_wan_turn").value(), 0);
    const auto temporal = RunOfLibrary("three-dc-gpt", {"sharing=TEMPORAL"});
    ExpectSharesOfOne(temporal);
    EXPECT_GT(temporal.Find("idle_wan_turn").value(), 0);
}

} // namespace
} // namespace geotrain
