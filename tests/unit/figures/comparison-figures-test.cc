// SPDX-License-Identifier: GPL-2.0-only
// Tests which figures a comparison gets from its variants alone.
#include "figures/comparison-figures.h"
#include "figures/round-trips.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

const VariedValue fiveMs{"5ms", 0.005};
const VariedValue fiftyMs{"50ms", 0.05};
const VariedValue unset{"", std::nullopt};

VariedValue
Text(const std::string& text)
{
    return {text, std::nullopt};
}

/// Makes a variant of a training run.
VariantSummary
Trained(const std::string& name, double seconds, std::vector<VariedValue> values)
{
    VariantSummary variant{name, {}};
    variant.summary.metrics = {{"iteration_time", seconds, "s"}};
    variant.values = std::move(values);
    variant.trace = name + "/trace.pb";
    return variant;
}

/// Makes a variant of bulk messages.
VariantSummary
Transferred(const std::string& control, const std::string& queue)
{
    VariantSummary variant{control + "-" + queue, {}};
    variant.summary.header.mutable_transfers()->set_bytes(1000000);
    variant.summary.header.set_congestion_control(control);
    variant.summary.header.mutable_wan_conditions()->set_queue(queue);
    variant.summary.metrics = {{"completion_time_p50", 1, "s"}};
    variant.trace = variant.variant + "/trace.pb";
    return variant;
}

// Bars have a group per round trip (twice the delay), rising, and a series per set of variants that
// differ in nothing else.
TEST(RoundTrips, GroupVariantsByTwiceTheDelay)
{
    const Comparison comparison{{"wan_link[*].delay", "schedule.name", "parallelism.across"},
                                {Trained("x-rtt100ms", 4, {fiftyMs, Text("1f1b"), unset}),
                                 Trained("x-rtt10ms", 3, {fiveMs, Text("1f1b"), unset}),
                                 Trained("dp-rtt10ms", 7, {fiveMs, Text("1f1b"), Text("REPLICAS")}),
                                 Trained("plain", 1, {unset, unset, unset})}};
    const auto compared = CompareRoundTrips(comparison);
    ASSERT_TRUE(compared);
    const auto& bars = compared->iterationTimes;
    EXPECT_EQ(bars.groups, (std::vector<std::string>{"10", "100"}));
    ASSERT_EQ(bars.series.size(), 2U);
    EXPECT_EQ(bars.series[0].name, "1f1b");
    EXPECT_EQ(bars.series[0].values, (std::vector<std::optional<double>>{3, 4}));
    EXPECT_EQ(bars.series[1].name, "dp"); // the start of its name up to the last hyphen
    EXPECT_EQ(bars.series[1].values, (std::vector<std::optional<double>>{7, std::nullopt}));
    ASSERT_EQ(compared->atTheLongest.size(), 1U);
    EXPECT_EQ(compared->atTheLongest[0].second, 0U);
}

TEST(RoundTrips, NeedTwoOfThemByOnePath)
{
    EXPECT_FALSE(CompareRoundTrips({{"mtu"}, {Trained("a", 4, {Text("1500")})}}));
    EXPECT_FALSE(CompareRoundTrips({{"wan_link[0].delay"}, {Trained("a", 4, {fiveMs})}}));
    EXPECT_FALSE(CompareRoundTrips(
        {{"wan_link[0].delay", "wan_link[1].delay"},
         {Trained("a", 4, {fiveMs, fiftyMs}), Trained("b", 4, {fiftyMs, fiveMs})}}));
}

TEST(ComparisonFigures, TrainingOverRoundTripsGetsBarsAndTheTimelinesOfTheLongest)
{
    const auto figures = DecideFigures(
        {{"wan_link[*].delay"}, {Trained("near", 3, {fiveMs}), Trained("far", 4, {fiftyMs})}});
    EXPECT_TRUE(figures.ofTraining);
    EXPECT_TRUE(figures.congestion.empty());
    ASSERT_TRUE(figures.roundTrips);
    EXPECT_EQ(figures.roundTrips->series.size(), 1U);
    ASSERT_EQ(figures.timelines.size(), 1U);
    EXPECT_EQ(figures.timelines[0].trace, "far/trace.pb");
    EXPECT_EQ(figures.timelinesSetting, "WAN round trip 100 ms");
}

TEST(ComparisonFigures, TrainingAtOneRoundTripHasNone)
{
    const auto figures = DecideFigures(
        {{"mtu"}, {Trained("a", 3, {Text("1500")}), Trained("b", 3, {Text("9000")})}});
    EXPECT_TRUE(figures.ofTraining);
    EXPECT_FALSE(figures.roundTrips);
    EXPECT_TRUE(figures.timelines.empty());
}

TEST(ComparisonFigures, TransfersGetTheWindowsOfControlsThatAreAlikeInAllElse)
{
    const auto figures = DecideFigures({{"transport.congestion_control"},
                                        {Transferred("TcpCubic", "1bdp"),
                                         Transferred("TcpBbr", "1bdp"),
                                         Transferred("TcpBbr", "2bdp")}});
    EXPECT_FALSE(figures.ofTraining);
    EXPECT_FALSE(figures.roundTrips);
    ASSERT_EQ(figures.congestion.size(), 2U);
    EXPECT_EQ(figures.congestion[0].name, "TcpCubic");
    EXPECT_EQ(figures.congestion[1].trace, "TcpBbr-1bdp/trace.pb");
}

TEST(ComparisonFigures, NothingIsDrawnWithoutVariants)
{
    EXPECT_TRUE(DrawComparisonFigures({{"mtu"}, {}}, FigurePlace("there-is-no-such-folder")).empty());
    EXPECT_FALSE(std::filesystem::exists("there-is-no-such-folder"));
}

} // namespace
} // namespace geotrain
