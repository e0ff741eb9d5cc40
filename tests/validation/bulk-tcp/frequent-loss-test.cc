// SPDX-License-Identifier: GPL-2.0-only
// Checks mean windows where losses are frequent, which takes few packets. response-function-test
// has the rare ones.
#include "response-function.h"

#include <gtest/gtest.h>

#include <ns3/boolean.h>
#include <ns3/config.h>

#include <cmath>

namespace
{

using namespace ns3;

class FrequentLoss : public testing::TestWithParam<std::int64_t>
{
};

TEST_P(FrequentLoss, CubicsWindowIsNeverBelowRenos)
{
    for (const double lossRate : {1e-2, 1e-3})
    {
        const double segments = CubicWindow(GetParam(), lossRate);
        EXPECT_NEAR(MeanWindowUnderLoss("geotrain::TcpCubic", GetParam(), lossRate),
                    segments,
                    0.25 * segments)
            << "at a loss rate of " << lossRate;
    }
}

INSTANTIATE_TEST_SUITE_P(RttMs, FrequentLoss, testing::Values(10, 40, 100));

TEST(FrequentLoss, LinuxRenosWindowIsThatOfImmediateAcknowledgements)
{
    for (const double lossRate : {1e-2, 1e-3})
    {
        const double segments = RenoWindow(lossRate, 1);
        EXPECT_NEAR(
            MeanWindowUnderLoss("ns3::TcpLinuxReno", 40, lossRate), segments, 0.25 * segments)
            << "at a loss rate of " << lossRate;
    }
}

TEST(FrequentLoss, HtcpsWindowIsThatOfTheDraftsAlpha)
{
    // With a fixed backoff of a half. 1,500 losses leave a standard error of some 3 %.
    Config::SetDefault("geotrain::TcpHtcp::AdaptiveBackoff", BooleanValue(false));
    for (const double lossRate : {1e-2, 1e-3})
    {
        const double segments = HtcpWindow(40, lossRate);
        EXPECT_NEAR(
            MeanWindowUnderLoss("geotrain::TcpHtcp", 40, lossRate), segments, 0.15 * segments)
            << "at a loss rate of " << lossRate;
    }
}

TEST(FrequentLoss, DctcpsWindowIsThatOfIndependentMarks)
{
    // 6,000 marks leave a standard error of some 2 %. ns-3's control sees marks by acknowledgements
    // of up to two segments, and counts bytes.
    for (const double markRate : {1e-2, 3e-3})
    {
        const double segments = DctcpWindow(markRate);
        EXPECT_NEAR(segments, std::sqrt(2) / markRate, 0.1 * segments);
        EXPECT_NEAR(MeanWindowUnderMarks("ns3::TcpDctcp", 40, markRate), segments, 0.15 * segments)
            << "at a rate of marks of " << markRate;
    }
}

TEST(FrequentLoss, AMarkIsAnsweredAsALoss)
{
    // RFC 3168, 5: the answer to a mark must be that to a loss. Nothing is sent again here.
    const double reno = RenoWindow(1e-2, 1);
    EXPECT_NEAR(MeanWindowUnderMarks("ns3::TcpLinuxReno", 40, 1e-2), reno, 0.25 * reno);
    const double cubic = CubicWindow(40, 1e-2);
    EXPECT_NEAR(MeanWindowUnderMarks("geotrain::TcpCubic", 40, 1e-2), cubic, 0.25 * cubic);
}

/// A rate-based control keeps the bandwidth under losses that its model accepts: (1 - p) of the
/// capacity, less the headers.
double
GoodputOfARate(double lossRate)
{
    return (1 - lossRate) * 1448 / 1500;
}

TEST(FrequentLoss, BbrKeepsTheBandwidth)
{
    for (const double lossRate : {1e-3, 1e-2, 2e-2})
    {
        // Its own probing of the round trip takes 2 % (200 ms in 10 s).
        EXPECT_GE(GoodputUnderLoss("ns3::TcpBbr", lossRate), 0.9 * GoodputOfARate(lossRate))
            << "at a loss rate of " << lossRate;
    }
}

/// Returns the least share of a rate-based control's goodput that BBRv3 keeps at losses below its
/// threshold of 2 % (draft-ietf-ccwg-bbr). A round of cruise with a loss lowers the short-term
/// bandwidth to what was delivered, which is at least (1 - p) of what was sent, at 99 % of the
/// bandwidth (pacing margin): more than BBRBeta = 0.7 of it (5.5.10.3). The next probe, after at most
/// 63 rounds, forgets that. Probing the round trip halves the flight for 200 ms in 5 s.
double
LeastShareOfBbr3(double lossRate)
{
    constexpr double packetsPerRound = 333; // 100 Mbit/s x 40 ms
    constexpr int rounds = 63;
    constexpr double margin = 0.99;
    constexpr double outsideProbeRtt = 0.96;
    const double lossy = 1 - std::pow(1 - lossRate, packetsPerRound);
    const double perRound = 1 - lossy * (1 - margin * (1 - lossRate));
    const double cruise = (1 - std::pow(perRound, rounds)) / (rounds * (1 - perRound));
    return margin * cruise * outsideProbeRtt;
}

TEST(FrequentLoss, Bbr3KeepsTheBandwidthBelowItsThreshold)
{
    for (const double lossRate : {1e-4, 1e-3, 1e-2}) // 0.94, 0.86 and 0.56
    {
        EXPECT_GE(GoodputUnderLoss("geotrain::TcpBbr3", lossRate),
                  LeastShareOfBbr3(lossRate) * GoodputOfARate(lossRate))
            << "at a loss rate of " << lossRate;
    }
    // What is delivered in a round is the highest of its samples, which the bound leaves out. 0.7 is
    // not derived: it keeps the 0.79 that the control reaches.
    EXPECT_GE(GoodputUnderLoss("geotrain::TcpBbr3", 1e-2), 0.7 * GoodputOfARate(1e-2));
}

} // namespace
