// SPDX-License-Identifier: GPL-2.0-only
// Checks mean windows where losses are frequent, which takes few packets. response-function-test
// has the rare ones.
#include "response-function.h"

#include <gtest/gtest.h>

#include <ns3/boolean.h>
#include <ns3/config.h>

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

TEST(FrequentLoss, Bbr3KeepsTheBandwidthBelowItsThreshold)
{
    // Between probes its short-term bandwidth follows what is delivered, which takes a share that
    // rises with the losses (draft-ietf-ccwg-bbr, 5.5.10.3). The threshold is 2 %.
    EXPECT_GE(GoodputUnderLoss("geotrain::TcpBbr3", 1e-4), 0.9 * GoodputOfARate(1e-4));
    EXPECT_GE(GoodputUnderLoss("geotrain::TcpBbr3", 1e-3), 0.85 * GoodputOfARate(1e-3));
    EXPECT_GE(GoodputUnderLoss("geotrain::TcpBbr3", 1e-2), 0.7 * GoodputOfARate(1e-2));
}

} // namespace
