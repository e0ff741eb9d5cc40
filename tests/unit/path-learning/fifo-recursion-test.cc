// SPDX-License-Identifier: GPL-2.0-only
// The recurrence that is trained, against the buffer of a link and against differences.
#include "path-learning/fifo-recursion.h"
#include "path-learning/path-cell.h"
#include "units/random-stream.h"

#include <gtest/gtest.h>

#include <cmath>

namespace geotrain
{
namespace
{

constexpr double recursionWindow = 0.05; // s

/// Returns a second of packets in bursts, so that the buffer runs empty, and fills.
std::vector<FifoPacket>
BurstyPackets(std::uint64_t seed)
{
    RandomStream stream(seed, "test", "packets");
    std::vector<FifoPacket> packets;
    double at = 0;
    while (at < 1)
    {
        at += stream.Uniform() < 0.1 ? 0.06 * stream.Uniform() : 0.0015 * stream.Uniform();
        FifoPacket packet;
        packet.sent = std::round(at * 1e9) * 1e-9;
        packet.bytes = std::round(200 + 1300 * stream.Uniform());
        packets.push_back(packet);
    }
    return packets;
}

std::vector<double>
SomeShares(std::uint64_t seed, std::size_t count)
{
    RandomStream stream(seed, "test", "shares");
    std::vector<double> shares;
    for (std::size_t i = 0; i < count; ++i)
    {
        shares.push_back(1.3 * stream.Uniform());
    }
    return shares;
}

// The loss of the test is the sum of stays with weights of either sign.
double
WeightOf(std::size_t packet)
{
    return std::cos(static_cast<double>(packet));
}

double
LossOf(FifoRecursion& recursion,
       const FifoParameters& parameters,
       const std::vector<double>& shares)
{
    const std::vector<double>& stays = recursion.Forward(parameters, shares.data(), shares.size());
    double loss = 0;
    for (std::size_t i = 0; i < stays.size(); ++i)
    {
        loss += WeightOf(i) * stays[i];
    }
    return loss;
}

/// Checks a gradient against (L(x + h) - L(x - h)) / 2h, whose error away from kinks is that of
/// rounding: the recurrence is linear in shares, and smooth in the rest.
template <typename Set>
void
ExpectDerivative(double analytic, double value, double scale, const Set& lossAt)
{
    const double step = 1e-6 * value;
    const double numeric = (lossAt(value + step) - lossAt(value - step)) / (2 * step);
    EXPECT_NEAR(numeric, analytic, 1e-6 * std::max(std::abs(analytic), scale));
}

class FifoGradientTest : public testing::TestWithParam<std::uint64_t>
{
};

TEST_P(FifoGradientTest, IsThatOfCentralDifferences)
{
    std::vector<FifoPacket> packets = BurstyPackets(GetParam());
    for (std::size_t i = 0; i < packets.size(); ++i)
    {
        packets[i].isLost = i % 11 == 7 && i % 40 != 20;
        packets[i].isAnchor = i % 40 == 20;
        packets[i].delay = 0.021 + 0.0001 * static_cast<double>(i % 13);
    }
    const FifoParameters truth{1e6, 0.02, 0.004};
    const std::vector<double> shares = SomeShares(GetParam(), 20);
    FifoRecursion recursion(packets, recursionWindow);
    LossOf(recursion, truth, shares);
    std::vector<double> weights;
    for (std::size_t i = 0; i < packets.size(); ++i)
    {
        weights.push_back(WeightOf(i));
    }
    const FifoGradient gradient = recursion.Backward(weights.data());
    const auto with = [&](double FifoParameters::*field)
    {
        return [&, field](double value)
        {
            FifoParameters changed = truth;
            changed.*field = value;
            return LossOf(recursion, changed, shares);
        };
    };
    const FifoParameters& found = gradient.path;
    ExpectDerivative(
        found.bytesPerSecond, truth.bytesPerSecond, 1e-9, with(&FifoParameters::bytesPerSecond));
    ExpectDerivative(
        found.propagation, truth.propagation, 1e-3, with(&FifoParameters::propagation));
    ExpectDerivative(found.emptying, truth.emptying, 1e-3, with(&FifoParameters::emptying));
    EXPECT_NE(found.propagation, 0);
    EXPECT_NE(found.emptying, 0);
    double sum = 0;
    for (std::size_t i = 0; i < shares.size(); ++i)
    {
        sum += std::abs(gradient.shares[i]);
        ExpectDerivative(gradient.shares[i],
                         shares[i],
                         1e-3,
                         [&](double value)
                         {
                             std::vector<double> changed = shares;
                             changed[i] = value;
                             return LossOf(recursion, truth, changed);
                         });
    }
    EXPECT_GT(sum, 0.01);
}

INSTANTIATE_TEST_SUITE_P(Seeds, FifoGradientTest, testing::Values(1, 2, 3, 4));

// The buffer empties at 1 byte/us: 1,000 bytes at 0 and a share of 0.5 leave 500 at 1 ms and nothing at
// 2 ms, inside the second interval. So the packet at 3 ms stays its own time, and nothing passes there.
TEST(FifoRecursion, CrossesZeroInsideAnInterval)
{
    std::vector<FifoPacket> packets(3);
    packets[1].sent = 0.001;
    packets[2].sent = 0.004;
    for (FifoPacket& packet : packets)
    {
        packet.bytes = 1000;
    }
    FifoRecursion recursion(packets, 1);
    const double share = 0.5;
    const std::vector<double> stays = recursion.Forward({1e6, 0, 1}, &share, 1);
    EXPECT_NEAR(stays[1], 0.0015, 1e-15);
    EXPECT_NEAR(stays[2], 0.001, 1e-15);
    const double weights[] = {0, 0, 1};
    const FifoGradient gradient = recursion.Backward(weights);
    EXPECT_EQ(gradient.shares[0], 0);
    EXPECT_NEAR(gradient.path.bytesPerSecond, -1000 / 1e12, 1e-21);
}

// The trained recurrence and the link's buffer, which has whole nanoseconds and drops by itself.
TEST(FifoRecursion, IsTheBufferOfTheLinkWithinANanosecond)
{
    std::vector<FifoPacket> packets = BurstyPackets(5);
    const std::vector<double> shares = SomeShares(5, 20);
    PathParameters path;
    path.rate = BitRate::BitsPerSecond(8000000);
    path.buffer = Bytes::Of(6000);
    path.crossTraffic.bin = Duration::Milliseconds(50);
    for (const double share : shares)
    {
        path.crossTraffic.bitsPerSecond.push_back(share * 8e6);
    }
    PathCell cell(path);
    std::vector<double> delays;
    int lost = 0;
    for (FifoPacket& packet : packets)
    {
        const auto stay = cell.Offer(Instant::FromNanoseconds(std::llround(packet.sent * 1e9)),
                                     Bytes::Of(std::llround(packet.bytes)));
        packet.isLost = !stay;
        lost += stay ? 0 : 1;
        delays.push_back(stay ? stay->ToSeconds() : 0);
    }
    ASSERT_GT(lost, 10);
    FifoRecursion recursion(packets, recursionWindow);
    const std::vector<double>& stays =
        recursion.Forward({1e6, 0, 0.006}, shares.data(), shares.size());
    for (std::size_t i = 0; i < packets.size(); ++i)
    {
        if (!packets[i].isLost)
        {
            EXPECT_NEAR(stays[i], delays[i], 1e-9) << i;
        }
    }
}

} // namespace
} // namespace geotrain
