// SPDX-License-Identifier: GPL-2.0-only
// The test cases of draft-ietf-ccwg-bbr-06, appendix A, that are about ProbeBW: A.5 to A.9, A.13,
// A.15 to A.17, A.21 and A.22, over packets. A test has the draft's name of the case; numbers in
// comments are the case's steps. doc/bbr3.md has the table of verdicts.
#include "bbr3-case-path.h"

#include <gtest/gtest.h>

#include <ns3/config.h>
#include <ns3/string.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace
{

using namespace ns3;
using ProbePhase = TcpBbr3::Phase;

constexpr double probePatience = 60; ///< longest time that a test waits for a phase, in seconds

/// Lets the bottleneck drop each `n`-th data packet.
void
DropEach(Bbr3Case& run, int n)
{
    run.Bottleneck().drops = [n, count = 0](const PacketRecord& record) mutable
    { return record.kind == PacketRecord::Kind::Data && ++count % n == 0; };
}

TEST(Bbr3DraftCases, A05ExitingProbeUpOnBandwidthPlateau)
{
    Bbr3Case run({100, 40, 200});
    run.FeedAll();
    ASSERT_TRUE(run.RunUntil(ProbePhase::ProbeBwUp, probePatience)); // 1
    std::vector<std::uint32_t> counts;
    double leastBacklog = 1e9;
    const double begin = run.NowS();
    run.Watch(
        [&]
        {
            const std::uint32_t count = run.Control().FullPipe().RoundsWithoutGrowth();
            if (counts.empty() || counts.back() != count)
            {
                counts.push_back(count);
            }
            if (run.NowS() > begin + 0.08)
            {
                leastBacklog = std::min(leastBacklog, run.Bottleneck().BacklogMs());
            }
        });
    ASSERT_TRUE(run.RunUntilLeaves(ProbePhase::ProbeBwUp, probePatience));
    EXPECT_GT(leastBacklog, 0); // 2: the link is never idle
    EXPECT_EQ(run.Bottleneck().dropped, 0U);
    EXPECT_EQ(counts, (std::vector<std::uint32_t>{0, 1, 2, 3})); // 3, 4
    EXPECT_TRUE(run.Control().FullPipe().IsFullNow());
    EXPECT_EQ(run.Control().GetPhase().Get(), ProbePhase::ProbeBwDown); // 5
}

TEST(Bbr3DraftCases, A06ExitingProbeUpOnLossWhenApplicationLimited)
{
    Bbr3Case run({});
    run.FeedAll();
    ASSERT_TRUE(run.RunUntil(ProbePhase::ProbeBwUp, probePatience)); // 1
    run.FeedAt(50);                                                  // 2
    ASSERT_TRUE(run.RunUntil([&] { return run.Control().Model().rs.appLimited; }, 0.2));
    ASSERT_EQ(run.Control().GetPhase().Get(), ProbePhase::ProbeBwUp);
    run.RunFor(0.1);
    DropEach(run, 15); // 3: 6.7 %
    ASSERT_TRUE(run.RunUntilLeaves(ProbePhase::ProbeBwUp, 1));
    EXPECT_TRUE(run.Control().Model().rs.appLimited);
    EXPECT_TRUE(run.Control().ProbeBw().WasTooHigh()); // 4
    EXPECT_LT(run.Control().FullPipe().RoundsWithoutGrowth(), 3U);
    const ProbePhase next = run.transitions.back().to; // 5: Down may end at once without a queue
    EXPECT_TRUE(next == ProbePhase::ProbeBwDown || next == ProbePhase::ProbeBwCruise);
    // HandleInflightTooHigh() of 5.5.10.2 sets no bound from an application-limited flight, although
    // step 5 has the bound updated "appropriately, regardless of the application-limited state".
    EXPECT_EQ(run.Control().Model().longTermInflight, TcpBbr3::s_infinite);
}

TEST(Bbr3DraftCases, A08ExitingProbeDownOnInflight)
{
    Bbr3Case run({100, 40, 25}); // losses set the long-term bound
    run.FeedAll();
    ASSERT_TRUE(run.RunUntil(ProbePhase::ProbeBwUp, probePatience));
    ASSERT_TRUE(run.RunUntil(ProbePhase::ProbeBwDown, probePatience)); // 1
    EXPECT_DOUBLE_EQ(run.Control().GetPhase().PacingGain(), 0.9);      // 2
    ASSERT_LT(run.Control().Model().longTermInflight, TcpBbr3::s_infinite);
    bool hasBeenAbove = true; // 3
    run.Watch(
        [&]
        {
            const std::uint64_t inFlight = run.State().m_bytesInFlight;
            const std::uint64_t most = Bbr3Control::Inflight(
                run.State(), run.Control().Model(), run.Control().Model().MaxBandwidth());
            hasBeenAbove =
                hasBeenAbove && (run.Control().GetPhase().Get() != ProbePhase::ProbeBwDown ||
                                 inFlight > run.Headroom() || inFlight > most);
        });
    ASSERT_TRUE(run.RunUntilLeaves(ProbePhase::ProbeBwDown, probePatience)); // 4
    EXPECT_TRUE(hasBeenAbove);
    EXPECT_LE(run.State().m_bytesInFlight, run.Headroom());
    EXPECT_LE(run.State().m_bytesInFlight, run.Inflight());
    EXPECT_EQ(run.Control().GetPhase().Get(), ProbePhase::ProbeBwCruise); // 5
}

TEST(Bbr3DraftCases, A09ExitingProbeDownAfterMaxTime)
{
    // With a round trip of 200 ms the queue of UP outlasts the 2 to 3 s of bw_probe_wait: DOWN paces
    // at 0.9 x 0.99 of the old bandwidth, and the link carries 0.9 of it. A ProbeRTT after 5 s would
    // come first, since CRUISE and UP have taken more than 2 s of them.
    Config::SetDefault("geotrain::TcpBbr3::ProbeRttInterval", StringValue("30s"));
    Bbr3Case run({100, 200, 1000});
    Config::Reset();
    run.FeedAll();
    ASSERT_TRUE(run.RunUntil(ProbePhase::ProbeBwUp, probePatience));
    ASSERT_TRUE(run.RunUntil(ProbePhase::ProbeBwDown, probePatience)); // 1
    run.Bottleneck().mbps *= 0.9;                                      // 2
    const double begin = run.NowS();
    ASSERT_TRUE(run.RunUntilLeaves(ProbePhase::ProbeBwDown, probePatience));
    EXPECT_GT(run.State().m_bytesInFlight, run.Inflight());
    EXPECT_GT(run.NowS() - begin, 2); // 3
    EXPECT_LT(run.NowS() - begin, 3.1);
    EXPECT_EQ(run.Control().GetPhase().Get(), ProbePhase::ProbeBwRefill); // 4
}

TEST(Bbr3DraftCases, A13AchievingExpectedCruiseBandwidthOnALinkWithAggregation)
{
    Bbr3Case run({});
    run.FeedAll();
    ASSERT_TRUE(run.RunUntil(ProbePhase::ProbeBwCruise, probePatience)); // 1
    run.Bottleneck().slotMs = 20;                                        // 2: bursts of 241 kB
    run.RunFor(0.4);
    ASSERT_EQ(run.Control().GetPhase().Get(), ProbePhase::ProbeBwCruise);
    const double burst = run.Capacity() / 8 * 0.02;
    EXPECT_GT(static_cast<double>(run.Control().Model().ExtraAcked()), 0.9 * burst);   // 3
    EXPECT_EQ(run.State().m_cWnd, 2 * run.Bdp() + run.Control().Model().ExtraAcked()); // 4
    const double before = run.ReceivedBits();
    run.RunFor(1);
    ASSERT_EQ(run.Control().GetPhase().Get(), ProbePhase::ProbeBwCruise);
    EXPECT_GT(run.ReceivedBits() - before, 0.97 * run.Capacity());
    // 3: the excess is forgotten ten rounds after the acknowledgements have fallen behind BBR.bw,
    // which takes the pacing margin of 1 % some seconds.
    run.Bottleneck().slotMs = 0;
    const std::uint64_t round = run.Control().Model().RoundCount();
    const auto isForgotten = [&]
    { return static_cast<double>(run.Control().Model().ExtraAcked()) < 0.1 * burst; };
    ASSERT_TRUE(run.RunUntil(isForgotten, 10));
    EXPECT_GE(run.Control().Model().RoundCount(), round + 10);
}

TEST(Bbr3DraftCases, A15IncreasingBandwidth10xAndEnsuringFullBandwidthIsReached)
{
    Bbr3Case run({10, 40, 20}); // half a bandwidth-delay product at either rate
    run.FeedAll();
    ASSERT_TRUE(run.RunUntil(ProbePhase::ProbeBwUp, probePatience));
    ASSERT_TRUE(run.RunUntil(ProbePhase::ProbeBwCruise, probePatience)); // 1
    ASSERT_LT(run.Control().Model().longTermInflight, TcpBbr3::s_infinite);
    run.Bottleneck().mbps = 100; // 2
    std::vector<double> bounds;  // segments, at the begin of each round of the current UP
    std::uint64_t round = 0;
    std::uint64_t rounds = 0; // in ProbeBW_UP
    run.Watch(
        [&]
        {
            const bool isUp = run.Control().GetPhase().Get() == ProbePhase::ProbeBwUp;
            const bool isNew = run.Control().Model().RoundCount() != round;
            round = run.Control().Model().RoundCount();
            if (isUp && isNew)
            {
                ++rounds;
                bounds.push_back(static_cast<double>(run.Control().Model().longTermInflight) /
                                 Bbr3Case::s_segment);
            }
            else if (!isUp)
            {
                bounds.clear();
            }
        });
    const auto isFull = [&]
    { return static_cast<double>(run.Control().Model().MaxBandwidth()) > 0.95 * run.Capacity(); };
    ASSERT_TRUE(run.RunUntil(isFull, probePatience));
    // 3: while the bound holds the flight back the step doubles: 1 + 2, 4, 8, 16 segments. A round
    // acknowledges somewhat more than a window. Later the pace holds it back in some rounds.
    ASSERT_GE(bounds.size(), 6U);
    for (std::size_t i = 3; i < 6; ++i)
    {
        const double step = bounds[i] - bounds[i - 1];
        EXPECT_NEAR(step, std::pow(2, i - 1), 1 + 0.1 * std::pow(2, i - 1)) << i;
    }
    EXPECT_EQ(bounds[1], bounds[0]);
    EXPECT_NEAR(bounds[2] - bounds[1], 1 + 2, 0.1);
    // 4: log2(345 segments) = 8.4 rounds of growth that doubles; as many again at most for short
    // probes and for rounds without growth
    EXPECT_LE(rounds, 17U + 8);
}

TEST(Bbr3DraftCases, A16DecreasingBandwidth10xAndEnsuringMaxBandwidthAdaptsDown)
{
    Bbr3Case run({100, 40, 20});
    run.FeedAll();
    ASSERT_TRUE(run.RunUntil(ProbePhase::ProbeBwUp, probePatience));
    ASSERT_TRUE(run.RunUntil(ProbePhase::ProbeBwCruise, probePatience)); // 1
    run.Bottleneck().mbps = 10;                                          // 2
    const double begin = run.NowS();
    const auto isLower = [&] { return run.Control().Model().shortTermBandwidth < 50000000; };
    ASSERT_TRUE(run.RunUntil(isLower, probePatience)); // 3: 0.7 per round with loss, from 97
    EXPECT_LT(run.NowS() - begin, 0.4);
    const auto fits = [&]
    { return static_cast<double>(run.Control().Model().MaxBandwidth()) < 1.02 * run.Capacity(); };
    ASSERT_TRUE(run.RunUntil(fits, probePatience)); // 4
    const auto probes =
        std::count_if(run.transitions.begin(),
                      run.transitions.end(),
                      [&](const Bbr3Case::Transition& t)
                      { return t.seconds > begin && t.from == ProbePhase::ProbeBwUp; });
    EXPECT_LE(probes, 2); // MaxBwFilterLen
    // A cycle waits for 3 s at most and has five rounds, of up to 40 ms and a full queue, which
    // lasts 10 times its 20 ms now.
    EXPECT_LT(run.NowS() - begin, 2 * (3 + 5 * (0.04 + 0.2)));
}

TEST(Bbr3DraftCases, A17HandlingTokenBucketPolicers)
{
    Bbr3Case run({100, 40, 80});
    run.Bottleneck().policer.emplace(geotrain::BitRate::BitsPerSecond(20000000),
                                     geotrain::Bytes::Of(200000)); // 1
    run.FeedAll();
    ASSERT_TRUE(run.RunUntil(ProbePhase::ProbeBwDown, probePatience)); // 2
    const auto hasReacted = [&]
    {
        return run.Control().Model().shortTermBandwidth < TcpBbr3::s_infinite &&
               run.Control().Model().shortTermInflight < TcpBbr3::s_infinite;
    };
    ASSERT_TRUE(run.RunUntil(hasReacted, probePatience)); // 3
    run.RunFor(30);
    const double bits = run.ReceivedBits();
    const std::uint64_t dropped = run.Bottleneck().dropped;
    const std::uint64_t passed = run.Bottleneck().passed;
    run.RunFor(30);
    const double goodput = (run.ReceivedBits() - bits) / 30;
    const auto drops = static_cast<double>(run.Bottleneck().dropped - dropped);
    const double loss = drops / (drops + static_cast<double>(run.Bottleneck().passed - passed));
    EXPECT_GT(goodput, 0.85 * 20e6 * Bbr3Case::s_payload); // 4
    EXPECT_LT(loss, 0.02);
}

TEST(Bbr3DraftCases, A21HandlingLossDuringProbeUpAfterInflightLongtermIsSet)
{
    Bbr3Case run({100, 40, 25});
    run.FeedAll();
    const auto isUpWithBound = [&]
    {
        return run.Control().GetPhase().Get() == ProbePhase::ProbeBwUp &&
               run.Control().Model().longTermInflight < TcpBbr3::s_infinite &&
               !run.Control().ProbeBw().WasTooHigh();
    };
    ASSERT_TRUE(run.RunUntil(isUpWithBound, probePatience)); // 1, 2
    const std::uint64_t bound = run.Control().Model().longTermInflight;
    const std::uint64_t target = Bbr3Control::TargetInflight(run.State(), run.Control().Model());
    DropEach(run, 2); // 3
    ASSERT_TRUE(run.RunUntilLeaves(ProbePhase::ProbeBwUp, 0.2));
    EXPECT_TRUE(run.Control().ProbeBw().WasTooHigh()); // 4
    EXPECT_FALSE(run.Control().FullPipe().IsFullNow());
    EXPECT_LT(run.Control().Model().longTermInflight, bound);
    EXPECT_GE(static_cast<double>(run.Control().Model().longTermInflight),
              0.7 * static_cast<double>(target)); // 4: BBR.Beta bounds the cut
    EXPECT_EQ(run.Control().GetPhase().Get(), ProbePhase::ProbeBwDown); // 5
}

TEST(Bbr3DraftCases, A22HandlingApplicationLimitedSendingDuringProbeRefill)
{
    Bbr3Case run({});
    run.FeedAll();
    ASSERT_TRUE(run.RunUntil(ProbePhase::ProbeBwRefill, probePatience)); // 1
    const std::uint64_t before = run.Control().Model().MaxBandwidth();
    run.FeedAt(5); // 2: after what already waits, 5 % of the bandwidth
    bool hasLowSamples = false;
    run.Watch(
        [&]
        {
            const Bbr3Sample& sample = run.Control().Model().rs;
            hasLowSamples = hasLowSamples || (sample.appLimited && sample.rate < before / 2);
        });
    ASSERT_TRUE(run.RunUntilLeaves(ProbePhase::ProbeBwRefill, 1));
    EXPECT_EQ(run.Control().GetPhase().Get(), ProbePhase::ProbeBwUp); // 4
    run.RunFor(0.2);
    EXPECT_TRUE(hasLowSamples); // 3
    EXPECT_GE(run.Control().Model().MaxBandwidth(), before);
    EXPECT_EQ(run.Control().GetPhase().Get(), ProbePhase::ProbeBwUp);
    run.FeedAll();
    ASSERT_TRUE(run.RunUntilLeaves(ProbePhase::ProbeBwUp, 2)); // 4
    EXPECT_EQ(run.Control().GetPhase().Get(), ProbePhase::ProbeBwDown);
    EXPECT_TRUE(run.Control().FullPipe().IsFullNow());
    EXPECT_NEAR(static_cast<double>(run.Control().Model().MaxBandwidth()),
                run.Capacity(),
                0.02 * run.Capacity());
}

} // namespace
