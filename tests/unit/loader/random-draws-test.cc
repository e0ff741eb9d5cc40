// SPDX-License-Identifier: GPL-2.0-only
// What a run draws at random is known from its scenario, and nothing counts that its network ignores.
#include "loader/random-draws.h"
#include "small-scenario.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

using Draws = std::vector<std::string>;

TEST(RandomDraws, AScenarioWithoutChanceDrawsNothing)
{
    EXPECT_EQ(DrawsOf(LoadSmall()), Draws{});
}

TEST(RandomDraws, LossesAreDrawnOnEveryNetwork)
{
    const std::string loss = "wan_link[0].loss=0.001";
    EXPECT_EQ(DrawsOf(LoadSmall({loss})), Draws{"packet losses"});
    EXPECT_EQ(DrawsOf(LoadSmall({loss, "run.network=ANALYTIC"})), Draws{"packet losses"});
}

TEST(RandomDraws, WhatTheNetworkIgnoresIsNotDrawn)
{
    std::vector<std::string> sets{"wan_link[0].jitter.mean=1ms",
                                  "wan_link[0].jitter.deviation=1ms",
                                  "transport.congestion_control=TcpBbr3"};
    EXPECT_EQ(DrawsOf(LoadSmall(sets)), (Draws{"packet delays", "BBR's probing"}));
    sets.emplace_back("run.network=ANALYTIC");
    EXPECT_EQ(DrawsOf(LoadSmall(sets)), Draws{});
}

TEST(RandomDraws, ComputeTimesAreDrawnWithJitterAlone)
{
    EXPECT_EQ(DrawsOf(LoadSmall({"run.compute_jitter=0.01"})), Draws{"compute times"});
}

} // namespace
} // namespace geotrain
