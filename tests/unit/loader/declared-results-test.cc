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

TEST(DeclaredResults, RefusesFiguresThatCantBeDrawn)
{
    const std::pair<std::string, std::string> refused[] = {
        {FigureWith("") + FigureWith(""), "figure[1].name"},
        {FigureWith("line { name: \"Formula\" x: [1, 2] y: 3 }"), "figure[0].line[0].y"},
        {FigureWith("line { name: \"Nothing\" }"), "figure[0].line[0].y"},
        {FigureWith("line { name: \"Back\" x: [2, 1] y: [3, 4] }"), "figure[0].line[0].x"},
        {FigureWith("where: \"grid\""), "figure[0].where[0]"},
        {"figure { name: \"a/b\" }", "figure[0].name"},
        {"figure { name: \"a\" }", "figure[0].metric"}};
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
