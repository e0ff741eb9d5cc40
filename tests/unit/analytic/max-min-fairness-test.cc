// SPDX-License-Identifier: GPL-2.0-only
#include "analytic/max-min-fairness.h"

#include "units/random-stream.h"

#include <gtest/gtest.h>

#include <cmath>

namespace geotrain
{
namespace
{

TEST(MaxMinFairness, OneLinkIsSharedEvenly)
{
    const auto rates = MaxMinFairRates({{{0}, 1, 0}, {{0}, 3, 0}}, {12});
    EXPECT_DOUBLE_EQ(rates[0], 3);
    EXPECT_DOUBLE_EQ(rates[1], 3);
}

TEST(MaxMinFairness, WhatABottleneckedFlowLeavesGoesToTheOthers)
{
    // Bertsekas and Gallager, figure 6.12's kind: A over both links, B over the first (4), C over
    // the second (10).
    const auto rates = MaxMinFairRates({{{0, 1}, 1, 0}, {{0}, 1, 0}, {{1}, 1, 0}}, {4, 10});
    EXPECT_DOUBLE_EQ(rates[0], 2);
    EXPECT_DOUBLE_EQ(rates[1], 2);
    EXPECT_DOUBLE_EQ(rates[2], 8);
}

TEST(MaxMinFairness, AWindowLimitsItsFlowOnly)
{
    const auto rates = MaxMinFairRates({{{0}, 1, 1}, {{0}, 1, 0}}, {10});
    EXPECT_DOUBLE_EQ(rates[0], 1);
    EXPECT_DOUBLE_EQ(rates[1], 9);
}

TEST(MaxMinFairness, AFlowWithoutLinksIsUnlimited)
{
    EXPECT_TRUE(std::isinf(MaxMinFairRates({{{}, 1, 0}}, {})[0]));
}

TEST(MaxMinFairness, EveryFlowHasABottleneckAndNoLinkIsOverfull)
{
    // By definition a flow is max-min fair if some full link on its way gives nobody more (or its
    // window binds).
    for (std::uint64_t seed = 1; seed <= 300; ++seed)
    {
        RandomStream random(seed, "test", "max-min");
        std::vector<double> capacities;
        for (int link = 0; link < 6; ++link)
        {
            capacities.push_back(1 + 99 * random.Uniform());
        }
        std::vector<FlowGroup> groups;
        for (int group = 0; group < 8; ++group)
        {
            FlowGroup flows;
            for (std::size_t link = 0; link < capacities.size(); ++link)
            {
                if (random.Uniform() < 0.4)
                {
                    flows.links.push_back(link);
                }
            }
            flows.weight = 1 + std::floor(4 * random.Uniform());
            flows.rateLimit = random.Uniform() < 0.3 ? 10 * random.Uniform() : 0;
            if (!flows.links.empty())
            {
                groups.push_back(flows);
            }
        }
        const auto rates = MaxMinFairRates(groups, capacities);
        std::vector<double> used(capacities.size(), 0);
        std::vector<double> largest(capacities.size(), 0);
        for (std::size_t group = 0; group < groups.size(); ++group)
        {
            for (const auto link : groups[group].links)
            {
                used[link] += groups[group].weight * rates[group];
                largest[link] = std::max(largest[link], rates[group]);
            }
        }
        for (std::size_t group = 0; group < groups.size(); ++group)
        {
            bool hasBottleneck =
                groups[group].rateLimit > 0 && rates[group] >= groups[group].rateLimit - 1e-9;
            for (const auto link : groups[group].links)
            {
                EXPECT_LE(used[link], capacities[link] + 1e-9);
                hasBottleneck = hasBottleneck || (used[link] >= capacities[link] - 1e-9 &&
                                                  rates[group] >= largest[link] - 1e-9);
            }
            EXPECT_TRUE(hasBottleneck) << "seed " << seed << " group " << group;
        }
    }
}

} // namespace
} // namespace geotrain
