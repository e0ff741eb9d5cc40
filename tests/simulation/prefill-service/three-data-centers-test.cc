// SPDX-License-Identifier: GPL-2.0-only
// Runs the library's three data centres with prefills, over packets.

#include "loader/scenario-loader.h"
#include "scenario-runs.h"

#include <gtest/gtest.h>

#include <cmath>

namespace geotrain
{
namespace
{

TEST(ThreeDataCenters, AreFilledToNineTenthsOverPackets)
{
    const auto loaded =
        LoadScenario(ReadScenarioText("three-dc-bubbletea"), {{"run.network=PACKET", "--set"}});
    const Summary summary = RunOnce(loaded);
    EXPECT_GE(*summary.Find("total_utilization"), 0.90);
    EXPECT_LT(std::abs(*summary.Find("training_delay_share")), 0.01); // of an iteration of 2.2 s
}

} // namespace
} // namespace geotrain
