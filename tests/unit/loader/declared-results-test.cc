// SPDX-License-Identifier: GPL-2.0-only
// Reads the figures and criteria that a scenario declares, and refuses those that can't be.
#include "error-text.h"
#include "loader/declared-results.h"

#include <gtest/gtest.h>

namespace geotrain
{

namespace
{

ScenarioText
Declares(const std::string& text)
{
    return {"mine.textproto", ".", text};
}

std::string
FigureWith(const std::string& more)
{
    return "figure { name: \"a\" metric: \"goodput\" label: \"Goodput\" across: \"mtu\" "
           "across_label: \"MTU\" " +
           more + " }\n";
}

std::string
CriterionWith(const std::string& more)
{
    return "criterion { what: \"Goodput\" metric: \"goodput\" reference: \"none\" "
           "source: \"RFC 5166\" " +
           more + " }\n";
}

TEST(DeclaredResults, AFigureHasItsDefaultsAndItsLines)
{
    const auto figures =
        ReadFigures(Declares(FigureWith("where: \"grid=CoDel, ECN\" line { name: \"Fair\" y: 50 } "
                                        "line { name: \"Formula\" x: [1, 2] y: [3, 4] }")));
    ASSERT_EQ(figures.size(), 1U);
    EXPECT_EQ(figures[0].by, "transport.congestion_control");
    EXPECT_EQ(figures[0].where, (std::vector<FieldValue>{{"grid", "CoDel, ECN"}}));
    ASSERT_EQ(figures[0].lines.size(), 2U);
    EXPECT_TRUE(figures[0].lines[0].x.empty());
    EXPECT_EQ(figures[0].lines[1].y, (std::vector<double>{3, 4}));
}

TEST(DeclaredResults, AFigureOfVariantsNeedsNoMetric)
{
    const auto figures = ReadFigures(
        Declares("figure { name: \"a\" content: TTFT variant: [\"x\", \"y\"] }\n"
                 "figure { name: \"b\" panel { quantity: QUEUE link: \"dc-a -> dc-b\" } }\n"));
    ASSERT_EQ(figures.size(), 2U);
    EXPECT_EQ(figures[0].content, FigureContent::Ttft);
    EXPECT_EQ(figures[0].variants, (std::vector<std::string>{"x", "y"}));
    EXPECT_FALSE(figures[1].ShowsMetric());
    EXPECT_EQ(figures[1].panels.at(0).quantity, SampledQuantity::Queue);
    EXPECT_EQ(figures[1].panels.at(0).link, "dc-a -> dc-b");
}

TEST(DeclaredResults, ThePublishedPointsOfAFigureNameTheirSource)
{
    const auto figures = ReadFigures(Declares(FigureWith(
        "setting: \"40 ms\" published { name: \"P\" source: \"RFC 0\" x: 1 y: 2 half_height: 3 }")));
    ASSERT_EQ(figures.at(0).published.size(), 1U);
    EXPECT_EQ(figures[0].published[0].points, (CurvePoints{{1, 2}}));
    EXPECT_EQ(figures[0].published[0].halfWidths, (std::vector<double>{3}));
    EXPECT_EQ(figures[0].setting, "40 ms; published: RFC 0");
}

TEST(DeclaredResults, RefusesFiguresThatCantBeDrawn)
{
    const std::pair<std::string, std::string> refused[] = {
        {FigureWith("") + FigureWith(""), "figure[1].name"},
        {FigureWith("line { name: \"Formula\" x: [1, 2] y: 3 }"), "figure[0].line[0].y"},
        {FigureWith("line { name: \"Nothing\" }"), "figure[0].line[0].y"},
        {FigureWith("line { name: \"Back\" x: [2, 1] y: [3, 4] }"), "figure[0].line[0].x"},
        {FigureWith("where: \"grid\""), "figure[0].where[0]"},
        {"figure { name: \"a/b\" }", "figure[0].name"},
        {"figure { name: \"a\" }", "figure[0].content"},
        {FigureWith("over: \"no_field=1\""), "figure[0].over[0]"},
        {FigureWith("published { name: \"P\" x: [1, 2] y: 3 }"), "figure[0].published[0].y"},
        {FigureWith("published { name: \"P\" }"), "figure[0].published[0].y"},
        {FigureWith("published { name: \"P\" x: 1 y: 3 half_height: [1, 2] }"),
         "figure[0].published[0].half_height"},
        {FigureWith("panel { quantity: RATE }"), "figure[0].panel[0].quantity"},
        {FigureWith("panel { quantity: WINDOW link: \"a -> b\" }"), "figure[0].panel[0].link"},
        {FigureWith("panel {}"), "figure[0].panel[0].quantity"}};
    for (const auto& [text, field] : refused)
    {
        const auto error = ErrorText([&text = text] { ReadFigures(Declares(text)); });
        EXPECT_NE(error.find("mine.textproto: " + field), std::string::npos) << error;
    }
}

TEST(DeclaredResults, ACriterionHasBoundsOrNone)
{
    const auto criteria = ReadCriteria(
        Declares(CriterionWith("") + CriterionWith("at_least: 1 at_most: 2 factor: 100")));
    ASSERT_EQ(criteria.size(), 2U);
    EXPECT_FALSE(criteria[0].atLeast.has_value());
    EXPECT_EQ(criteria[0].factor, 1);
    EXPECT_EQ(criteria[1].atMost, 2);
    EXPECT_EQ(criteria[1].factor, 100);
}

TEST(DeclaredResults, RefusesBoundsThatNothingMeets)
{
    const auto error =
        ErrorText([] { ReadCriteria(Declares(CriterionWith("at_least: 2 at_most: 1"))); });
    EXPECT_NE(error.find("criterion[0].at_least"), std::string::npos) << error;
}

} // namespace

} // namespace geotrain
