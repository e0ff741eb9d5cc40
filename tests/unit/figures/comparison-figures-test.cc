// SPDX-License-Identifier: GPL-2.0-only
// Tests which figures a comparison gets from its variants alone.
#include "figures/answers.h"
#include "figures/comparison-figure.h"
#include "figures/comparison-figures.h"
#include "figures/figure.h"
#include "figures/number-with-unit.h"
#include "figures/sweeps.h"
#include "temporary-folder.h"
#include "trace/trace-error.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <optional>

namespace geotrain
{
namespace
{

const std::string fiveMs = "5ms";
const std::string fiftyMs = "50ms";
const std::string unset;

/// Makes a variant of a training run.
VariantSummary
Trained(const std::string& name, double seconds, std::vector<std::string> values)
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

/// Returns the sweep over `field`; fails the test where there is none.
Sweep
SweepOver(const Comparison& comparison, const std::string& field)
{
    for (const auto& sweep : SweepsOf(comparison))
    {
        if (sweep.field == field)
        {
            return sweep;
        }
    }
    ADD_FAILURE() << "no sweep over " << field;
    return {};
}

// x is twice the delay, rising; a series is variants that differ in nothing else.
TEST(Sweeps, OverDelaysAreCurvesOverRoundTrips)
{
    const Comparison comparison{{"wan_link[*].delay", "schedule.name", "parallelism.across"},
                                {Trained("x-rtt100ms", 4, {fiftyMs, "1f1b", unset}),
                                 Trained("x-rtt10ms", 3, {fiveMs, "1f1b", unset}),
                                 Trained("dp-rtt10ms", 7, {fiveMs, "1f1b", "REPLICAS"}),
                                 Trained("plain", 1, {unset, unset, unset})}};
    const auto sweep = SweepOver(comparison, roundTripField);
    EXPECT_EQ(sweep.values, (std::vector<double>{10, 100}));
    EXPECT_EQ(sweep.label, "Round trip of a WAN link (ms)");
    ASSERT_EQ(sweep.series.size(), 2U);
    EXPECT_EQ(sweep.series[0].name, "1f1b");
    EXPECT_EQ(sweep.series[0].variants, (std::map<double, std::size_t>{{10, 1}, {100, 0}}));
    EXPECT_EQ(sweep.series[1].name, "dp"); // the start of its name up to the last hyphen
    const auto family = CurvesOf(comparison, sweep, {"iteration_time", "Iteration time (s)"});
    EXPECT_EQ(family.curves[0].second, (CurvePoints{{10, 3}, {100, 4}}));
    EXPECT_EQ(family.curves[1].second, (CurvePoints{{10, 7}}));
}

// The swept number is the first, a middle or the last part of a title.
TEST(Sweeps, OfAProductAreNamedByAllThatTheirVariantsShare)
{
    Comparison comparison{{"wan_link[0].delay", "model.microbatches", "schedule.name"}, {}};
    for (const std::string delay : {"5", "10", "20"})
    {
        for (const std::string microbatches : {"2", "4", "8"})
        {
            for (const std::string schedule : {"gpipe", "1f1b"})
            {
                comparison.variants.push_back(
                    Trained("v", 1, {delay + "ms", microbatches, schedule}));
                comparison.variants.back().title =
                    "delay " + delay + " ms, microbatches " + microbatches + ", " + schedule;
            }
        }
    }
    const auto distance = SweepOver(comparison, roundTripField);
    ASSERT_EQ(distance.series.size(), 6U);
    EXPECT_EQ(distance.series[1].name, "microbatches 2, 1f1b");
    const auto microbatches = SweepOver(comparison, "microbatches");
    ASSERT_EQ(microbatches.series.size(), 6U);
    EXPECT_EQ(microbatches.series[0].name, "delay 5 ms, gpipe");
}

// "8" alone would not say what there are eight of.
TEST(Sweeps, ASeriesOfOneNumberIsNamedByItsFieldToo)
{
    Comparison comparison{{"transport.connections", "model.microbatch_size"}, {}};
    for (const std::string connections : {"1", "2", "4"})
    {
        for (const std::string size : {"8", "16"})
        {
            comparison.variants.push_back(Trained("v", 1, {connections, size}));
        }
    }
    const auto sweep = SweepOver(comparison, "connections");
    ASSERT_EQ(sweep.series.size(), 2U);
    EXPECT_EQ(sweep.series[0].name, "microbatch size 8");
    EXPECT_EQ(sweep.series[1].name, "microbatch size 16");
}

TEST(NumberWithUnit, TextsOfAnAxisAreOfOneKind)
{
    using Texts = std::vector<std::string>;
    EXPECT_EQ(TextsOfNumbers({0, 0.001, 0.25}), (Texts{"0", "0.001", "0.25"}));
    EXPECT_EQ(TextsOfNumbers({0, 1e-5, 1e-3, 2.5e-2}), (Texts{"0", "1e-5", "1e-3", "2.5e-2"}));
}

TEST(Sweeps, NeedTwoRoundTripsByOnePath)
{
    EXPECT_TRUE(SweepsOf({{"mtu"}, {Trained("a", 4, {"1500"})}}).empty());
    EXPECT_TRUE(SweepsOf({{"wan_link[0].delay"}, {Trained("a", 4, {fiveMs})}}).empty());
    EXPECT_TRUE(SweepsOf({{"wan_link[0].delay", "wan_link[1].delay"},
                          {Trained("a", 4, {fiveMs, fiftyMs}), Trained("b", 4, {fiftyMs, fiveMs})}})
                    .empty());
}

TEST(Sweeps, OverAnyNumberNeedThreeOfIt)
{
    Comparison comparison{{"transport.connections"},
                          {Trained("a", 4, {"1"}), Trained("b", 3, {"20"})}};
    EXPECT_TRUE(SweepsOf(comparison).empty());
    comparison.variants.push_back(Trained("c", 2, {"200"}));
    const auto sweep = SweepOver(comparison, "connections");
    ASSERT_EQ(sweep.series.size(), 1U);
    EXPECT_EQ(sweep.series[0].name, ""); // a single curve needs no legend
    comparison.variants[1].summary.metrics[0].halfWidth = 0.5;
    const auto family = CurvesOf(comparison, sweep, {"iteration_time", "Iteration time (ms)", 1e3});
    EXPECT_EQ(family.curves[0].second, (CurvePoints{{1, 4000}, {20, 3000}, {200, 2000}}));
    EXPECT_EQ(family.halfWidths[0], (std::vector<double>{0, 500, 0}));
    EXPECT_TRUE(family.logX);  // 200 >= 10 x 1
    EXPECT_FALSE(family.logY); // 4 < 10 x 2
    comparison.variants[2].summary.metrics[0].value = 0.4;
    EXPECT_TRUE(CurvesOf(comparison, sweep, {"iteration_time", "t (s)"}).logY); // 4 >= 10 x 0.4
}

TEST(Sweeps, LeaveOutWordsAndMixedUnits)
{
    const auto sweeps = [](const std::string& a, const std::string& b, const std::string& c)
    {
        return SweepsOf({{"x"}, {Trained("a", 1, {a}), Trained("b", 1, {b}), Trained("c", 1, {c})}})
            .size();
    };
    EXPECT_EQ(sweeps("1Gbps", "500Mbps", "0.1Gbps"), 1U);
    EXPECT_EQ(sweeps("0", "5ms", "1s"), 1U);
    EXPECT_EQ(sweeps("1bdp", "2bdp", "4bdp"), 1U);
    EXPECT_EQ(sweeps("1bdp", "2bdp", "4MB"), 0U);
    EXPECT_EQ(sweeps("gpipe", "1f1b", "zb-h1"), 0U);
}

TEST(NumberWithUnit, HasOneUnitPerQuantity)
{
    EXPECT_DOUBLE_EQ(ParseNumberWithUnit("20us")->value, 0.02);
    EXPECT_EQ(ParseNumberWithUnit("2s")->unit, "ms");
    EXPECT_DOUBLE_EQ(ParseNumberWithUnit("500Mbps")->value, 0.5);
    EXPECT_DOUBLE_EQ(ParseNumberWithUnit("1MiB")->value, 1.048576);
    EXPECT_EQ(ParseNumberWithUnit("1e-4")->unit, "");
    EXPECT_FALSE(ParseNumberWithUnit("1f1b"));
    EXPECT_FALSE(ParseNumberWithUnit(""));
    EXPECT_FALSE(ParseNumberWithUnit("cubic"));
}

TEST(ComparisonFigures, TrainingOverRoundTripsGetsCurvesAndTheTimelinesOfTheLongest)
{
    const auto figures = DecideFigures(
        {{"wan_link[*].delay"}, {Trained("near", 3, {fiveMs}), Trained("far", 4, {fiftyMs})}});
    EXPECT_TRUE(figures.ofTraining);
    EXPECT_TRUE(figures.alike.empty());
    ASSERT_EQ(figures.sweeps.size(), 1U); // these variants have no utilisation
    EXPECT_EQ(figures.sweeps[0].first, "round-trips");
    ASSERT_EQ(figures.timelines.size(), 1U);
    EXPECT_EQ(figures.timelines[0].trace, "far/trace.pb");
    EXPECT_EQ(figures.timelinesSetting, "WAN round trip 100 ms");
}

/// Returns a product of two varied fields, of which the time is their product.
Comparison
Product(const std::vector<std::string>& connections, const std::vector<std::string>& sharings)
{
    Comparison comparison{{"transport.connections", "sharing"}, {}};
    for (const auto& number : connections)
    {
        for (const auto& sharing : sharings)
        {
            comparison.variants.push_back(Trained(
                number + sharing, std::stod(number) * (sharing == "A" ? 1 : 3), {number, sharing}));
        }
    }
    return comparison;
}

TEST(ComparisonFigures, TwoVariedFieldsGetAMatrix)
{
    auto comparison = Product({"1", "2", "5"}, {"A", "B"});
    const auto matrix = DecideFigures(comparison).matrix;
    ASSERT_TRUE(matrix);
    EXPECT_EQ(matrix->by, "sharing"); // the field of more values is the axis of more room
    EXPECT_EQ(matrix->acrossLabel, "Connections per node pair");
    EXPECT_TRUE(matrix->logShades); // 15 >= 10 x 1
    const auto map = CellsOf(comparison, *matrix);
    EXPECT_EQ(map.columns, (std::vector<std::string>{"1", "2", "5"}));
    EXPECT_EQ(map.rows, (std::vector<std::string>{"A", "B"}));
    EXPECT_EQ(map.yLabel, "Sharing");
    EXPECT_EQ(map.values[1][2], 15);
    comparison.variants.resize(4); // of six cells: fewer than three quarters, once "5" has one
    comparison.variants.back().values = {"5", "B"};
    EXPECT_FALSE(DecideFigures(comparison).matrix);
    EXPECT_FALSE(DecideFigures(Product({"1", "2", "5"}, {"A"})).matrix);
}

/// Returns the answers of times by connections.
std::vector<std::string>
AnswersOfTimes(const std::vector<std::pair<std::string, double>>& times,
               const std::string& path = "transport.connections")
{
    Comparison comparison{{path}, {}};
    for (const auto& [number, seconds] : times)
    {
        comparison.variants.push_back(Trained(number, seconds, {number}));
    }
    return AnswersOf(comparison);
}

// The speed is 1 / time: 2 / 2.2 = 91 %, 2 / 4 = 50 %, 4 / 4.2 = 95 %.
TEST(Answers, SayWhichNumberIsEnough)
{
    using Answers = std::vector<std::string>;
    EXPECT_EQ(AnswersOfTimes({{"1", 20}, {"5", 4}, {"10", 2.2}, {"20", 2}}),
              Answers{"connections per node pair: 10 reaches 91 % of the speed at 20"});
    EXPECT_EQ(AnswersOfTimes({{"1", 20}, {"5", 4}, {"20", 2}}),
              Answers{"connections per node pair: 20 is the fastest; 5 reaches 50 % of its speed"});
    EXPECT_EQ(AnswersOfTimes({{"1ms", 4}, {"5ms", 4.2}, {"50ms", 40}}, "wan_link[*].delay"),
              Answers{"round trip of a WAN link: up to 10 ms keeps 95 % of the speed at 2 ms"});
    EXPECT_EQ(AnswersOfTimes({{"500", 4}, {"1500", 2.1}, {"9000", 2}}, "mtu"),
              Answers{"MTU: 1500 reaches 95 % of the speed at 9000"});
    // The least of those that are equally fast is the best.
    EXPECT_EQ(AnswersOfTimes({{"1", 20}, {"5", 2}, {"20", 2}}),
              Answers{"connections per node pair: 5 is the fastest; 1 reaches 10 % of its speed"});
}

TEST(Answers, NameTheSeriesOrTheFastest)
{
    const auto answers = AnswersOf(Product({"1", "2", "5"}, {"A", "B"}));
    ASSERT_EQ(answers.size(), 2U);
    EXPECT_EQ(answers[1],
              "connections per node pair, B: 1 is the fastest; 2 keeps 50 % of its speed");
    EXPECT_EQ(
        AnswersOf({{"schedule"}, {Trained("slow", 6, {"gpipe"}), Trained("fast", 2, {"1f1b"})}}),
        std::vector<std::string>{"fast is the fastest: 3 times as fast as slow"});
    // 2.01 s are within a per cent of 2 s, and 2.03 are not.
    EXPECT_EQ(
        AnswersOf({{"schedule"},
                   {Trained("slow", 6, {"gpipe"}),
                    Trained("a", 2.01, {"1f1b"}),
                    Trained("b", 2.03, {"zb-h1"}),
                    Trained("c", 2, {"zb-2p"})}}),
        std::vector<std::string>{"a and c are the fastest, within 1 %: 3 times as fast as slow"});
    EXPECT_TRUE(
        AnswersOf({{"schedule"}, {Trained("a", 2, {"gpipe"}), Trained("b", 2, {"1f1b"})}}).empty());
    EXPECT_TRUE(AnswersOf({{}, {Trained("alone", 2, {})}}).empty());
}

TEST(ComparisonFigures, TrainingAtOneRoundTripHasNone)
{
    const auto figures =
        DecideFigures({{"mtu"}, {Trained("a", 3, {"1500"}), Trained("b", 3, {"9000"})}});
    EXPECT_TRUE(figures.ofTraining);
    EXPECT_TRUE(figures.sweeps.empty());
    EXPECT_TRUE(figures.timelines.empty());
}

TEST(ComparisonFigures, VariantsAreChosenByNameOrTitle)
{
    auto variants = std::vector{Trained("a", 1, {}), Trained("b", 1, {}), Trained("c", 1, {})};
    variants[1].title = "1F1B, 20 connections";
    const auto chosen = [&](const std::vector<std::string>& wanted)
    {
        std::string names;
        for (const auto& variant : ChooseVariants(variants, wanted))
        {
            names += variant.variant;
        }
        return names;
    };
    EXPECT_EQ(chosen({"a"}), "a");
    EXPECT_EQ(chosen({"c,a"}), "ac"); // in the order of the comparison
    EXPECT_EQ(chosen({"1F1B, 20 connections,c"}), "bc");
    EXPECT_EQ(chosen({"a", "b"}), "ab");
    EXPECT_THROW(chosen({"a,x"}), TraceError);
    EXPECT_THROW(chosen({","}), TraceError);
}

TEST(ComparisonFigures, TransfersGetTheWindowsOfControlsThatAreAlikeInAllElse)
{
    const auto figures = DecideFigures({{"transport.congestion_control"},
                                        {Transferred("TcpCubic", "1bdp"),
                                         Transferred("TcpBbr", "1bdp"),
                                         Transferred("TcpBbr", "2bdp")}});
    EXPECT_FALSE(figures.ofTraining);
    EXPECT_TRUE(figures.sweeps.empty());
    ASSERT_EQ(figures.alike.size(), 2U);
    EXPECT_EQ(figures.alike[0].title, "TcpCubic");
    EXPECT_EQ(figures.alike[1].trace, "TcpBbr-1bdp/trace.pb");
}

// A star of two sweeps: its centre is in both.
TEST(ComparisonFigures, ControlsAreComparedWhereSweepsCross)
{
    Comparison comparison{{"transport.congestion_control"}, {}};
    for (const std::string control : {"TcpCubic", "TcpBbr"})
    {
        for (const auto* queue : {"2bdp", "1bdp", "0.5bdp", "1bdp"})
        {
            comparison.variants.push_back(Transferred(control, queue));
        }
    }
    const auto alike = DecideFigures(comparison).alike;
    ASSERT_EQ(alike.size(), 2U);
    EXPECT_EQ(alike[0].trace, "TcpCubic-1bdp/trace.pb");
    EXPECT_EQ(alike[1].trace, "TcpBbr-1bdp/trace.pb");
    comparison.variants.resize(4);
    EXPECT_TRUE(DecideFigures(comparison).alike.empty()); // one control alone
}

TEST(ComparisonFigures, SayWhichResultsAreNotToBeTrusted)
{
    Comparison comparison{{}, {Trained("a", 1, {}), Trained("b", 2, {}), Trained("c", 2, {})}};
    EXPECT_EQ(CautionOf(comparison), "");
    trace::Record late;
    late.mutable_warning()->set_text("the live WAN did not keep up: 3 packets were late");
    comparison.variants[1].summary.Take(late);
    EXPECT_EQ(CautionOf(comparison), "");
    late.mutable_warning()->set_untrusted(true);
    comparison.variants[1].summary.Take(late);
    EXPECT_EQ(CautionOf(comparison), "Not to be trusted: b (the live WAN did not keep up)");
    const TemporaryFolder folder;
    FigureChoices choices;
    choices.formats = {"svg"};
    choices.title = ""; // takes titles away, and not this
    DrawComparison(comparison.variants,
                   FigurePlace(folder / "plain", &choices).WithCaution(CautionOf(comparison)));
    std::ifstream script(folder / "plain.gp");
    const std::string text{std::istreambuf_iterator<char>(script), {}};
    EXPECT_NE(text.find("Not to be trusted: b (the live WAN"), std::string::npos) << text;
    comparison.variants[0].summary.Take(late);
    comparison.variants[2].summary.Take(late);
    EXPECT_EQ(CautionOf(comparison),
              "Not to be trusted: 3 of 3 variants (the live WAN did not keep up)");
}

TEST(ComparisonFigures, NothingIsDrawnWithoutVariants)
{
    EXPECT_TRUE(
        DrawComparisonFigures({{"mtu"}, {}}, FigurePlace("there-is-no-such-folder")).empty());
    EXPECT_FALSE(std::filesystem::exists("there-is-no-such-folder"));
}

/// Returns the x of the label `text` in the script; nothing where there is none.
std::optional<double>
PlaceOfLabel(const std::string& script, const std::string& text)
{
    const std::string label = "set label '" + text + "' at first ";
    const auto found = script.find(label);
    return found == std::string::npos
               ? std::nullopt
               : std::optional(std::stod(script.substr(found + label.size())));
}

// Training's share ends at 10 %, its interval begins at 6 and ends at 14 %.
TEST(ComparisonFigure, NumbersOfSharesStandBesideIntervals)
{
    TemporaryFolder folder;
    const auto script = [&](double halfWidth)
    {
        auto variant = Trained("a", 1, {});
        variant.summary.metrics.push_back({"gpu_utilization", 0.1, "", halfWidth});
        variant.summary.metrics.push_back({"idle_wan_congestion", 0.6, "", 0.01});
        variant.summary.metrics.push_back({"idle_wan_propagation", 0.3, ""});
        DrawComparison({variant}, FigurePlace(folder.Path() / "comparison"));
        std::ifstream file(folder.Path() / "comparison.gp");
        return std::string{std::istreambuf_iterator<char>(file), {}};
    };
    EXPECT_EQ(PlaceOfLabel(script(0), "10"), 5);
    EXPECT_EQ(PlaceOfLabel(script(0), "60"), 40);
    EXPECT_EQ(PlaceOfLabel(script(0.04), "60"), 40);
    const auto beside = PlaceOfLabel(script(0.04), "10");
    ASSERT_TRUE(beside);
    EXPECT_LT(*beside, 5);
    EXPECT_GT(*beside, 0);
    EXPECT_FALSE(PlaceOfLabel(script(0.09), "10")); // covered
    EXPECT_EQ(PlaceOfLabel(script(0.09), "60"), 40);
}

// A bar has one interval, that of training and fillers together.
TEST(ComparisonFigure, TheIntervalOfABarIsOfItsTotal)
{
    TemporaryFolder folder;
    auto variant = Trained("a", 1, {});
    variant.summary.metrics.push_back({"gpu_utilization", 0.5, "", 0.01});
    variant.summary.metrics.push_back({"fill_utilization", 0.25, "", 0.05});
    variant.summary.metrics.push_back({"total_utilization", 0.75, "", 0.04});
    DrawComparison({variant}, FigurePlace(folder.Path() / "comparison"));
    std::ifstream file(folder.Path() / "comparison.gp");
    const std::string script{std::istreambuf_iterator<char>(file), {}};
    const auto first = script.find("with vectors heads");
    ASSERT_NE(first, std::string::npos);
    const auto second = script.find("with vectors heads", first + 1);
    EXPECT_EQ(script.find("with vectors heads", second + 1), std::string::npos); // white, and black
    EXPECT_NE(script.find("\"a\" 0 75 4\n"), std::string::npos) << script;
}

/// Returns the script of the comparison of two times.
std::string
ScriptOfTimes(double first, double second, std::optional<bool> log = {})
{
    TemporaryFolder folder;
    FigureChoices choices;
    choices.formats = {"svg"};
    choices.logAxes = log;
    DrawComparison({Trained("a", first, {}), Trained("b", second, {})},
                   FigurePlace(folder.Path() / "comparison", &choices));
    std::ifstream file(folder.Path() / "comparison.gp");
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ComparisonFigure, TimesThatSpanADecadeAreOnALogarithmicAxis)
{
    EXPECT_EQ(ScriptOfTimes(1, 9.9).find("logscale"), std::string::npos);
    EXPECT_NE(ScriptOfTimes(1, 10).find("set logscale x"), std::string::npos);
    EXPECT_EQ(ScriptOfTimes(1, 10, false).find("logscale"), std::string::npos);
    EXPECT_NE(ScriptOfTimes(1, 2, true).find("set logscale x"), std::string::npos);
    EXPECT_EQ(ScriptOfTimes(0, 2, true).find("logscale"), std::string::npos); // log of 0
}

TEST(LogAxes, HaveTicksWhereNumbersAre)
{
    EXPECT_EQ(
        LogAxis("y", 1.5, 26),
        "set logscale y\nset yrange [1.304:29.9]\nset ytics ('2' 2, '5' 5, '10' 10, '20' 20)\n");
    EXPECT_NE(LogAxis("x", 1e-5, 1).find("('1e-5' 1e-05, '1e-4' 0.0001,"), std::string::npos);
}

} // namespace
} // namespace geotrain
