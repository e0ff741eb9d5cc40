// SPDX-License-Identifier: GPL-2.0-only
// Tests what the reports of a run and of a comparison say of their results.
#include "expect-text.h"
#include "report/comparison-report.h"
#include "report/run-report.h"
#include "result-folders.h"
#include "temporary-folder.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

namespace fs = std::filesystem;

class RunReportTest : public ::testing::Test
{
  protected:
    std::string Report(const Summary& summary) const
    {
        WriteRunReport(summary, m_folder.Path());
        return Contents(m_folder / "report.html");
    }

    TemporaryFolder m_folder;
};

/// Returns the summary of a run of "small" with these metrics.
Summary
SummaryWith(std::vector<Metric> metrics)
{
    Summary summary;
    summary.header.set_scenario("small");
    summary.header.set_network("packet");
    summary.header.set_congestion_control("TcpCubic");
    summary.header.set_seed(7);
    summary.metrics = std::move(metrics);
    summary.complete = true;
    return summary;
}

TEST_F(RunReportTest, TheHeadSaysWhatRan)
{
    auto summary = SummaryWith({{"iteration_time", 1, "s"}});
    ExpectHas(Report(summary), {"Run of small, seed 7"});
    summary.header.set_variant("gpipe");
    ExpectHas(Report(summary), {"Run of small: gpipe, seed 7"});
    summary.header.set_variant_title("GPipe, 20 connections");
    ExpectHas(Report(summary), {"Run of small: GPipe, 20 connections, seed 7"});
    summary.header.set_network("live");
    ExpectHas(Report(summary), {"Live run of small: GPipe"});
}

// All metrics are in the table; the cards are the first eight of those that weigh most.
TEST_F(RunReportTest, AtMostEightMetricsAreCards)
{
    std::vector<Metric> metrics;
    for (const auto* name : {"completion_time_p50",
                             "completion_time_p99",
                             "goodput",
                             "goodput_over_capacity",
                             "retransmitted_share",
                             "mean_queueing_delay",
                             "jain_index",
                             "convergence_time",
                             "leave_convergence_time",
                             "response_time"})
    {
        metrics.push_back({name, 0.5, ""});
    }
    const auto page = Report(SummaryWith(metrics));
    const auto cards = page.substr(page.find("<ul class=\"cards\">"));
    EXPECT_EQ(CountIn(cards.substr(0, cards.find("</ul>")), "<li>"), 8u);
    ExpectHas(page, {"<code>response_<wbr>time</code>", "<h2>All metrics</h2>"});
    EXPECT_EQ(CountIn(page, "<code>"), CountIn(page, "</code>"));
}

// A run that serves says all of its service at the head of the page.
TEST_F(RunReportTest, APrefillServiceHasCardsOfItsOwn)
{
    ExpectLacks(Report(SummaryWith({{"iteration_time", 1, "s"}})), {"<h2>Prefill service</h2>"});
    const auto page = Report(SummaryWith({{"iteration_time", 1, "s"},
                                          {"requests", 88, ""},
                                          {"requests_served", 81, ""},
                                          {"decode_gpus", 3, ""},
                                          {"dedicated_gpus", 2, ""}}));
    const auto cards = page.substr(page.find("<h2>Prefill service</h2>"));
    EXPECT_EQ(CountIn(cards.substr(0, cards.find("</ul>")), "<li>"), 4u);
}

TEST_F(RunReportTest, CardsHaveTheExactNumberAsTooltip)
{
    ExpectHas(Report(SummaryWith({{"iteration_time", 4.346639, "s"}})),
              {"<li><b title=\"4.346639\">4.347 s</b><span>Iteration time</span></li>"});
}

TEST_F(RunReportTest, TheCriticalPathIsATable)
{
    auto summary = SummaryWith({{"iteration_time", 1, "s"}});
    ExpectLacks(Report(summary), {"Critical path"});
    PathTime time;
    time.cause = "forward";
    time.seconds = 0.25;
    time.steps = 12;
    summary.criticalPath = {time};
    ExpectHas(Report(summary),
              {"<h2>Critical path of the last iteration</h2>",
               "<code>forward</code>",
               "250 ms",
               "<td class=\"number\">12</td>"});
}

TEST_F(RunReportTest, WarningsStandAboveTheFigures)
{
    auto summary = SummaryWith({{"iteration_time", 1, "s"}});
    summary.warnings = {"look <here>"};
    WriteText(m_folder / "figures/timeline.svg", "<svg></svg>");
    const auto page = Report(summary);
    const auto warning = page.find("<li>look &lt;here&gt;</li>");
    ASSERT_NE(warning, std::string::npos);
    EXPECT_LT(page.find("<h2>Result</h2>"), warning);
    EXPECT_LT(warning, page.find("<h2>Figures</h2>"));
}

TEST_F(RunReportTest, ARunThatEndedIsSummarisedWhole)
{
    WriteRun(m_folder.Path(), OneGpuTrace(2));
    TraceReader reader((m_folder / "trace.pb").string());
    EXPECT_EQ(SummaryAsFarAsItGoes(RunTally(reader)).Find("iteration_time"), 2);
}

class ComparisonReportTest : public ::testing::Test
{
  protected:
    /// Adds a variant with these metrics.
    VariantSummary& Add(const std::string& name, std::vector<Metric> metrics, std::size_t seeds = 1)
    {
        m_results.comparison.variants.push_back({name, SummaryWith(std::move(metrics))});
        m_results.comparison.variants.back().seeds = seeds;
        return m_results.comparison.variants.back();
    }

    std::string Report() const
    {
        WriteComparisonReport(m_results, m_folder.Path());
        return Contents(m_folder / "report.html");
    }

    /// Returns the table of results.
    std::string Table() const
    {
        const auto page = Report();
        const auto begin = page.find("<thead>");
        return page.substr(begin, page.find("</table>") - begin);
    }

    TemporaryFolder m_folder;
    ComparedResults m_results;
};

TEST_F(ComparisonReportTest, ColumnsAreThoseOfAnyVariantInTheirOrder)
{
    Add("a", {{"iteration_time", 1, "s"}, {"idle_wan", 0.5, ""}});
    Add("b", {{"iteration_time", 2, "s"}, {"gpu_utilization", 0.25, ""}});
    const auto table = Table();
    const auto time = table.find("Iteration time");
    const auto gpu = table.find("GPU utilization");
    const auto wait = table.find("Idle WAN");
    ASSERT_NE(time, std::string::npos);
    ASSERT_NE(gpu, std::string::npos);
    ASSERT_NE(wait, std::string::npos);
    EXPECT_LT(time, gpu);
    EXPECT_EQ(CountIn(table, ">–<"), 2u); // each lacks the other's
}

// Beside the other metrics they would make the table wider than a screen.
TEST_F(ComparisonReportTest, VariantsThatServeHaveATableOfTheirOwn)
{
    Add("a", {{"iteration_time", 1, "s"}});
    ExpectLacks(Report(), {"<h2>Prefill service</h2>"});
    Add("b", {{"iteration_time", 2, "s"}, {"requests", 88, ""}, {"decode_gpus", 3, ""}});
    const auto page = Report();
    const auto service = page.substr(page.find("<h2>Prefill service</h2>"));
    const auto table = service.substr(0, service.find("</table>"));
    EXPECT_EQ(CountIn(table, "<td>"), 1u); // the variant that serves; numbers have a class
    ExpectHas(table, {"<td>b</td>", ">88<", ">3<"});
    ExpectLacks(Table(), {">88<"});
}

TEST_F(ComparisonReportTest, SpeedUpsAreOverTheFirst)
{
    Add("a", {{"iteration_time", 3, "s"}});
    Add("b", {{"iteration_time", 1.5, "s"}});
    Add("c", {{"iteration_time", 9, "s"}});
    ExpectHas(Table(), {"Speed-up", ">1 ×<", ">2 ×<", ">0.333 ×<"});
}

TEST_F(ComparisonReportTest, WithoutAFirstNumberThereIsNoSpeedUp)
{
    Add("a", {{"gpu_utilization", 0.5, ""}});
    Add("b", {{"iteration_time", 1, "s"}});
    ExpectLacks(Table(), {" ×<"});
}

TEST_F(ComparisonReportTest, AVariantWithSeedsLeadsToEach)
{
    Add("a b", {{"iteration_time", 1, "s"}}, 2);
    for (const auto* seed : {"a b/seed-1", "a b/seed-2", "a b/seed-10"})
    {
        WriteText(m_folder / (std::string(seed) + "/trace.pb"), "");
        WriteText(m_folder / (std::string(seed) + "/report.html"), "");
    }
    fs::remove(m_folder / "a b/seed-2/report.html");
    WriteText(m_folder / "comparison.csv", "variant\na b\n");
    ExpectHas(Report(),
              {"a b <span class=\"seeds\">seeds "
               "<a href=\"./a%20b/seed-1/report.html\">1</a> "
               "<a href=\"./a%20b/seed-10/report.html\">10</a></span>"});
}

TEST_F(ComparisonReportTest, VariantsWithoutReportsAreNoLinks)
{
    Add("a", {{"iteration_time", 1, "s"}}).title = "The <first>";
    const auto page = Report();
    ExpectHas(page, {"<td>The &lt;first&gt;</td>"});
    ExpectLacks(page, {"Each variant's name leads", "a/report.html"});
}

TEST_F(ComparisonReportTest, WhereAllFailedTheReasonsAreThere)
{
    m_results.failed = {{"a", "The first", "stuck"}, {"b", "b", "ended by signal 9"}};
    ExpectHas(Report(),
              {"Comparison of 2 variants, of which none finished",
               "<td>The first</td>",
               "failed: stuck",
               "failed: ended by signal 9"});
}

TEST_F(ComparisonReportTest, WarningsOfAllVariantsNameNone)
{
    Add("a", {{"iteration_time", 1, "s"}});
    Add("b", {{"iteration_time", 1, "s"}});
    m_results.warnings = {{"of both", {"a", "b"}}, {"of one", {"b"}}};
    ExpectHas(Report(),
              {"<li>of both</li>", "<li>of one <span class=\"seeds\">(b)</span></li>"});
}

TEST_F(ComparisonReportTest, TrustIsToldOnceForAllAlike)
{
    Add("a", {{"iteration_time", 1, "s"}}).summary.header.set_congestion_control("TcpCubic");
    Add("b", {{"iteration_time", 1, "s"}}).summary.header.set_congestion_control("TcpBbr");
    Add("c", {{"iteration_time", 1, "s"}}).summary.header.set_congestion_control("TcpBbr");
    const auto page = Report();
    EXPECT_EQ(CountIn(page, "as packets under"), 1u);
    ExpectHas(page, {"under TcpBbr, TcpCubic:"});
    EXPECT_EQ(CountIn(page, "No warnings."), 1u);
}

TEST_F(ComparisonReportTest, AVariantWithoutWarningsDoesNotSayThatThereAreNone)
{
    Add("a", {{"iteration_time", 1, "s"}});
    Add("b", {{"iteration_time", 1, "s"}}).summary.warnings = {"slow"};
    m_results.warnings = {{"slow", {"b"}}};
    ExpectLacks(Report(), {"No warnings."});
}

TEST_F(ComparisonReportTest, MeansAreNotOfUnfinishedRuns)
{
    Add("a", {{"iteration_time", 1, "s"}}, 3).summary.complete = false;
    const auto page = Report();
    ExpectLacks(page, {"did not finish"});
    ExpectHas(page, {"Means over 3 seeds"});
}

TEST_F(ComparisonReportTest, IntervalsStandBesideTheMeans)
{
    Add("a", {{"iteration_time", 4, "s", 0.25}}, 3);
    ExpectHas(Table(), {"4.0 <wbr>± 0.2 s"}); // a narrow column breaks there
}

// The demo's runs: one seed of each variant but the last, which has three.
TEST_F(ComparisonReportTest, WhatIsSaidOfSeedsNamesItsVariants)
{
    Add("a", {{"iteration_time", 4, "s"}});
    Add("b", {{"iteration_time", 2, "s", 0.1}}, 3);
    ExpectHas(Report(),
              {"shows the spread. <span class=\"seeds\">(a)</span>",
               "the same with all seeds. <span class=\"seeds\">(b)</span>"});
}

TEST_F(ComparisonReportTest, TheSpeedUpStandsSecondAndWhatIsEqualIsLeftOut)
{
    Add("a", {{"iteration_time", 4, "s"}, {"idle_wan", 0.5, ""}, {"mfu", 0.25, ""}});
    Add("b", {{"iteration_time", 2, "s"}, {"idle_wan", 0.5, ""}, {"mfu", 0.5, ""}});
    const auto table = Table();
    EXPECT_EQ(table.rfind("<thead><tr><th>Variant</th><th class=\"number\">Speed-up</th>"
                          "<th class=\"number\">Iteration time</th>",
                          0),
              0U)
        << table;
    ExpectHas(table, {"MFU"});
    ExpectLacks(table, {"Idle WAN"});
}

TEST_F(ComparisonReportTest, TheAnswerStandsAboveTheTable)
{
    m_results.comparison.variedPaths = {"transport.connections"};
    for (const auto& [connections, seconds] :
         {std::pair("1", 20.), std::pair("10", 2.1), std::pair("20", 2.)})
    {
        Add(connections, {{"iteration_time", seconds, "s"}}).values = {connections};
    }
    ExpectHas(Report(),
              {"<p class=\"answer\">connections per node pair: 10 reaches 95 % of the speed at "
               "20.</p>\n<div class=\"scroll\">"});
}

TEST_F(ComparisonReportTest, TheScenarioAndItsQuestionAreThere)
{
    WriteText(m_folder / "scenario.textproto", "# Which is faster? See.\n\nname: \"x\"\n");
    Add("a", {{"iteration_time", 1, "s"}});
    ExpectHas(Report(),
              {"<h1>Which is faster?</h1>",
               "<summary>The scenario, as it was given</summary>",
               "name: &quot;x&quot;"});
}

} // namespace
} // namespace geotrain
