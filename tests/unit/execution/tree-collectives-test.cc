// SPDX-License-Identifier: GPL-2.0-only
// Tests collectives in logarithmic steps: their times, bytes, and that every piece gets everywhere.
#include "execution/tree-collective.h"

#include "two-data-centres.h"

#include "execution/stepped-collectives.h"

#include <gtest/gtest.h>

#include <cmath>

namespace geotrain
{
namespace
{

/// Runs a collective of `n` members and returns when each has ended, and the bytes carried.
std::pair<std::vector<double>, std::int64_t>
RunTree(CollectiveKind kind, std::uint32_t n, Bytes size, double lateSeconds = 0)
{
    TwoDataCentres two;
    two.nodes = 16;
    AnalyticNetwork network(two.Topology());
    MessageLayer layer(network);
    SteppedCollectives collectives(layer);
    CollectiveRequest request{1, kind, {}, size, &treeCollective};
    for (NodeIndex node = 0; node < n; ++node)
    {
        request.members.push_back(node);
    }
    std::vector<double> ends(n, -1);
    for (std::uint32_t member = 0; member < n; ++member)
    {
        network.GetClock().Schedule(
            Instant() + Duration::Seconds(member == n - 1 ? lateSeconds : 0),
            [&, member]
            {
                collectives.Join(request,
                                 member,
                                 [&ends, member](Instant at, const std::string& failure)
                                 {
                                     EXPECT_EQ(failure, "");
                                     ends[member] = at.ToSeconds();
                                 });
            });
    }
    network.GetClock().Run(Instant::Never());
    return {ends, network.Counters().intraDcPayload.Count()};
}

TEST(TreeCollectives, TakeLogarithmicStepsAndTheSameBytesAsARing)
{
    for (std::uint32_t n = 1; n <= 16; ++n)
    {
        const double steps = std::ceil(std::log2(n));
        const auto size = Bytes::Of(8400000);
        for (const auto kind : {CollectiveKind::AllGather, CollectiveKind::ReduceScatter})
        {
            const auto [ends, bytes] = RunTree(kind, n, size);
            // ceil(log2 n) latency + (n - 1)/n S/B; tolerance: chunks are rounded up to 1 ns each.
            const double expected = steps * 10e-6 + (n - 1.0) / n * 8 * 8.4e6 / 100e9;
            for (const double end : ends)
            {
                EXPECT_NEAR(end, expected, 1e-6) << n;
            }
            EXPECT_NEAR(static_cast<double>(bytes), (n - 1.0) * 8.4e6, n * steps);
        }
        const auto [ends, bytes] = RunTree(CollectiveKind::AllReduce, n, size);
        EXPECT_NEAR(ends.front(), 2 * steps * 10e-6 + 2 * (n - 1.0) / n * 8 * 8.4e6 / 100e9, 1e-6);
        EXPECT_NEAR(static_cast<double>(bytes), 2 * (n - 1.0) * 8.4e6, 2 * n * steps);
    }
}

TEST(TreeCollectives, NobodyHasAllBeforeTheLastHasJoined)
{
    for (const double end : RunTree(CollectiveKind::AllGather, 7, Bytes::Of(700000), 0.5).first)
    {
        EXPECT_GE(end, 0.5);
    }
}

} // namespace
} // namespace geotrain
