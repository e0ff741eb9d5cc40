// SPDX-License-Identifier: GPL-2.0-only
// Runs training jobs over packets, with every bearer: two that share a network, one whose iteration
// is aborted and started again, one that is cancelled, and one whose path fails for good. The tests
// of the same jobs on the analytic network are in tests/unit/execution (restart-test,
// shared-network-test).
#include "network-fixture.h"
#include "small-job.h"

#include <algorithm>

namespace ns3
{
namespace
{

using geotrain::Duration;
using geotrain::Instant;
using geotrain::JobOnNodes;
using geotrain::NodeIndex;
using geotrain::SmallJobPlan;

constexpr Instant DEADLINE = Instant::FromNanoseconds(100'000'000'000);
constexpr std::int64_t BOUNDARY = 5000000; ///< bytes per microbatch and stage boundary
constexpr std::int64_t MICROBATCHES = 3;   ///< microbatches of SmallJobPlan per replica
constexpr std::int64_t REPLICAS = 2;

// Stage 0 in dc-a, stage 1 in dc-b.
const std::vector<NodeIndex> FIRST_NODES{0, 1, 4, 5};
const std::vector<NodeIndex> SECOND_NODES{2, 3, 6, 7};

geotrain::ExecutionPlan
Plan(std::uint32_t iterations)
{
    return SmallJobPlan(geotrain::Bytes::Of(BOUNDARY), iterations);
}

class JobsOverPackets : public NetworkTest, public testing::WithParamInterface<std::string>
{
  protected:
    /// Builds four nodes in each data centre, and warms the connections of all jobs.
    void Build(geotrain::BitRate rate)
    {
        TwoSites sites;
        sites.nodesPerSite = 4;
        sites.rate = rate;
        Build(sites.Build());
    }

    void Build(const geotrain::WanTopology& topology)
    {
        Install(GetParam(), topology);
        std::vector<geotrain::Network::WarmUp> all;
        for (const auto& nodes : {FIRST_NODES, SECOND_NODES})
        {
            for (auto pair :
                 geotrain::WarmUpsOf(Plan(1), std::nullopt, [](const auto&) { return true; }))
            {
                all.push_back({nodes[pair.source], nodes[pair.destination], pair.size});
            }
        }
        network->Prepare(all);
    }

    void RunUntilOver(const std::vector<JobOnNodes*>& jobs)
    {
        network->GetClock().RunUntil(
            [&jobs]
            {
                return std::all_of(jobs.begin(),
                                   jobs.end(),
                                   [](const JobOnNodes* job) { return job->executor->IsOver(); });
            },
            DEADLINE);
        for (const JobOnNodes* job : jobs)
        {
            EXPECT_TRUE(job->executor->IsOver()) << job->executor->WhoWaitsForWhat();
        }
    }

    /// Carries what is still on the wire, and compares both ends of all connections.
    void ExpectConservation()
    {
        network->GetClock().Run(DEADLINE);
        network->CheckConservation();
    }

    std::vector<std::int64_t>
    EndsAlone(geotrain::BitRate rate, const std::vector<NodeIndex>& nodes, std::uint32_t iterations)
    {
        Build(rate);
        std::vector<std::int64_t> ends;
        {
            JobOnNodes job(*network, nodes, Plan(iterations));
            RunUntilOver({&job});
            EXPECT_TRUE(job.executor->IsDone());
            ends = job.Ends();
        }
        Reset();
        return ends;
    }
};

/// Eight windows of 1.5 MB in 40 ms are 2.4 Gbit/s of a link of 10 Gbit/s. In front of each message
/// of 5 MB, which takes 133 ms, the two nodes of the other job may have put a window each at once
/// (ns-3's sockets aren't paced): 2.4 ms.
void
ExpectTimesAlone(const std::vector<std::int64_t>& ends, const std::vector<std::int64_t>& alone)
{
    const double windows = REPLICAS * WINDOW * 8 / 10e9;
    const double message = BOUNDARY / (WINDOW / 0.040);
    ASSERT_EQ(ends.size(), alone.size());
    for (std::size_t i = 0; i < ends.size(); ++i)
    {
        const auto expected = static_cast<double>(alone[i]);
        EXPECT_NEAR(static_cast<double>(ends[i]), expected, windows / message * expected);
    }
}

TEST_P(JobsOverPackets, ThatShareALinkWithRoomTakeTheTimesThatTheyTakeAlone)
{
    const auto rate = geotrain::BitRate::GigabitsPerSecond(10);
    const auto firstAlone = EndsAlone(rate, FIRST_NODES, 2);
    const auto secondAlone = EndsAlone(rate, SECOND_NODES, 3);
    Build(rate);
    JobOnNodes first(*network, FIRST_NODES, Plan(2));
    JobOnNodes second(*network, SECOND_NODES, Plan(3));
    RunUntilOver({&first, &second});
    EXPECT_TRUE(first.executor->IsDone());
    EXPECT_TRUE(second.executor->IsDone());
    ExpectTimesAlone(first.Ends(), firstAlone);
    ExpectTimesAlone(second.Ends(), secondAlone);
    ExpectConservation();
}

TEST_P(JobsOverPackets, ThatShareAFullLinkTakeAsLongAsTheirBytes)
{
    // Windows of 1.5 MB in 40 ms are 0.6 Gbit/s for the two of a job and 1.2 for four: the link of
    // 0.8 Gbit/s is the limit of two jobs and not of one. All activations of both go one way, and
    // then all gradients the other way.
    const auto rate = geotrain::BitRate::BitsPerSecond(800'000'000);
    const double oneWay = 2.0 * REPLICAS * MICROBATCHES * BOUNDARY * 8 / 800e6;
    const auto alone = EndsAlone(rate, FIRST_NODES, 1);
    Build(rate);
    JobOnNodes first(*network, FIRST_NODES, Plan(1));
    JobOnNodes second(*network, SECOND_NODES, Plan(1));
    RunUntilOver({&first, &second});
    const auto last =
        static_cast<double>(std::max(first.Ends().back(), second.Ends().back())) / 1e9;
    EXPECT_GT(last, 2 * oneWay);
    EXPECT_GT(last, 1.15 * static_cast<double>(alone.back()) / 1e9);
    // Headers, propagation, a forward and three backwards, and restarts after idle: half as much
    // again at most.
    EXPECT_LT(last, 3 * oneWay);
    ExpectConservation();
}

TEST_P(JobsOverPackets, ACancelledJobLeavesTheOtherItsTimes)
{
    const auto rate = geotrain::BitRate::GigabitsPerSecond(10);
    const auto alone = EndsAlone(rate, SECOND_NODES, 2);
    Build(rate);
    JobOnNodes first(*network, FIRST_NODES, Plan(2));
    JobOnNodes second(*network, SECOND_NODES, Plan(2));
    network->GetClock().Schedule(Instant() + Duration::Milliseconds(60),
                                 [&first] { first.executor->Cancel(); });
    RunUntilOver({&first, &second});
    EXPECT_FALSE(first.executor->IsDone());
    EXPECT_TRUE(second.executor->IsDone());
    EXPECT_EQ(first.recorder.Spans().size(),
              static_cast<std::size_t>(MICROBATCHES * REPLICAS)); // forwards of stage 0
    ExpectTimesAlone(second.Ends(), alone);
    ExpectConservation();
}

TEST_P(JobsOverPackets, APathThatFailsForGoodFailsItsJobWithTheReason)
{
    TwoSites sites;
    sites.nodesPerSite = 4;
    auto topology = sites.Build();
    topology.links[0].outages.push_back(
        {Duration::Milliseconds(60), Duration::Seconds(1e6), false});
    Build(topology);
    bearer->Links().BeginSchedules();
    JobOnNodes job(*network, FIRST_NODES, Plan(2));
    network->GetClock().RunUntil(
        [&job] { return job.executor->IsOver(); },
        Instant::FromNanoseconds(10'000'000'000'000)); // 15 retransmissions, backed off
    EXPECT_TRUE(job.executor->IsOver());
    EXPECT_FALSE(job.executor->IsDone());
    EXPECT_NE(job.executor->Failure(), "");
    EXPECT_NE(job.executor->WhoWaitsForWhat().find(job.executor->Failure()), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Bearers,
                         JobsOverPackets,
                         testing::Values("express", "device", "stock"),
                         [](const auto& test) { return test.param; });

} // namespace
} // namespace ns3
