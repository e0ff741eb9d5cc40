// SPDX-License-Identifier: GPL-2.0-only
// Measures how fast a hand-made flow takes what it newly may.
#include "metrics/response-time.h"

#include <gtest/gtest.h>

namespace geotrain
{

namespace
{

constexpr std::int64_t second = 1'000'000'000;

/// Returns a flow of 30 s with a round trip of 40 ms, so that goodput is over 0.2 s, which gets
/// 50 Mbit/s and from 10 s on 100 Mbit/s.
trace::TransferFlow
FlowOfTwoShares()
{
    trace::TransferFlow flow;
    flow.set_stop_ns(30 * second);
    flow.set_round_trip_ns(second / 25);
    for (const auto& [from, bps] : {std::pair(std::int64_t{0}, 50e6), {10 * second, 100e6}})
    {
        auto& share = *flow.add_fair_shares();
        share.set_from_ns(from);
        share.set_bps(bps);
    }
    return flow;
}

/// Returns the series of a flow whose goodput is `mbps(t)` in the tenth of a second before t.
template <typename Goodput>
FlowSeries
SeriesOfGoodput(Goodput mbps)
{
    FlowSeries series;
    double bytes = 0;
    for (std::int64_t tenth = 1; tenth <= 300; ++tenth)
    {
        const double at = static_cast<double>(tenth) / 10;
        bytes += mbps(at) * 1e6 / 8 / 10;
        series.delivered.push_back({tenth * second / 10, bytes});
    }
    return series;
}

TEST(ResponseTime, IsUntilTheGoodputOverFiveRoundTripsIsNinetyPercent)
{
    // 60 Mbit/s up to 12.0 s, then 100: over 0.2 s it is 80 at 12.1 s and 100 at 12.2 s.
    const auto series =
        SeriesOfGoodput([](double at) { return at <= 10      ? 50.0
                                               : at <= 12.05 ? 60.0
                                                             : 100.0; });
    const auto responses = ResponsesOf(FlowOfTwoShares(), series, 30 * second);
    ASSERT_EQ(responses.size(), 1U);
    EXPECT_NEAR(responses[0], 2.2, 1e-9);
}

TEST(ResponseTime, CountsTheWholeTimeWhereItNeverComes)
{
    const auto series = SeriesOfGoodput([](double) { return 50.0; });
    EXPECT_EQ(ResponsesOf(FlowOfTwoShares(), series, 30 * second), (std::vector<double>{20}));
    EXPECT_EQ(ResponsesOf(FlowOfTwoShares(), series, 15 * second), (std::vector<double>{5}));
}

TEST(ResponseTime, OfAnOutageBeginsAtItsEnd)
{
    auto flow = FlowOfTwoShares();
    flow.add_outage_ends_ns(21 * second);
    // Nothing from 20 to 23 s; over 0.2 s it is 100 again at 23.2 s.
    const auto series = SeriesOfGoodput(
        [](double at) { return at <= 10                    ? 50.0
                               : at > 20.05 && at <= 23.05 ? 0.0
                                                           : 100.0; });
    const auto responses = ResponsesOf(flow, series, 30 * second);
    ASSERT_EQ(responses.size(), 2U);
    EXPECT_NEAR(responses[0], 0.2, 1e-9);
    EXPECT_NEAR(responses[1], 2.2, 1e-9);
}

TEST(ResponseTime, AFallingShareNeedsNoResponseAndNeitherDoMessages)
{
    auto flow = FlowOfTwoShares();
    flow.mutable_fair_shares(1)->set_bps(25e6);
    const auto series = SeriesOfGoodput([](double) { return 25.0; });
    EXPECT_TRUE(ResponsesOf(flow, series, 30 * second).empty());
    flow = FlowOfTwoShares();
    flow.set_message_bytes(1000);
    EXPECT_TRUE(ResponsesOf(flow, series, 30 * second).empty());
}

} // namespace

} // namespace geotrain
