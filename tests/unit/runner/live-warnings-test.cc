// SPDX-License-Identifier: GPL-2.0-only
#include "runner/live-warnings.h"

#include "small-scenario.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

// The preset says whether a live connection is paced, so that it has an effect.
TEST(LiveWarnings, WhatTheKernelDoesNotTakeIsNamed)
{
    Experiment experiment = LoadSmall({"transport.preset=LINUX", "transport.pacing=NONE"});
    experiment.testbed.transport.bearer = "live";
    EXPECT_TRUE(WarningsOfLive(experiment, {}).empty());
    experiment = LoadSmall({"transport.hystart=false", "transport.offload=LINUX"});
    EXPECT_TRUE(WarningsOfLive(experiment, {}).empty()) << "it is simulated";
    experiment.testbed.transport.bearer = "live";
    EXPECT_EQ(WarningsOfLive(experiment, {}),
              std::vector<std::string>{"of transport, hystart, offload change nothing live: the "
                                       "kernel's TCP has its own settings"});
}

} // namespace
} // namespace geotrain
