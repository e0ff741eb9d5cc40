// SPDX-License-Identifier: GPL-2.0-only
// Tests the figures that a scenario declares: which points they have, and what they say of spread.
#include "expect-figure.h"
#include "figures/declared-figures.h"
#include "figures/spread-text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace geotrain
{
namespace
{

/// Makes a variant of a control and a buffer, of two seeds.
VariantSummary
GoodputOf(const std::string& control, const std::string& queue, double share, double halfWidth)
{
    VariantSummary variant{control + "_" + queue, {}};
    variant.summary.metrics = {{"goodput_over_capacity", share, "", halfWidth}};
    variant.values = {control, queue};
    variant.seeds = 2;
    return variant;
}

Comparison
FourGoodputs()
{
    return {{"transport.congestion_control", "wan_link[0].queue"},
            {GoodputOf("TcpCubic", "1bdp", 0.9, 0.01),
             GoodputOf("TcpCubic", "0.5bdp", 0.8, 0),
             GoodputOf("TcpBbr3", "1bdp", 0.7, 0.02),
             GoodputOf("TcpBbr3", "", 0.6, 0.02)}};
}

DeclaredFigure
GoodputByBuffer()
{
    DeclaredFigure figure;
    figure.name = "goodput";
    figure.metric = "goodput_over_capacity";
    figure.label = "Goodput (%)";
    figure.factor = 100;
    figure.across = "wan_link[0].queue";
    figure.acrossLabel = "Buffer (ms)";
    figure.acrossFactor = 40;
    figure.by = "transport.congestion_control";
    figure.lines = {{"Capacity", {}, {100}}, {"Formula", {20, 40}, {50, 60}}};
    return figure;
}

TEST(DeclaredFigureTest, HaveACurvePerControlInTheOrderOfX)
{
    const auto family = CurvesOf(FourGoodputs(), GoodputByBuffer());
    ASSERT_EQ(family.curves.size(), 2U);
    EXPECT_EQ(family.curves[0].first, "TcpCubic");
    EXPECT_EQ(family.curves[0].second, (CurvePoints{{20, 80}, {40, 90}}));
    EXPECT_EQ(family.halfWidths[0], (std::vector<double>{0, 1}));
    EXPECT_EQ(family.curves[1].second, (CurvePoints{{40, 70}})); // the other sets no buffer
}

TEST(DeclaredFigureTest, IntervalsOfSharesEndAtTheWhole)
{
    auto figure = GoodputByBuffer();
    EXPECT_EQ(CurvesOf(FourGoodputs(), figure).most, 100);
    figure.metric = "mean_queueing_delay";
    EXPECT_TRUE(std::isinf(CurvesOf(FourGoodputs(), figure).most));
}

TEST(DeclaredFigureTest, DrawLevelsOverTheWholeAxisAndFormulasAtTheirPoints)
{
    const auto family = CurvesOf(FourGoodputs(), GoodputByBuffer());
    ASSERT_EQ(family.references.size(), 2U);
    EXPECT_EQ(family.references[0].second, (CurvePoints{{20, 100}, {40, 100}}));
    EXPECT_EQ(family.references[1].second, (CurvePoints{{20, 50}, {40, 60}}));
}

TEST(DeclaredFigureTest, TakeTheVariantsThatAreMeant)
{
    auto figure = GoodputByBuffer();
    figure.where = {{"wan_link[0].queue", "0.5bdp"}};
    ASSERT_EQ(CurvesOf(FourGoodputs(), figure).curves.size(), 1U);
    figure.where = {{"wan_link[0].queue", "3bdp"}};
    EXPECT_TRUE(CurvesOf(FourGoodputs(), figure).curves.empty());
}

TEST(DeclaredFigureTest, AMapHasACellPerVariantAndEmptyOnes)
{
    auto figure = GoodputByBuffer();
    figure.isMap = true;
    const auto map = CellsOf(FourGoodputs(), figure);
    EXPECT_EQ(map.rows, (std::vector<std::string>{"TcpCubic", "TcpBbr3"}));
    EXPECT_EQ(map.columns, (std::vector<std::string>{"1bdp", "0.5bdp"}));
    EXPECT_EQ(map.values[0][0], 90);
    EXPECT_EQ(map.halfWidths[0][0], 1);
    EXPECT_FALSE(map.values[1][1].has_value());
}

TEST(DeclaredFigureTest, AnXAxisOfTextsMakesAMap)
{
    const TemporaryFolder folder;
    auto figure = GoodputByBuffer();
    std::swap(figure.by, figure.across); // names of congestion controls on the x axis
    const auto files = DrawDeclaredFigures(FourGoodputs(), {figure}, folder.Path());
    EXPECT_FALSE(files.empty());
    EXPECT_NE(Contents(folder / "goodput.gp").find("\"TcpBbr3\""), std::string::npos);
}

// A cell is written to the first digit of its interval, and losses in one way. The links of one lose
// packets at random, and lost none.
TEST(DeclaredFigureTest, CellsOfAMapHaveTheirIntervalsAndSayWhereNothingWasLost)
{
    const TemporaryFolder folder;
    auto figure = GoodputByBuffer();
    figure.isMap = true;
    Comparison comparison{{figure.by, figure.across},
                          {GoodputOf("TcpCubic", "0", 0.01, 0),
                           GoodputOf("TcpCubic", "0.0001", 0.011, 4.3e-6),
                           GoodputOf("TcpCubic", "0.001", 0.02, 3.62e-4)}};
    auto& missed = comparison.variants[0].summary;
    missed.header.mutable_wan_conditions()->set_loss(1e-5);
    missed.metrics.push_back({"dropped_packets", 0, ""});
    DrawDeclaredFigures(comparison, {figure}, folder.Path());
    const auto script = Contents(folder / "goodput.gp");
    for (const std::string part : {"\"2.00\" \"± 0.04\"",
                                   "\"1.10\" \"± <0.01\"",
                                   "\"1.00*\" \"\"",
                                   "\"1e-4\"",
                                   "\"1e-3\"",
                                   "\"0\"",
                                   "(*: no packet lost)"})
    {
        EXPECT_NE(script.find(part), std::string::npos) << part << script;
    }
    EXPECT_EQ(script.find("0.00043\""), std::string::npos);
}

TEST(DeclaredFigureTest, ValuesOverThoseOfOtherVariantsAreRatiosWithoutIntervals)
{
    auto figure = GoodputByBuffer();
    figure.over = {{"transport.congestion_control", "TcpCubic"}};
    const auto family = CurvesOf(FourGoodputs(), figure);
    ASSERT_EQ(family.curves.size(), 1U); // TcpCubic over itself is no curve
    EXPECT_EQ(family.curves[0].first, "TcpBbr3");
    ASSERT_EQ(family.curves[0].second.size(), 1U);
    EXPECT_DOUBLE_EQ(family.curves[0].second[0].second, 70 / 0.9); // the figure's factor is 100
    EXPECT_EQ(family.halfWidths[0], (std::vector<double>{0}));
    EXPECT_TRUE(std::isinf(family.most)); // a ratio of shares may be more than the whole
}

TEST(DeclaredFigureTest, TheVariantThatOthersAreOverMayHaveOtherValuesThanWhereAsks)
{
    auto figure = GoodputByBuffer();
    figure.where = {{"wan_link[0].queue", "1bdp"}};
    figure.over = {{"wan_link[0].queue", "0.5bdp"}};
    const auto family = CurvesOf(FourGoodputs(), figure);
    ASSERT_EQ(family.curves.size(), 1U);
    EXPECT_DOUBLE_EQ(family.curves[0].second.at(0).second, 90 / 0.8);
    EXPECT_EQ(VariantsFor(FourGoodputs(), figure), (std::vector<std::size_t>{0, 2, 1}));
}

TEST(DeclaredFigureTest, AMetricOnTheXAxisKeepsTheOrderOfItsField)
{
    auto comparison = FourGoodputs();
    comparison.variants[0].summary.metrics.push_back({"mean_queueing_delay", 0.01, "s", 0});
    comparison.variants[1].summary.metrics.push_back({"mean_queueing_delay", 0.03, "s", 0});
    auto figure = GoodputByBuffer();
    figure.acrossMetric = "mean_queueing_delay";
    figure.acrossFactor = 1000;
    const auto family = CurvesOf(comparison, figure);
    ASSERT_EQ(family.curves.size(), 1U); // the other control has no such metric
    EXPECT_EQ(family.curves[0].second, (CurvePoints{{30, 80}, {10, 90}}));
}

TEST(DeclaredFigureTest, NamedVariantsAreShownInTheOrderOfTheirNames)
{
    auto figure = GoodputByBuffer();
    figure.content = FigureContent::Bars;
    figure.variants = {"TcpBbr3_1bdp", "TcpCubic_1bdp", "none"};
    EXPECT_EQ(VariantsFor(FourGoodputs(), figure), (std::vector<std::size_t>{2, 0}));
}

TEST(DeclaredFigureTest, PublishedPointsStandBesideTheCurves)
{
    auto figure = GoodputByBuffer();
    figure.published = {{"RFC 0", {{20, 85}}}};
    EXPECT_EQ(CurvesOf(FourGoodputs(), figure).published.at(0).points, (CurvePoints{{20, 85}}));
}

TEST(SpreadText, SaysWhatHasNoSpread)
{
    EXPECT_EQ(SpreadText({{1, 0}, {1, 0}}), "one seed, so no intervals");
    EXPECT_EQ(SpreadText({{5, 1}, {5, 2}}), "means and 95 % intervals of 5 seeds");
    EXPECT_EQ(SpreadText({{5, 1}, {5, 0}}),
              "means and 95 % intervals of 5 seeds, which agree at 1 of 2 points");
    EXPECT_EQ(SpreadText({{5, 0}, {5, 0}}), "means of 5 seeds, which agree at every point");
    // One seed does not agree with itself.
    EXPECT_EQ(SpreadText({{3, 1}, {1, 0}, {1, 0}}),
              "means and 95 % intervals of 3 seeds; one seed at 2 of 3 points");
}

} // namespace
} // namespace geotrain
