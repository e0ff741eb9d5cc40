// SPDX-License-Identifier: GPL-2.0-only
// Runs two jobs on one analytic network, each with its own view of the nodes, message layer and
// executor.
#include "execution/node-view.h"
#include "manual-network.h"
#include "small-job.h"
#include "two-data-centres.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>

namespace geotrain
{
namespace
{

constexpr Instant deadline = Instant::FromNanoseconds(100000000000);

/// Makes two data centres of four nodes. Jobs may share a WAN link of 5 Gbit/s each way.
AnalyticTopology
TopologyFor(bool shareLink)
{
    const TwoDataCentres two;
    AnalyticTopology topology = two.Topology();
    if (shareLink)
    {
        const auto forward = topology.linkRates.size();
        topology.linkRates.insert(topology.linkRates.end(), 2, two.pairCap);
        topology.pathOf =
            [inner = topology.pathOf, two, forward](NodeIndex source, NodeIndex destination)
        {
            AnalyticPath path = inner(source, destination);
            if (path.crossesWan)
            {
                path.links.push_back(forward + two.DataCentreOf(source));
            }
            return path;
        };
    }
    topology.pathOf = [inner = topology.pathOf](NodeIndex source, NodeIndex destination)
    {
        AnalyticPath path = inner(source, destination);
        path.window = Bytes::Of(4000000);
        path.initialWindow = Bytes::Of(100000);
        return path;
    };
    return topology;
}

constexpr Bytes boundary = Bytes::Of(12500000); // 20 ms at 5 Gbit/s

// Stage 0 in the first data centre, stage 1 in the second.
const std::vector<NodeIndex> firstNodes{0, 1, 4, 5};
const std::vector<NodeIndex> secondNodes{2, 3, 6, 7};

std::vector<std::int64_t>
EndsAlone(bool shareLink, const std::vector<NodeIndex>& nodes, std::uint32_t iterations)
{
    AnalyticNetwork network(TopologyFor(shareLink));
    JobOnNodes job(network, nodes, SmallJobPlan(boundary, iterations));
    network.GetClock().RunUntil([&job] { return job.executor->IsOver(); }, deadline);
    EXPECT_TRUE(job.executor->IsDone()) << job.executor->WhoWaitsForWhat();
    return job.Ends();
}

TEST(SharedNetwork, JobsThatShareNoLinkTakeTheTimesThatTheyTakeAlone)
{
    AnalyticNetwork network(TopologyFor(false));
    JobOnNodes first(network, firstNodes, SmallJobPlan(boundary, 2));
    JobOnNodes second(network, secondNodes, SmallJobPlan(boundary, 5));
    network.GetClock().RunUntil(
        [&] { return first.executor->IsOver() && second.executor->IsOver(); }, deadline);
    EXPECT_TRUE(first.executor->IsDone());
    EXPECT_TRUE(second.executor->IsDone());
    EXPECT_EQ(first.Ends(), EndsAlone(false, firstNodes, 2));
    EXPECT_EQ(second.Ends(), EndsAlone(false, secondNodes, 5));
}

TEST(SharedNetwork, JobsThatShareALinkAreBothSlowerThanAloneAndEnd)
{
    AnalyticNetwork network(TopologyFor(true));
    JobOnNodes first(network, firstNodes, SmallJobPlan(boundary, 3));
    JobOnNodes second(network, secondNodes, SmallJobPlan(boundary, 3));
    network.GetClock().RunUntil(
        [&] { return first.executor->IsOver() && second.executor->IsOver(); }, deadline);
    EXPECT_TRUE(first.executor->IsDone());
    EXPECT_TRUE(second.executor->IsDone());
    EXPECT_GT(first.Ends().back(), EndsAlone(true, firstNodes, 3).back());
    EXPECT_GT(second.Ends().back(), EndsAlone(true, secondNodes, 3).back());
}

TEST(SharedNetwork, AJobThatIsCancelledOrGoesDoesNotStopTheOther)
{
    const auto alone = EndsAlone(false, secondNodes, 3);
    for (const bool goes : {false, true})
    {
        AnalyticNetwork network(TopologyFor(false));
        auto first = std::make_unique<JobOnNodes>(network, firstNodes, SmallJobPlan(boundary, 3));
        JobOnNodes second(network, secondNodes, SmallJobPlan(boundary, 3));
        std::size_t spansBefore = 0;
        // In the middle of the first messages, which take 20 ms and 20 ms on the way from 10 ms on.
        network.GetClock().Schedule(Instant() + Duration::Milliseconds(25),
                                    [&]
                                    {
                                        first->executor->Cancel();
                                        spansBefore = first->recorder.Spans().size();
                                        if (goes)
                                        {
                                            first = nullptr;
                                        }
                                    });
        network.GetClock().RunUntil([&] { return second.executor->IsOver(); }, deadline);
        EXPECT_TRUE(second.executor->IsDone());
        EXPECT_EQ(second.Ends(), alone);
        if (first)
        {
            EXPECT_TRUE(first->executor->IsOver());
            EXPECT_FALSE(first->executor->IsDone());
            EXPECT_EQ(first->recorder.Spans().size(), spansBefore);
            EXPECT_GT(spansBefore, 0u);
        }
    }
}

TEST(SharedNetwork, TheHarnessTellsADifferentTime)
{
    // With one iteration more, and on other nodes, the values that the tests above compare do
    // differ.
    EXPECT_NE(EndsAlone(false, firstNodes, 2), EndsAlone(false, firstNodes, 3));
    EXPECT_NE(EndsAlone(false, firstNodes, 3), EndsAlone(false, {0, 1, 2, 3}, 3));
}

TEST(NodeView, MapsTheNodesOfAJobToThoseOfTheNetwork)
{
    ManualNetwork network;
    NodeView view(network, {7, 3}, {0, 1}, {2, 5});
    view.Transfer({0, 1, 1, Bytes::Of(5)}, [](const TransferEvent&) {});
    view.Transfer({0, 1, 0, Bytes::Of(5), {}, 1}, [](const TransferEvent&) {});
    view.Prepare({{1, 0, Bytes::Of(9)}});
    ASSERT_EQ(network.Calls().size(), 2u);
    EXPECT_EQ(network.Calls()[1].request.owner, 5u);
    EXPECT_EQ(network.Calls()[0].request.source, 7u);
    EXPECT_EQ(network.Calls()[0].request.destination, 3u);
    EXPECT_EQ(network.Calls()[0].request.connection, 1u);
    EXPECT_EQ(network.Calls()[0].request.owner, 2u);
    ASSERT_EQ(network.Prepared().size(), 1u);
    EXPECT_EQ(network.Prepared()[0].source, 3u);
    EXPECT_EQ(network.Prepared()[0].destination, 7u);
    EXPECT_EQ(network.Prepared()[0].owner, 2u);
    view.Cancel(1);
    EXPECT_TRUE(network.IsCancelled(0));
    EXPECT_EQ(view.Kind().name, "manual");
    EXPECT_THROW(view.Transfer({0, 2, 0, Bytes::Of(5)}, nullptr), std::out_of_range);
    EXPECT_THROW(NodeView(network, {1, 1}, {0, 0}), std::invalid_argument);
    EXPECT_THROW(NodeView(network, {1, 2}, {0}), std::invalid_argument);
}

TEST(AnalyticNetwork, ALaterPrepareLeavesTimeAndWindowsAsTheyAre)
{
    // 1 MB on a connection whose window has grown to 4 MB goes at once; a cold one needs round
    // trips.
    const auto secondsOf = [](AnalyticNetwork& network, NodeIndex source, NodeIndex destination)
    {
        HeardEvents heard;
        const Instant start = network.GetClock().Now();
        network.Transfer({source, destination, 0, Bytes::Of(1000000)}, heard.Listener());
        network.GetClock().Run(Instant::Never());
        return heard.DeliveredSeconds() - (start - Instant()).ToSeconds();
    };
    const auto warm = [](NodeIndex source, NodeIndex destination) {
        return std::vector<Network::WarmUp>{{source, destination, Bytes::Of(64000000)}};
    };
    AnalyticNetwork alone(TopologyFor(false));
    alone.Prepare(warm(0, 4));
    const double warmSeconds = secondsOf(alone, 0, 4);

    AnalyticNetwork network(TopologyFor(false));
    network.Prepare(warm(0, 4));
    network.Prepare(warm(1, 5)); // at time 0: another job's connections, which are warmed too
    EXPECT_DOUBLE_EQ(secondsOf(network, 0, 4), warmSeconds);
    const Instant before = network.GetClock().Now();
    network.Prepare(warm(2, 6));
    network.Prepare(warm(0, 4));
    EXPECT_EQ(network.GetClock().Now(), before);
    EXPECT_GT(secondsOf(network, 2, 6), warmSeconds + 0.040); // later: open, and cold
}

} // namespace
} // namespace geotrain
