// SPDX-License-Identifier: GPL-2.0-only
// Tests which columns a comparison shows on a terminal, in which units and with which digits, and
// the tables and paragraphs that all verbs print.
#include "comparison/comparison-text.h"
#include "comparison/text-table.h"
#include "compared-rows.h"

#include <gtest/gtest.h>

#include <sstream>

namespace geotrain
{

namespace
{

/// Returns the lines of a text.
std::vector<std::string>
LinesIn(const std::string& text)
{
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);)
    {
        lines.push_back(line);
    }
    return lines;
}

/// Returns the text of a comparison of one variant with these metrics, wide enough for one table.
std::string
TextOf(const std::vector<Metric>& metrics)
{
    return ComparisonText(ComparisonTable({}, {RowOf("a", {SummaryOfMetrics(metrics)})}), 1000);
}

/// Returns the same for runs of bulk messages.
std::string
TextOfTransfers(const std::vector<Metric>& metrics, bool ofFlows = false)
{
    auto summary = SummaryOfMetrics(metrics);
    summary.header.mutable_transfers();
    if (ofFlows)
    {
        summary.header.mutable_transfers()->add_flows();
    }
    return ComparisonText(ComparisonTable({}, {RowOf("a", {summary})}), 1000);
}

/// Returns the cells of the last line, between gaps of two spaces.
std::vector<std::string>
LastCells(const std::string& text)
{
    std::vector<std::string> cells;
    std::istringstream words(LinesIn(text).back());
    for (std::string word; words >> word;)
    {
        cells.push_back(word);
    }
    return cells;
}

using Cells = std::vector<std::string>;

TEST(ShownColumns, OfTrainingAreSharesInPerCentAndBytesInUnits)
{
    const auto text = TextOf({{"iteration_time", 1.23456, "s"},
                              {"gpu_utilization", 0.5678, ""},
                              {"wan_utilization", 0.1, ""},
                              {"wan_bytes", 12345678901, ""},
                              {"retransmitted_bytes", 2345678, ""}});
    // Iteration, speed-up, training, WAN used, WAN in GB, resent in MB.
    EXPECT_EQ(LastCells(text), (Cells{"a", "1.235", "1.00", "56.8", "10.0", "12.3", "2.3"}));
}

TEST(ShownColumns, ThatAreZeroForAllAreLeftOutWhereTheyDoNotApply)
{
    const auto text = TextOf({{"iteration_time", 1, "s"},
                              {"fill_utilization", 0, ""},
                              {"idle_imbalance", 0, ""},
                              {"idle_wan", 0, ""}});
    EXPECT_EQ(text.find("fill"), std::string::npos) << text;
    EXPECT_EQ(text.find("imba"), std::string::npos) << text;
    EXPECT_NE(text.find("WAN"), std::string::npos) << text; // that nobody waits tells something
}

TEST(ShownColumns, OfMessagesAreTheirTimesAndShares)
{
    const auto text = TextOfTransfers({{"completion_time_p50", 0.1234567, "s"},
                                       {"completion_time_p99", 2, "s"},
                                       {"goodput_over_capacity", 0.875, ""},
                                       {"retransmitted_share", 0.0123, ""},
                                       {"mean_queueing_delay", 0.0042, "s"},
                                       {"jain_index", 0.98765, ""}});
    EXPECT_EQ(LastCells(text),
              (Cells{"a", "0.123", "1.00", "2.000", "87.5", "1.2", "4.2", "0.988"}));
    EXPECT_EQ(text.find("iteration"), std::string::npos) << text;
}

TEST(ShownColumns, OfFlowsBeginWithTheirGoodput)
{
    const auto text = TextOfTransfers({{"goodput", 93456789, "bps"},
                                       {"bottleneck_utilization", 0.97, ""},
                                       {"retransmitted_share", 0.00123, ""},
                                       {"queue_delay_p50", 0.001, "s"},
                                       {"queue_delay_p95", 0.0155, "s"},
                                       {"jain_index", 1, ""},
                                       {"convergence_time", 12.34, "s"}},
                                      true);
    EXPECT_EQ(LastCells(text),
              (Cells{"a", "93.5", "1.00", "97.0", "0.12", "1.0", "15.5", "1.000", "12.3"}));
    EXPECT_NE(text.find("times the"), std::string::npos) << text; // goodput is no speed
}

// Behind the first digit of an interval all is chance: 0.06 s leaves two digits of three, 6 s none.
TEST(ShownColumns, DigitsEndWithTheInterval)
{
    struct Case
    {
        double low;
        double high;
        const char* text;
    };
    // The half width of two samples is t(0.975, 1) / 2 = 6.3531 times their difference.
    const Case cases[] = {{9.9995, 10.0005, "10.000 ± 0.006"},
                          {9.995, 10.005, "10.00 ± 0.06"},
                          {9.95, 10.05, "10.0 ± 0.6"},
                          {9.5, 10.5, "10 ± 6"},
                          {5, 15, "10 ± 64"},
                          {10, 10, "10.000 ± 0.000"}};
    for (const auto& one : cases)
    {
        const ComparisonTable table(
            {}, {RowOf("a", {IterationOf(one.low), IterationOf(one.high)})});
        const auto text = ComparisonText(table, 1000);
        EXPECT_NE(text.find(one.text), std::string::npos) << text;
    }
}

TEST(ShownColumns, AVariantWithoutAMetricHasADash)
{
    const ComparisonTable table(
        {},
        {RowOf("a", {SummaryOfMetrics({{"iteration_time", 1, "s"}, {"idle_wan", 0.5, ""}})}),
         RowOf("b", {IterationOf(2)})});
    EXPECT_EQ(LastCells(ComparisonText(table, 1000)), (Cells{"b", "2.000", "0.50", "-"}));
}

TEST(ShownColumns, AFailedVariantHasItsExitCodeInTheFirst)
{
    const ComparisonTable table(
        {},
        {RowOf("a", {SummaryOfMetrics({{"iteration_time", 1, "s"}, {"idle_wan", 0.5, ""}})}),
         FailedRow("b", 3, "x")});
    EXPECT_EQ(LastCells(ComparisonText(table, 1000)), (Cells{"b", "exit", "3", "-", "-"}));
}

// Seven columns and a title do not fit into 60: the last ones begin a second table.
TEST(ShownColumns, TheLastBeginATableOfTheirOwnWhereTheyDoNotFit)
{
    const ComparisonTable table({},
                                {RowOf("a",
                                       {SummaryOfMetrics({{"iteration_time", 1, "s"},
                                                          {"gpu_utilization", 0.5, ""},
                                                          {"idle_fill_drain", 0.1, ""},
                                                          {"idle_wan", 0.1, ""},
                                                          {"idle_forward_backward", 0.1, ""},
                                                          {"idle_all_reduce", 0.1, ""},
                                                          {"wan_utilization", 0.1, ""}})})});
    const auto narrow = ComparisonText(table, 60);
    const auto first = narrow.substr(0, narrow.find("\n\n"));
    EXPECT_NE(first.find("training"), std::string::npos) << narrow;
    EXPECT_EQ(first.find("used"), std::string::npos) << narrow;
    EXPECT_NE(narrow.find("used"), std::string::npos) << narrow;
    EXPECT_EQ(ComparisonText(table, 200).find("\n\n"), std::string::npos);
}

TEST(Tables, AlignNumbersRightAndTextsLeft)
{
    struct Case
    {
        const char* cell;
        bool isNumber;
    };
    const Case cases[] = {{"1", true},
                          {"-1.5", true},
                          {"12,345", true},
                          {"1e+09", true},
                          {"4.35 ± 0.02", true},
                          {"96.5 ± <0.1", true},
                          {"7 *", true},
                          {"50 %", true},
                          {"2x", true},
                          {"-", true},
                          {"2.5 s", false},
                          {"none", false},
                          {"", false}};
    for (const auto& one : cases)
    {
        TextTable table({"name", "wide heading"});
        table.AddRow({"a", one.cell});
        const auto line = LinesIn(table.Text()).at(1);
        const bool endsRight = line.size() >= std::string("name  wide heading").size();
        EXPECT_EQ(endsRight, one.isNumber) << one.cell << "\n" << table.Text();
    }
}

TEST(Tables, OneTextInAColumnAlignsItLeft)
{
    TextTable table({"x", "value"});
    table.AddRow({"a", "1"});
    table.AddRow({"b", "none"});
    EXPECT_EQ(table.Text(), "x  value\na  1\nb  none\n");
}

TEST(Tables, CountCharactersAndNotBytes)
{
    TextTable table({"µs", "x"});
    table.AddRow({"ééé", "1"});
    EXPECT_EQ(table.Width(), 6u); // 3, a gap of 2, 1
    EXPECT_EQ(table.Text(), "µs   x\nééé  1\n");
}

TEST(Tables, WithoutRowsShowTheirHeads)
{
    EXPECT_EQ(TextTable({"a", "b"}).Text(), "a  b\n");
    EXPECT_EQ(TextTable({"a"}).Text(80), "a\n");
}

// Words of 20 letters are longer than the 16 that a column keeps at least.
TEST(Tables, WordsAreNeverBroken)
{
    const std::string word(20, 'w');
    TextTable table({"name", "text"});
    table.AddRow({"a", word + " " + word});
    EXPECT_EQ(table.Text(10), "name  text\na     " + word + "\n      " + word + "\n");
}

TEST(Tables, TheWidestTextIsBrokenFirst)
{
    TextTable table({"short text here", "long"});
    table.AddRow({"one two three", "a text that has many more words than the first one has"});
    const auto lines = LinesIn(table.Text(50));
    EXPECT_EQ(lines[1].rfind("one two three ", 0), 0u) << table.Text(50);
    EXPECT_GT(lines.size(), 2u);
    for (const auto& line : lines)
    {
        EXPECT_LE(line.size(), 50u);
    }
}

TEST(Paragraphs, AreIndentedBehindTheirFirstLine)
{
    EXPECT_EQ(Paragraph("one two three four", 12), "one two\n  three four\n");
    EXPECT_EQ(Paragraph("", 12), "\n");
    EXPECT_EQ(Labelled("cap: ", "one two three", 12), "cap: one two\n     three\n");
}

TEST(Paragraphs, LinesAreAsLongAsTheyMayBe)
{
    EXPECT_EQ(BrokenIntoLines("aa bb cc", 5), "aa bb\ncc");
    EXPECT_EQ(BrokenIntoLines("aa bb cc", 4), "aa\nbb\ncc");
    EXPECT_EQ(BrokenIntoLines("  aa   bb ", 80), "aa bb"); // one space between words
    EXPECT_EQ(BrokenIntoLines("éé éé", 5), "éé éé");       // characters, not bytes
}

TEST(Numbers, AreShort)
{
    EXPECT_EQ(ShortNumber(0.83124), "0.8312");
    EXPECT_EQ(ShortNumber(12.345678), "12.35");
    EXPECT_EQ(ShortNumber(1073741824), "1.074e+09");
    EXPECT_EQ(ShortNumber(0), "0");
    EXPECT_EQ(ShortNumber(-0.5), "-0.5");
    EXPECT_EQ(ShortMean(0, 0.25), "0.0 ± 0.2");
    EXPECT_EQ(ShortMean(1234.5, 67), "1234 ± 67");
}

} // namespace

} // namespace geotrain
