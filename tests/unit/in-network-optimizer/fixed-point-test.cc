// SPDX-License-Identifier: GPL-2.0-only
// Gradients become integers whose sum is wrong by no more than the bound that is documented.
#include "in-network-optimizer/model/fixed-point.h"

#include "units/random-stream.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace ns3
{
namespace
{

/// Returns the upper half of an IEEE 754 single.
std::uint16_t
Truncated(double real)
{
    const auto single = static_cast<float>(real);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &single, sizeof(bits));
    return static_cast<std::uint16_t>(bits >> 16);
}

TEST(FixedPointTest, SumIsWithinNTimesTheBoundOverTwoLevels)
{
    constexpr std::uint32_t workers = 8;
    const FixedPoint fixedPoint(16, workers, 2.0);
    // N A / (2 Q), Q = floor((2^15 - 1) / 8) = 4095
    EXPECT_DOUBLE_EQ(fixedPoint.SumErrorBound(), 8 * 2.0 / (2 * 4095));
    geotrain::RandomStream random(1, "fixed-point", "test");
    double worst = 0;
    for (int trial = 0; trial < 10000; ++trial)
    {
        std::int32_t sum = 0;
        double exact = 0;
        for (std::uint32_t worker = 0; worker < workers; ++worker)
        {
            const std::uint16_t value = Truncated(4 * random.Uniform() - 2);
            exact += FixedPoint::ValueOfBf16(value);
            sum += fixedPoint.FromBf16(value);
        }
        worst = std::max(worst, std::abs(fixedPoint.ToReal(sum) - exact));
    }
    EXPECT_LE(worst, fixedPoint.SumErrorBound());
    EXPECT_GT(worst, fixedPoint.SumErrorBound() / 4); // the bound is no more than a few times it
}

TEST(FixedPointTest, NoSumOverflowsItsBits)
{
    for (const std::uint32_t workers : {1u, 8u, 64u, 1000u})
    {
        const FixedPoint fixedPoint(16, workers, 1.0);
        const std::int64_t sum =
            std::int64_t{fixedPoint.FromBf16(Truncated(5.0))} * workers; // beyond the bound
        EXPECT_LE(sum, INT16_MAX) << workers;
        EXPECT_NEAR(fixedPoint.ToReal(static_cast<std::int32_t>(sum)), workers, 1e-9);
    }
}

TEST(FixedPointDeathTest, NotANumberIsRefused)
{
    const FixedPoint fixedPoint(16, 8, 1.0);
    EXPECT_DEATH(fixedPoint.FromBf16(0x7fc0), "not a number");
}

} // namespace
} // namespace ns3
