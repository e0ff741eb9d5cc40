// SPDX-License-Identifier: GPL-2.0-only
// Runs the library's three data centres with prefills, over packets.

#include "loader/scenario-loader.h"
#include "scenario-runs.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

TEST(ThreeDataCenters, AreFilledToNineTenthsOverPackets)
{
    // Prefills that cost training nothing; library/bubbletea-price has what they cost otherwise.
    const auto loaded = LoadScenario(ReadScenarioText("three-dc-bubbletea"),
                                     {{"run.network=PACKET", "--set"},
                                      {"inference.preemption=INSTANT", "--set"},
                                      {"inference.preemption_cost=0", "--set"},
                                      {"inference.activation_nic=OWN", "--set"}});
    const Summary summary = RunOnce(loaded);
    EXPECT_GE(*summary.Find("total_utilization"), 0.90);
    EXPECT_EQ(*summary.Find("training_held"), 0);
    EXPECT_EQ(*summary.Find("iteration_time"), *summary.Find("iteration_time_without"));
}

} // namespace
} // namespace geotrain
