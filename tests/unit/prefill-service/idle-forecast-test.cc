// SPDX-License-Identifier: GPL-2.0-only
// Work that runs whenever a worker is idle ends when the forecast bubbles have held as much of it.
#include "instants.h"
#include "prefill-service/idle-forecast.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

constexpr auto milli = Duration::Milliseconds;

/// Bubbles of [10, 20) and [40, 60) ms in an iteration of 100 ms, and of the next one.
IdleForecast
Forecast()
{
    std::vector<Bubble> bubbles;
    for (const std::uint32_t ahead : {0u, 1u})
    {
        for (const auto& [start, end, endsWith] : {std::tuple{10, 20, 1u}, {40, 60, 4u}})
        {
            Bubble bubble;
            bubble.start = bubble.latestStart = AtMs(start + 100 * ahead);
            bubble.end = bubble.earliestEnd = AtMs(end + 100 * ahead);
            bubble.iterationsAhead = ahead;
            bubble.endsWith = endsWith;
            bubbles.push_back(bubble);
        }
    }
    IdleForecast forecast;
    forecast.Set(bubbles, milli(100));
    return forecast;
}

TEST(IdleForecast, AddsUpBubbles)
{
    const IdleForecast forecast = Forecast();
    EXPECT_EQ(forecast.EndOf(AtMs(0), milli(4)), AtMs(14));
    EXPECT_EQ(forecast.EndOf(AtMs(12), milli(4)), AtMs(16));
    EXPECT_EQ(forecast.EndOf(AtMs(12), milli(9)), AtMs(41));   // 8 ms, and 1 of the next
    EXPECT_EQ(forecast.EndOf(AtMs(25), milli(20)), AtMs(60));  // the whole of the second
    EXPECT_EQ(forecast.EndOf(AtMs(25), milli(21)), AtMs(111)); // and of the iteration after
}

TEST(IdleForecast, RepeatsItsLastIteration)
{
    const IdleForecast forecast = Forecast();
    // 60 ms are forecast; each further iteration has 30.
    EXPECT_EQ(forecast.EndOf(AtMs(0), milli(60)), AtMs(160));
    EXPECT_EQ(forecast.EndOf(AtMs(0), milli(61)), AtMs(211));
    EXPECT_EQ(forecast.EndOf(AtMs(0), milli(60 + 30 * 7 + 15)), AtMs(900 + 45));
    EXPECT_EQ(forecast.EndOf(AtMs(315), milli(4)), AtMs(319));
    EXPECT_EQ(forecast.EndOf(AtMs(315), milli(6)), AtMs(341));
}

TEST(IdleForecast, CountsOnABubbleFromItsLatestStartToItsEarliestEnd)
{
    Bubble bubble;
    bubble.start = AtMs(10);
    bubble.latestStart = AtMs(13);
    bubble.earliestEnd = AtMs(18);
    bubble.end = AtMs(20);
    bubble.endsWith = 2;
    IdleForecast forecast;
    forecast.Set({bubble}, milli(30));
    EXPECT_EQ(forecast.EndOf(AtMs(0), milli(5)), AtMs(18));
    EXPECT_EQ(forecast.EndOf(AtMs(0), milli(6)),
              Instant::Never()); // no iteration after it is known
    EXPECT_EQ(forecast.Longest(), milli(5));
    EXPECT_EQ(forecast.EarliestEnd(2), AtMs(18));
    EXPECT_FALSE(forecast.EarliestEnd(1));
}

TEST(IdleForecast, WhereNothingIsForecastAWorkerIsTakenToBeIdle)
{
    EXPECT_EQ(IdleForecast().EndOf(AtMs(3), milli(4)), AtMs(7));
}

} // namespace
} // namespace geotrain
