// SPDX-License-Identifier: GPL-2.0-only
// Tests how a comparison's table and other tables stand on a terminal.
#include "comparison/comparison-text.h"
#include "comparison/text-table.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace geotrain
{

namespace
{

Summary
SummaryOf(const std::vector<std::string>& names)
{
    Summary summary;
    for (const auto& name : names)
    {
        summary.metrics.push_back({name, 0.5, name == "iteration_time" ? "s" : ""});
    }
    return summary;
}

/// Returns the number of characters in the longest line.
std::size_t
LongestLine(const std::string& text)
{
    std::size_t longest = 0;
    std::size_t length = 0;
    for (const char c : text)
    {
        const bool continues = (static_cast<unsigned char>(c) & 0xc0) == 0x80;
        length = c == '\n' ? 0 : length + (continues ? 0 : 1);
        longest = std::max(longest, length);
    }
    return longest;
}

TEST(ComparisonText, FitsATerminalAndRepeatsTheTitles)
{
    const auto summary = SummaryOf({"iteration_time",
                                    "gpu_utilization",
                                    "fill_utilization",
                                    "total_utilization",
                                    "fill_job_gain",
                                    "idle_fill_drain",
                                    "idle_wan",
                                    "idle_forward_backward",
                                    "idle_all_reduce",
                                    "wan_utilization",
                                    "wan_bytes",
                                    "retransmitted_bytes"});
    auto other = summary;
    for (auto& metric : other.metrics)
    {
        metric.value = 0.25;
    }
    const std::string title = "a phrase of many words that is longer than a column may be";
    const ComparisonTable table({},
                                {{"a", {}, 0, "", {other, other}, title},
                                 {"b", {}, 0, "", {summary, summary}, "1F1B, 20 connections"}});
    const auto text = ComparisonText(table);
    EXPECT_LE(LongestLine(text), 80u) << text;
    EXPECT_NE(text.find("0.500 ± 0.000"), std::string::npos) << text; // iteration time
    EXPECT_NE(text.find("50.0 ± 0.0"), std::string::npos) << text;    // shares
    std::size_t tables = 0;
    for (auto at = text.find("1F1B, 20 connections"); at != std::string::npos;
         at = text.find("1F1B, 20 connections", at + 1))
    {
        ++tables;
    }
    EXPECT_GE(tables, 2u) << text;
}

TEST(ComparisonText, LeavesOutWhatNoVariantHas)
{
    auto without = SummaryOf({"iteration_time", "gpu_utilization", "fill_utilization"});
    without.metrics[2].value = 0;
    EXPECT_EQ(ComparisonText(ComparisonTable({}, {{"a", {}, 0, "", {without}}})).find("fill"),
              std::string::npos);
    const auto with = SummaryOf({"iteration_time", "fill_utilization", "fill_job_gain"});
    const auto text = ComparisonText(
        ComparisonTable({}, {{"a", {}, 0, "", {without}}, {"b", {}, 0, "", {with}}}));
    EXPECT_NE(text.find("gain"), std::string::npos) << text;
    EXPECT_NE(text.find("fill"), std::string::npos) << text;
}

TEST(ComparisonText, LeavesOutWhatIsTheSameForAllVariants)
{
    auto one = SummaryOf({"iteration_time", "gpu_utilization", "wan_bytes"});
    auto two = one;
    two.metrics[1].value = 0.75;
    const auto text =
        ComparisonText(ComparisonTable({}, {{"a", {}, 0, "", {one}}, {"b", {}, 0, "", {two}}}));
    EXPECT_EQ(text.find("WAN"), std::string::npos) << text;
    EXPECT_NE(text.find("training"), std::string::npos) << text;
    EXPECT_NE(text.find("iteration"), std::string::npos) << text; // the first column stays
    const auto alone = ComparisonText(ComparisonTable({}, {{"a", {}, 0, "", {one}}}));
    EXPECT_NE(alone.find("WAN"), std::string::npos) << alone;
}

TEST(ComparisonText, SaysWhatWasComputedByAFormula)
{
    auto summary = SummaryOf({"iteration_time"});
    EXPECT_EQ(ComparisonText(ComparisonTable({}, {{"a", {}, 0, "", {summary}}})).find("formula"),
              std::string::npos);
    summary.header.add_analytic_parts("all_reduce");
    const auto text = ComparisonText(ComparisonTable({}, {{"a", {}, 0, "", {summary}}}));
    EXPECT_NE(text.find("by a formula instead of simulated messages: all-reduce\n"),
              std::string::npos)
        << text;
}

TEST(ComparisonText, AVariantThatFailedSaysSo)
{
    const ComparisonTable table(
        {}, {{"a", {}, 0, "", {SummaryOf({"iteration_time"})}}, {"b", {}, 2, "stuck", {}}});
    EXPECT_NE(ComparisonText(table).find("exit 2"), std::string::npos);
}

TEST(ComparisonText, AWarningOfManyVariantsGivesTheirNumber)
{
    Summary warned = SummaryOf({"iteration_time"});
    warned.warnings = {"ignores loss"};
    std::vector<ComparisonRow> rows;
    for (const auto* name : {"a", "b", "c", "d", "e"})
    {
        rows.push_back({name, {}, 0, "", {warned}});
    }
    rows.push_back({"f", {}, 0, "", {SummaryOf({"iteration_time"})}});
    EXPECT_EQ(WarningText(ComparisonTable({}, rows)), "warning: ignores loss (5 of 6 variants)\n");
}

TEST(TextTable, BreaksBetweenWords)
{
    EXPECT_EQ(BrokenIntoLines("one two three", 7), "one two\nthree");
    EXPECT_EQ(BrokenIntoLines("extraordinarily short", 5), "extraordinarily\nshort");
    EXPECT_EQ(BrokenIntoLines("", 5), "");
}

TEST(TextTable, HeadingsEndAtTheBottomAndCellsBeginAtTheTop)
{
    TextTable table({"name", "two\nlines"});
    table.AddRow({"a\nb", "1"});
    EXPECT_EQ(table.Text(), "        two\nname  lines\na         1\nb\n");
    EXPECT_EQ(table.Width(), 11u);
}

TEST(TextTable, LongTextsAreBrokenWhereThatMakesTheTableFit)
{
    TextTable table({"name", "x", "source"});
    table.AddRow({"a", "1", "a text of many words that has no end"});
    EXPECT_EQ(table.Text(30),
              "name  x  source\n"
              "a     1  a text of many words\n"
              "         that has no end\n");
    EXPECT_EQ(table.Text(80), table.Text());
}

// "name", gaps and numbers of 6 characters: two of them make 20 columns, three 28.
TEST(TextTable, ColumnsThatDoNotFitGoIntoATableOfTheirOwn)
{
    TextTable table({"name", "x", "y", "z"});
    table.AddRow({"a", "100000", "200000", "300000"});
    EXPECT_EQ(table.Text(20),
              "name       x       y\n"
              "a     100000  200000\n"
              "\n"
              "name       z\n"
              "a     300000\n");
}

TEST(TextTable, RightAlignsColumnsOfNumbers)
{
    TextTable table({"name", "x"});
    table.AddRow({"a", "1"});
    table.AddRow({"bb", "22.5"});
    EXPECT_EQ(table.Text(), "name     x\na        1\nbb    22.5\n");
}

TEST(ShortMean, EndsAtTheFirstDigitOfItsInterval)
{
    EXPECT_EQ(ShortMean(4.3466, 0.0231), "4.35 ± 0.02");
    EXPECT_EQ(ShortMean(96.5, 0.00043), "96.50 ± <0.01");
    EXPECT_EQ(ShortMean(96.5, 0), "96.5 ± 0");
}

} // namespace

} // namespace geotrain
