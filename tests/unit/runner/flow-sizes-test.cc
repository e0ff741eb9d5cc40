// SPDX-License-Identifier: GPL-2.0-only
// Checks the drawn sizes of messages against the distribution that they are drawn from.
#include "runner/flow-sizes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace geotrain
{

namespace
{

constexpr int draws = 200000;

std::vector<double>
DrawnWith(Bytes mean)
{
    RandomStream random(1, "test", "");
    std::vector<double> sizes;
    for (int i = 0; i < draws; ++i)
    {
        sizes.push_back(static_cast<double>(DrawWebSearchSize(mean, random).Count()));
    }
    return sizes;
}

double
ShareUpTo(const std::vector<double>& sizes, double bytes)
{
    const auto count =
        std::count_if(sizes.begin(), sizes.end(), [&](double size) { return size <= bytes; });
    return static_cast<double>(count) / draws;
}

TEST(WebSearchSizes, HaveThePublishedShares)
{
    const auto sizes = DrawnWith(Bytes::Of(1711250)); // the distribution's own mean
    // Figure 4 of DCTCP; four standard errors are 4 sqrt(F (1 - F) / 200,000) <= 0.0045.
    EXPECT_NEAR(ShareUpTo(sizes, 10e3), 0.15, 0.0045);
    EXPECT_NEAR(ShareUpTo(sizes, 80e3), 0.53, 0.0045);
    EXPECT_NEAR(ShareUpTo(sizes, 1e6), 0.7, 0.0045);
    EXPECT_NEAR(ShareUpTo(sizes, 10e6), 0.97, 0.0045);
    EXPECT_EQ(ShareUpTo(sizes, 30e6), 1);
    EXPECT_NEAR(ShareUpTo(sizes, 1.5e6), 0.75, 0.0045); // linear between 1 and 2 MB
}

TEST(WebSearchSizes, HaveTheAskedMean)
{
    for (const double mean : {100000.0, 1711250.0})
    {
        double sum = 0;
        for (const double size : DrawnWith(Bytes::Of(static_cast<std::int64_t>(mean))))
        {
            sum += size;
        }
        // The deviation is 2.3 means: four standard errors are 4 x 2.3 / sqrt(200,000) = 2.1 %.
        EXPECT_NEAR(sum / draws, mean, 0.021 * mean);
    }
}

TEST(WebSearchSizes, AreAtLeastAByte)
{
    for (const double size : DrawnWith(Bytes::Of(2)))
    {
        ASSERT_GE(size, 1);
    }
}

TEST(DrawnSizes, AreThoseOfTheFlowWithoutADistribution)
{
    TransferFlow flow;
    flow.size = Bytes::Of(12345);
    EXPECT_EQ(DrawnSizes(flow, 1).Next(), flow.size);
}

TEST(DrawnSizes, FollowTheSeedAndTheFlowsName)
{
    TransferFlow flow;
    flow.name = "one";
    flow.size = Bytes::Of(100000);
    flow.sizes = FlowSizes::WebSearch;
    const Bytes first = DrawnSizes(flow, 1).Next();
    EXPECT_EQ(DrawnSizes(flow, 1).Next(), first);
    EXPECT_NE(DrawnSizes(flow, 2).Next(), first);
    flow.name = "two";
    EXPECT_NE(DrawnSizes(flow, 1).Next(), first);
}

} // namespace

} // namespace geotrain
