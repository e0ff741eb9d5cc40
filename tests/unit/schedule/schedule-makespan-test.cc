// SPDX-License-Identifier: GPL-2.0-only
// Checks the makespans of GPipe and 1F1B, as the Executor runs them, against closed forms and
// against the order's simulation. F and B are one microbatch's forward and backward time, p the
// stages, m the microbatches, c the delay per hop.

#include "schedule-runs.h"

#include "schedule/gpipe.h"
#include "schedule/one-forward-one-backward.h"
#include "schedule/order-simulation.h"
#include "units/random-stream.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

const Duration forward = Duration::Microseconds(18500);
const Duration backward = Duration::Microseconds(27400);
const Duration both = forward + backward;

StageTiming
Timing(Duration ofForward, Duration ofBackward)
{
    StageTiming timing;
    timing.forward = ofForward;
    timing.backwardInput = ofBackward;
    return timing;
}

Duration
Makespan(ScheduleOrder (*schedule)(const ScheduleRequest&),
         std::uint32_t p,
         std::uint32_t m,
         Duration hop)
{
    const std::vector<StageTiming> timing(p, Timing(forward, backward));
    return RunSchedule(OnePipeline(schedule({p, m, 1}), timing), hop).Makespan();
}

TEST(ScheduleMakespan, InfinitelyFastNetworkGivesTheClassicBubble)
{
    // (m + p - 1)(F + B): Narayanan et al., SC'21, section 2.2.1.
    for (const std::uint32_t p : {1u, 2u, 3u, 4u, 8u})
    {
        for (const std::uint32_t m : {p, 2 * p, 4 * p, 4 * p + 1})
        {
            EXPECT_EQ(Makespan(GPipe, p, m, {}), both * (m + p - 1)) << "p " << p << " m " << m;
            EXPECT_EQ(Makespan(OneForwardOneBackward, p, m, {}), both * (m + p - 1))
                << "p " << p << " m " << m;
        }
    }
}

TEST(ScheduleMakespan, GPipePaysTheHopsOnce)
{
    // (m + p - 1)(F + B) + 2 c (p - 1): once down with the forwards, once back with the backwards.
    for (const std::uint32_t p : {2u, 3u, 4u, 8u})
    {
        for (const std::uint32_t m : {p, 2 * p, 4 * p})
        {
            const Duration hop = Duration::Milliseconds(20);
            EXPECT_EQ(Makespan(GPipe, p, m, hop), both * (m + p - 1) + hop * 2 * (p - 1));
        }
    }
}

TEST(ScheduleMakespan, OneForwardOneBackwardPaysHopsWithEveryRoundOfMicrobatches)
{
    // (m + p - 1)(F + B) + 2 c [(p - 1) m / p + (p - 2)] for p >= 2 and p | m.
    for (const std::uint32_t p : {2u, 3u, 4u, 8u})
    {
        for (const std::uint32_t m : {p, 2 * p, 4 * p, 8 * p})
        {
            const Duration hop = Duration::Milliseconds(20);
            EXPECT_EQ(Makespan(OneForwardOneBackward, p, m, hop),
                      both * (m + p - 1) + hop * 2 * ((p - 1) * m / p + (p - 2)))
                << "p " << p << " m " << m;
        }
    }
}

TEST(ScheduleMakespan, OneStageHasNoBubble)
{
    EXPECT_EQ(Makespan(OneForwardOneBackward, 1, 12, Duration::Milliseconds(20)), both * 12);
    EXPECT_EQ(Makespan(GPipe, 1, 12, Duration::Milliseconds(20)), both * 12);
}

TEST(ScheduleMakespan, RandomDurationsAgreeWithTheOrdersSimulation)
{
    for (std::uint64_t seed = 1; seed <= 200; ++seed)
    {
        RandomStream random(seed, "test", "durations");
        const auto draw = [&random](int low, int high)
        { return low + static_cast<int>(random.Uniform() * (high - low + 1)); };
        const auto p = static_cast<std::uint32_t>(draw(1, 8));
        const auto m = static_cast<std::uint32_t>(draw(1, 24));
        const auto factor = static_cast<std::uint32_t>(draw(1, 3));
        std::vector<StageTiming> timing;
        for (std::uint32_t stage = 0; stage < p; ++stage)
        {
            timing.push_back(Timing(Duration::Nanoseconds(draw(1, 1000000)),
                                    Duration::Nanoseconds(draw(1, 1000000))));
        }
        const Duration hop = Duration::Nanoseconds(draw(0, 2000000));
        for (const auto& order : {GPipe({p, m, 1}), OneForwardOneBackward({p, m, factor})})
        {
            const Duration listed = SimulateOrder(order, m, {timing, {{hop, {}}}}).Makespan();
            const Duration run = RunSchedule(OnePipeline(order, timing), hop).Makespan();
            EXPECT_EQ(run, listed) << "seed " << seed << " p " << p << " m " << m;
        }
    }
}

TEST(ScheduleMakespan, DeeperWarmUpNeverTakesLongerOnASlowHop)
{
    for (const std::uint32_t factor : {2u, 3u})
    {
        const std::vector<StageTiming> timing(4, Timing(forward, backward));
        const Duration hop = Duration::Milliseconds(40);
        const auto plain = RunSchedule(OnePipeline(OneForwardOneBackward({4, 16, 1}), timing), hop);
        const auto deep =
            RunSchedule(OnePipeline(OneForwardOneBackward({4, 16, factor}), timing), hop);
        EXPECT_LT(deep.Makespan(), plain.Makespan());
    }
}

} // namespace
} // namespace geotrain
