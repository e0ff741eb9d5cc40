// SPDX-License-Identifier: GPL-2.0-only
#include "timing/compute-jitter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

namespace geotrain
{
namespace
{

const Duration oneSecond = Duration::Milliseconds(1000);

TEST(ComputeJitter, ZeroLeavesDurationsAsTheyAre)
{
    const ComputeJitter jitter(1, 0);
    EXPECT_EQ(jitter.Apply(3, 4, 5, Duration::Nanoseconds(123456789)).ToNanoseconds(), 123456789);
}

TEST(ComputeJitter, DrawsDependOnSeedWorkerIterationAndPositionOnly)
{
    const ComputeJitter jitter(1, 0.1);
    const Duration drawn = jitter.Apply(3, 4, 5, oneSecond);
    for (std::uint32_t other = 10; other < 20; ++other)
    {
        jitter.Apply(other, 4, 5, oneSecond);
    }
    EXPECT_EQ(jitter.Apply(3, 4, 5, oneSecond), drawn);
    EXPECT_NE(jitter.Apply(4, 4, 5, oneSecond), drawn);
    EXPECT_NE(jitter.Apply(3, 5, 5, oneSecond), drawn);
    EXPECT_NE(jitter.Apply(3, 4, 6, oneSecond), drawn);
    EXPECT_NE(ComputeJitter(2, 0.1).Apply(3, 4, 5, oneSecond), drawn);
}

// Factor 1 + j z: mean 1, deviation j; standard errors j/sqrt(n) and j/sqrt(2n), five of them.
TEST(ComputeJitter, HasTheDeviationThatWasAskedFor)
{
    constexpr double deviation = 0.05;
    constexpr std::uint64_t draws = 20000;
    const ComputeJitter jitter(1, deviation);
    double sum = 0;
    double squares = 0;
    for (std::uint64_t position = 0; position < draws; ++position)
    {
        const double factor = jitter.Apply(0, 0, position, oneSecond).ToSeconds();
        sum += factor - 1;
        squares += (factor - 1) * (factor - 1);
    }
    const double n = static_cast<double>(draws);
    EXPECT_NEAR(sum / n, 0, 5 * deviation / std::sqrt(n));
    EXPECT_NEAR(std::sqrt(squares / n), deviation, 5 * deviation / std::sqrt(2 * n));
}

TEST(ComputeJitter, NoDurationShrinksBelowATenth)
{
    const ComputeJitter jitter(1, 10);
    for (std::uint64_t position = 0; position < 1000; ++position)
    {
        EXPECT_GE(jitter.Apply(0, 0, position, oneSecond), Duration::Milliseconds(100));
    }
}

// Two replicas that are alike differ by some nanoseconds, and iterations of one don't.
TEST(BreakTie, AddsUpToFifteenNanosecondsByWorkerAndPosition)
{
    std::set<std::int64_t> added;
    for (std::uint32_t worker = 0; worker < 100; ++worker)
    {
        const Duration first = BreakTie(worker, 0, 7, oneSecond);
        EXPECT_EQ(BreakTie(worker, 1, 7, oneSecond), first);
        added.insert((first - oneSecond).ToNanoseconds());
    }
    EXPECT_EQ(*added.begin(), 0);
    EXPECT_EQ(*added.rbegin(), 15);
    EXPECT_EQ(added.size(), 16u);
}

TEST(ComputeJitter, RefusesADeviationThatIsNone)
{
    EXPECT_THROW(ComputeJitter(1, -0.1), std::invalid_argument);
    EXPECT_THROW(ComputeJitter(1, std::nan("")), std::invalid_argument);
    EXPECT_THROW(ComputeJitter(1, std::numeric_limits<double>::infinity()), std::invalid_argument);
}

} // namespace
} // namespace geotrain
