// SPDX-License-Identifier: GPL-2.0-only
// Checks mean windows where losses are frequent, which takes few packets. response-function-test
// has the rare ones.
#include "response-function.h"

#include <gtest/gtest.h>

#include <ns3/boolean.h>
#include <ns3/config.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

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

/// Returns Prague's window in segments where packets are marked independently of each other. A window W
/// grows by (1 - p) segments per round trip. A mark takes alpha / 2 = p / 2 of it, and the next one that
/// does comes after a round trip and another 1 / p packets, 1 / (p W) round trips. With x = p W, what is
/// lost equals what is gained where x^2 = 2 (1 + x) (1 - p): x = 2.73 for a small p, and not the 2 of
/// marks in every round trip. Below the virtual round trip, all is so per 25 ms.
double
PragueWindow(double markRate, std::int64_t rttMs)
{
    const double y = 1 - markRate;
    const double x = y + std::sqrt(y * y + 2 * y);
    return x / markRate * std::min(1.0, static_cast<double>(rttMs) / 25);
}

TEST(FrequentLoss, PraguesWindowIsThatOfIndependentMarks)
{
    // 6,000 marks leave a standard error of some 2 %, and the 2,000 before them, in which the window grows
    // by a segment per round trip, 1 % at 1e-2: a model by segments with as many gives 267 for 271. Rarer
    // marks need more before them, as 1 / p.
    for (const std::int64_t rttMs : {5, 40})
    {
        for (const double markRate : {3e-2, 1e-2})
        {
            const double segments = PragueWindow(markRate, rttMs);
            EXPECT_NEAR(MeanWindowUnderMarks("geotrain::TcpPrague", rttMs, markRate),
                        segments,
                        0.07 * segments)
                << rttMs << " ms, a rate of marks of " << markRate;
        }
    }
}

TEST(FrequentLoss, PragueIsRenoUnderLosses)
{
    const double reno = RenoWindow(1e-2, 1);
    EXPECT_NEAR(MeanWindowUnderLoss("geotrain::TcpPrague", 40, 1e-2), reno, 0.25 * reno);
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

/// A Bbr3Cruise is the time between two bandwidth probes of BBRv3 under independent losses, by
/// round trips (draft-ietf-ccwg-bbr-06, 5.5.10.3). A round with a loss lowers the short-term
/// bandwidth to the highest delivery rate that was sampled in it: the packets delivered in any
/// round trip that ends in it. BBRBeta = 0.7 of the bandwidth is the least, which these losses
/// don't reach.
class Bbr3Cruise
{
  public:
    explicit Bbr3Cruise(double lossRate)
        : m_lossRate(lossRate)
    {
    }

    /// Returns the share of the bandwidth that `rounds` round trips deliver.
    double Share(double packetsPerRound, int rounds)
    {
        double bandwidth = packetsPerRound;
        double delivered = 0;
        std::vector<int> before = DeliveredBySent(bandwidth);
        for (int round = 0; round < rounds; ++round)
        {
            const std::vector<int> now = DeliveredBySent(bandwidth);
            delivered += now.back();
            if (now.back() + 1 < static_cast<int>(now.size()))
            {
                bandwidth = std::min(packetsPerRound, static_cast<double>(Highest(before, now)));
            }
            before = now;
        }
        return delivered / (rounds * packetsPerRound);
    }

  private:
    /// Draws a round trip, paced at 99 % of the bandwidth (pacing margin). The n-th number is how
    /// many of its first n packets are delivered.
    std::vector<int> DeliveredBySent(double bandwidth)
    {
        std::vector<int> delivered{0};
        for (long sent = std::lround(0.99 * bandwidth); sent > 0; --sent)
        {
            const double uniform = std::ldexp(static_cast<double>(m_engine() >> 11), -53);
            delivered.push_back(delivered.back() + (uniform < m_lossRate ? 0 : 1));
        }
        return delivered;
    }

    static int Highest(const std::vector<int>& before, const std::vector<int>& now)
    {
        int highest = 0;
        for (std::size_t n = 1; n < now.size(); ++n)
        {
            const std::size_t same = (n * (before.size() - 1)) / (now.size() - 1);
            highest = std::max(highest, before.back() - before[same] + now[n]);
        }
        return highest;
    }

    double m_lossRate;
    std::mt19937_64 m_engine{1};
};

/// Returns the share of a rate-based control's goodput that BBRv3 keeps at losses below its
/// threshold of 2 %. The time to the next probe is drawn from 2 to 3 s and at most 63 rounds
/// (5.3.3.8), 60 in the mean. Then REFILL's round and UP's three, the least that show no growth,
/// have the bandwidth. Probing the round trip holds half of the flight for 200 ms and a round in 5
/// s (5.3.4.3).
double
ShareOfBbr3(double lossRate)
{
    constexpr double packetsPerRound = 333; // 100 Mbit/s x 40 ms
    constexpr int cruiseRounds = 60;
    constexpr int probeRounds = 4;
    constexpr double besideProbeRtt = 1 - 0.5 * 0.24 / 5;
    constexpr int cycles = 100;
    Bbr3Cruise cruise(lossRate);
    double sum = 0;
    for (int i = 0; i < cycles; ++i)
    {
        sum += cruise.Share(packetsPerRound, cruiseRounds) / (1 - lossRate);
    }
    return besideProbeRtt * (cruiseRounds * sum / cycles + probeRounds) /
           (cruiseRounds + probeRounds);
}

TEST(FrequentLoss, Bbr3FollowsWhatItsRoundsDeliver)
{
    // Three runs of 10 s leave a standard error of 2 %, and in the model each packet has an
    // acknowledgement of its own.
    for (const double lossRate : {1e-4, 1e-3, 1e-2}) // 0.96, 0.91 and 0.77
    {
        const double share = ShareOfBbr3(lossRate) * GoodputOfARate(lossRate);
        EXPECT_NEAR(GoodputUnderLoss("geotrain::TcpBbr3", lossRate), share, 0.08 * share)
            << "at a loss rate of " << lossRate;
    }
}

} // namespace
