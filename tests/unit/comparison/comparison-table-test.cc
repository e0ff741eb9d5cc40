// SPDX-License-Identifier: GPL-2.0-only
// Tests the table of a comparison: its columns, its means and speed-ups, and what it warns of.
#include "comparison/comparison-table.h"

#include "compared-rows.h"
#include "comparison/comparison-text.h"
#include "comparison/expectations.h"
#include "comparison/mean-interval.h"
#include "result-folders.h"
#include "temporary-folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

bool
Has(const std::vector<std::string>& names, const std::string& name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Returns the summary of bulk messages that take these times, from a trace.
Summary
SummaryOfMessages(const std::vector<double>& seconds)
{
    const TemporaryFolder folder;
    return WriteRun(folder.Path(), MessagesTrace(seconds));
}

/// Returns the summary of steady flows of this goodput.
Summary
SummaryOfFlows(double bps)
{
    auto summary = SummaryOfMetrics({{"goodput", bps, "bps"}});
    summary.header.mutable_transfers()->add_flows();
    return summary;
}

TEST(ColumnNames, AreTheMetricsWithTheirUnits)
{
    EXPECT_EQ(ColumnName({"goodput", 1, "bps"}), "goodput_bps");
    EXPECT_EQ(ColumnName({"mfu", 1, ""}), "mfu");
}

TEST(TableColumns, AreOfAllVariantsInTheOrderInWhichTheyCome)
{
    const ComparisonTable table({},
                                {RowOf("a", {SummaryOfMetrics({{"x", 1, ""}, {"y", 2, "s"}})}),
                                 RowOf("b", {SummaryOfMetrics({{"z", 3, ""}, {"x", 4, ""}})})});
    auto heads = HeadsOf(table.Csv());
    heads.erase(std::remove_if(heads.begin(),
                               heads.end(),
                               [](const std::string& head)
                               { return head != "x" && head != "y_s" && head != "z"; }),
                heads.end());
    EXPECT_EQ(heads, (std::vector<std::string>{"x", "y_s", "z"}));
    const auto rows = RowsOfCsv(table.Csv());
    EXPECT_EQ(rows[0].at("z"), "");
    EXPECT_EQ(rows[1].at("x"), "4");
}

TEST(TableColumns, IntervalsAreThereWithSeveralSeedsAlone)
{
    const ComparisonTable single({}, {RowOf("a", {IterationOf(1)})});
    EXPECT_FALSE(Has(HeadsOf(single.Csv()), "iteration_time_s_ci95"));
    EXPECT_FALSE(single.Json()["variants"][0].contains("iteration_time_s_ci95"));
    // One variant with seeds is enough for the column; the others have an interval of 0.
    const ComparisonTable mixed(
        {}, {RowOf("a", {IterationOf(1)}), RowOf("b", {IterationOf(1), IterationOf(3)})});
    const auto rows = RowsOfCsv(mixed.Csv());
    EXPECT_EQ(rows[0].at("iteration_time_s_ci95"), "0");
    // t(0.975, 1) s / sqrt(2) = 12.7062 x sqrt(2) / sqrt(2)
    EXPECT_NEAR(Number(rows[1], "iteration_time_s_ci95"), 12.7062, 0.0001);
}

TEST(TableColumns, NumbersReadBackTheSame)
{
    const double third = 1.0 / 3;
    const ComparisonTable table({}, {RowOf("a", {IterationOf(third)})});
    EXPECT_EQ(Number(RowsOfCsv(table.Csv())[0], iterationTimeColumn), third);
}

TEST(TableColumns, NamesWithCommasAndQuotesAreQuoted)
{
    auto row = RowOf("a,b", {IterationOf(1)});
    row.values = {"say \"x\""};
    const auto csv = ComparisonTable({"na,me"}, {row}).Csv();
    EXPECT_NE(csv.find("\"na,me\""), std::string::npos) << csv;
    EXPECT_NE(csv.find("\n\"a,b\""), std::string::npos) << csv;
    EXPECT_NE(csv.find("\"say \"\"x\"\"\""), std::string::npos) << csv;
}

TEST(Speedups, AreOverTheFirstVariant)
{
    const ComparisonTable table({},
                                {RowOf("slow", {IterationOf(3), IterationOf(5)}),
                                 RowOf("fast", {IterationOf(2)}),
                                 RowOf("slower", {IterationOf(16)})});
    const auto rows = RowsOfCsv(table.Csv());
    EXPECT_EQ(rows[0].at(speedupColumn), "1");
    EXPECT_EQ(rows[1].at(speedupColumn), "2");    // (3 + 5) / 2 / 2
    EXPECT_EQ(rows[2].at(speedupColumn), "0.25"); // 4 / 16
    EXPECT_EQ(table.CellOf(table.Rows()[1], speedupColumn)->mean, 2);
    EXPECT_EQ(table.Json()["variants"][2][speedupColumn], 0.25);
}

TEST(Speedups, AreUnknownWhereTheFirstVariantFailed)
{
    const ComparisonTable table({}, {FailedRow("a", 2, "stuck"), RowOf("b", {IterationOf(2)})});
    EXPECT_EQ(table.CellOf(table.Rows()[1], speedupColumn), std::nullopt);
    EXPECT_EQ(RowsOfCsv(table.Csv())[1].at(speedupColumn), "");
    EXPECT_FALSE(table.Json()["variants"][1].contains(speedupColumn));
}

// Completion times fall where messages are faster, goodput rises.
TEST(Speedups, FollowTheMainMetricOfWhatRan)
{
    const ComparisonTable messages(
        {}, {RowOf("a", {SummaryOfMessages({0.2})}), RowOf("b", {SummaryOfMessages({0.05})})});
    EXPECT_EQ(messages.KindOf(""), ComparedKind::Messages);
    EXPECT_EQ(messages.CellOf(messages.Rows()[1], speedupColumn)->mean, 4);
    const ComparisonTable flows(
        {}, {RowOf("a", {SummaryOfFlows(1e8)}), RowOf("b", {SummaryOfFlows(5e7)})});
    EXPECT_EQ(flows.KindOf(""), ComparedKind::Flows);
    EXPECT_EQ(flows.CellOf(flows.Rows()[1], speedupColumn)->mean, 0.5);
    const ComparisonTable training({}, {RowOf("a", {IterationOf(1)})});
    EXPECT_EQ(training.KindOf(""), ComparedKind::Training);
}

/// Returns the summary of a run of a training "a" and of flows "f".
Summary
SummaryOfJobs(double iterationTime, double goodput)
{
    Summary run;
    run.metrics = {{"simulated_time", 10, "s"}, {"job_fairness", 0.9, ""}};
    run.warnings = {"look"};
    run.jobs = {IterationOf(iterationTime), SummaryOfFlows(goodput)};
    run.jobs[0].header.set_job("a");
    run.jobs[1].header.set_job("f");
    for (auto& job : run.jobs)
    {
        job.warnings = run.warnings;
    }
    return run;
}

TEST(RowsOfJobs, AreAVariantsRowForEachJobBehindThatOfTheRun)
{
    const ComparisonTable table({"mtu"},
                                {{"x", {"1500"}, 0, "", {SummaryOfJobs(4, 1e8)}},
                                 {"y", {"9000"}, 0, "", {SummaryOfJobs(2, 5e7)}}});
    const auto rows = RowsOfCsv(table.Csv());
    ASSERT_EQ(rows.size(), 6U);
    EXPECT_EQ(rows[0].at("job"), "");
    EXPECT_EQ(rows[0].at("job_fairness"), "0.9");
    EXPECT_EQ(rows[0].at(iterationTimeColumn), "");
    EXPECT_EQ(rows[4].at("variant"), "y");
    EXPECT_EQ(rows[4].at("job"), "a");
    EXPECT_EQ(rows[4].at("mtu"), "9000");
    EXPECT_EQ(rows[4].at(speedupColumn), "2"); // over the same job of the first variant: 4 / 2
    EXPECT_EQ(rows[5].at("job"), "f");
    EXPECT_EQ(rows[5].at(speedupColumn), "0.5"); // of goodput: 5e7 / 1e8
    EXPECT_EQ(rows[3].at(speedupColumn), "");
    EXPECT_EQ(table.KindOf("a"), ComparedKind::Training);
    EXPECT_EQ(table.KindOf("f"), ComparedKind::Flows);
    EXPECT_EQ(table.Rows()[4].title, "y, job a");
    EXPECT_EQ(table.Json()["variants"][5]["job"], "f");
    // A warning is of the run, and each variant gave it once.
    EXPECT_EQ(table.Warnings().at(0).variants, (std::vector<std::string>{"x", "y"}));
    // Figures can draw curves by job.
    const auto means = table.Means();
    EXPECT_EQ(means.variedPaths, (std::vector<std::string>{"mtu", "job"}));
    EXPECT_EQ(means.variants[5].values[1], "f");
    EXPECT_EQ(means.variants[5].job, 1U);
}

TEST(Cells, AreMeansOverTheSeedsThatHaveTheMetric)
{
    const ComparisonTable table({},
                                {RowOf("a",
                                       {SummaryOfMetrics({{"x", 1, ""}}),
                                        SummaryOfMetrics({{"y", 9, ""}}),
                                        SummaryOfMetrics({{"x", 5, ""}})})});
    EXPECT_EQ(table.CellOf(table.Rows()[0], "x")->mean, 3);
    EXPECT_EQ(table.CellOf(table.Rows()[0], "y")->halfWidth, 0); // one sample
    EXPECT_EQ(table.CellOf(table.Rows()[0], "z"), std::nullopt);
}

TEST(FailedVariants, HaveTheirCodeAndErrorInJson)
{
    const ComparisonTable table({},
                                {RowOf("a", {IterationOf(1)}), FailedRow("b", 2, "dc-b waits")});
    const auto variants = table.Json()["variants"];
    EXPECT_EQ(variants[0]["exit_code"], 0);
    EXPECT_FALSE(variants[0].contains("error"));
    EXPECT_EQ(variants[1]["exit_code"], 2);
    EXPECT_EQ(variants[1]["error"], "dc-b waits");
    EXPECT_FALSE(variants[1].contains(iterationTimeColumn));
}

TEST(Means, PoolTheDistributionsOfAllSeeds)
{
    const ComparisonTable table(
        {}, {RowOf("a", {SummaryOfMessages({0.1, 0.1}), SummaryOfMessages({0.3, 0.5})})});
    const auto pooled = table.Means().variants.at(0).summary.completionTimes;
    ASSERT_FALSE(pooled.empty());
    // The longest of all four is there, which the first seed does not have.
    EXPECT_GT(pooled.size(), 1u);
    EXPECT_EQ(table.Means().variants[0].seeds, 2u);
}

TEST(Means, KeepTheDoubtOfAnySeed)
{
    auto doubtful = IterationOf(1);
    doubtful.doubt = "did not keep up";
    const ComparisonTable table(
        {}, {RowOf("a", {IterationOf(1), doubtful, IterationOf(1)}), RowOf("b", {IterationOf(1)})});
    EXPECT_EQ(table.Means().variants[0].summary.doubt, "did not keep up");
    EXPECT_EQ(table.Means().variants[1].summary.doubt, "");
}

TEST(Means, AreNotOfVariantsThatFailed)
{
    const ComparisonTable table(
        {}, {FailedRow("a", 2, "stuck"), RowOf("b", {IterationOf(1), IterationOf(3)})});
    const auto means = table.Means();
    ASSERT_EQ(means.variants.size(), 1u);
    EXPECT_EQ(means.variants[0].variant, "b");
    EXPECT_EQ(means.variants[0].summary.Find("iteration_time"), 2);
    EXPECT_NEAR(means.variants[0].summary.metrics[0].halfWidth, 12.7062, 0.0001); // t(0.975, 1)
}

TEST(Titles, AreTheNamesWhereThereAreNone)
{
    auto titled = RowOf("a", {IterationOf(1)});
    titled.title = "The first";
    const ComparisonTable table({}, {titled, RowOf("b", {IterationOf(1)})});
    EXPECT_EQ(table.Rows()[0].title, "The first");
    EXPECT_EQ(table.Rows()[1].title, "b");
}

Summary
Drawing(const std::string& what)
{
    auto summary = IterationOf(1);
    summary.header.add_draws(what);
    return summary;
}

TEST(Draws, OfSeveralVariantsAreNamedOnceEach)
{
    const ComparisonTable table({},
                                {RowOf("a", {Drawing("packet losses")}),
                                 RowOf("b", {Drawing("cross traffic")}),
                                 RowOf("c", {Drawing("packet losses")}),
                                 RowOf("d", {Drawing("arrivals"), Drawing("arrivals")})});
    const auto warnings = table.Warnings();
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].text.find("one draw of packet losses, cross traffic:"), std::string::npos)
        << warnings[0].text;
    EXPECT_EQ(warnings[0].variants, (std::vector<std::string>{"a", "b", "c"}));
}

Summary
Warned(const std::string& text)
{
    auto summary = IterationOf(1);
    summary.warnings = {text};
    return summary;
}

TEST(Warnings, AWarningOfEachSeedCountsOnceForItsVariant)
{
    const ComparisonTable table({},
                                {RowOf("a", {Warned("slow"), Warned("slow")}),
                                 RowOf("b", {IterationOf(1), Warned("slow")}),
                                 RowOf("c", {IterationOf(1)})});
    ASSERT_EQ(table.Warnings().size(), 1u);
    EXPECT_EQ(table.Warnings()[0].variants, (std::vector<std::string>{"a", "b"}));
}

TEST(Warnings, UpToFourVariantsAreNamedByTheirTitles)
{
    std::vector<ComparisonRow> rows;
    for (const std::string name : {"a", "b", "c", "d", "e"})
    {
        rows.push_back(RowOf(name, {name == "e" ? IterationOf(1) : Warned("slow")}));
        rows.back().title = "Variant " + name;
    }
    EXPECT_EQ(WarningText(ComparisonTable({}, rows)),
              "warning: slow (Variant a; Variant b; Variant c; Variant d)\n");
}

TEST(Warnings, LongOnesAreBrokenAndIndented)
{
    const ComparisonTable table({}, {RowOf("a", {Warned("one two three four five six")})});
    EXPECT_EQ(WarningText(table, 24), "warning: one two three\n  four five six\n");
}

TEST(WarningNumbers, BecomeRangesByTheirValue)
{
    struct Case
    {
        const char* first;
        const char* second;
        const char* text; ///< empty: they stay two
    };
    const Case cases[] = {{"lost 2 MB", "lost 10 MB", "lost 2 to 10 MB"}, // not by their letters
                          {"lost 10 MB", "lost 2 MB", "lost 2 to 10 MB"},
                          {"lost 2 MB", "lost 2 MB", "lost 2 MB"},
                          {"lost 2 MB", "lost 2 GB", ""},
                          {"lost 2 MB", "lost 2 MB twice", ""},
                          {"at 1e-3 there", "at 1e-5 there", "at 1e-5 to 1e-3 there"},
                          {"at -3.5, then", "at 2, then", "at -3.5 to 2, then"},
                          {"(5%) of it", "(7%) of it", "(5 to 7%) of it"},
                          {"link 3: slow", "link 4: slow", "link 3 to 4: slow"},
                          {"1f1b waits", "2f1b waits", ""}, // names
                          {"a 1 b 5", "a 2 b 4", "a 1 to 2 b 4 to 5"}};
    for (const auto& one : cases)
    {
        WarningGroups groups;
        groups.Add(one.first, "a");
        groups.Add(one.second, "b");
        const auto warnings = groups.Get();
        if (*one.text == '\0')
        {
            EXPECT_EQ(warnings.size(), 2u) << one.first;
            continue;
        }
        ASSERT_EQ(warnings.size(), 1u) << one.first;
        EXPECT_EQ(warnings[0].text, one.text);
        EXPECT_EQ(warnings[0].variants, (std::vector<std::string>{"a", "b"}));
    }
}

// A word of a megabyte of digits is no number that a person wrote.
TEST(WarningNumbers, AreShort)
{
    WarningGroups groups;
    const std::string digits(1000000, '1');
    groups.Add("x " + digits, "a");
    groups.Add("x " + digits + "2", "b");
    EXPECT_EQ(groups.Get().size(), 2u);
}

TEST(ExpectedValues, TheirTextSaysWhatWasGiven)
{
    ExpectedValue high{{"a", "mfu", 0.5, 0.1}, 0.6};
    ExpectedValue zero{{"", "idle_wan", 0, 0.01}, 0.25};
    ExpectedValue none{{"b", "gain", 2, 0}, std::nullopt};
    ExpectedValue held{{"b", "mfu", 0.5, 0.1}, 0.54};
    EXPECT_EQ(ExpectationText({high, zero, none, held}),
              "expected values: 1 of 4 hold\n"
              "  a: mfu is 0.6, not 0.5 within 10 %\n"
              "  idle_wan is 0.25, not 0 within 0.01 around it\n"
              "  b: gain is not there, not 2 within 0 %\n");
}

TEST(ExpectedValues, AsJsonHaveWhatTheyNeed)
{
    const auto json = ExpectationJson({{{"", "mfu", 0.5, 0.1}, 0.6}, {{"b", "gain", 2, 0}}});
    EXPECT_FALSE(json[0].contains("variant"));
    EXPECT_EQ(json[0]["given"], 0.6);
    EXPECT_EQ(json[0]["holds"], false);
    EXPECT_EQ(json[1]["variant"], "b");
    EXPECT_FALSE(json[1].contains("given"));
    EXPECT_EQ(json[1]["tolerance"], 0);
}

TEST(ExpectedValues, FindAMetricByItsNameWithoutTheUnit)
{
    const ComparisonTable table(
        {}, {RowOf("a", {IterationOf(2)}), RowOf("b", {IterationOf(1), IterationOf(1)})});
    const auto given = GivenBy(table,
                               {{"a", "iteration_time", 2, 0},
                                {"b", "speedup", 2, 0},
                                {"b", "iteration_time_ci95", 0, 0},
                                {"b", "_ci95", 0, 0}});
    ASSERT_EQ(given.size(), 4u);
    EXPECT_TRUE(given[0].Holds());
    EXPECT_TRUE(given[1].Holds());
    EXPECT_TRUE(given[2].Holds());  // equal seeds have no interval
    EXPECT_FALSE(given[3].Holds()); // no metric's name
}

// The 0.975 quantiles of Student's t for n - 1 degrees of freedom (any table of it); s = 1 and
// sqrt(n) are divided out.
TEST(Intervals, FollowStudentsT)
{
    const std::pair<std::size_t, double> quantiles[] = {
        {2, 12.7062}, {3, 4.3027}, {5, 2.7764}, {10, 2.2622}, {30, 2.0452}};
    for (const auto& [n, quantile] : quantiles)
    {
        // Half of the samples at +d and half at -d, d so that s is 1; an odd one is at the mean.
        const double pairs = std::floor(static_cast<double>(n) / 2);
        const double d = std::sqrt(static_cast<double>(n - 1) / (2 * pairs));
        std::vector<double> samples(n % 2, 7);
        for (int i = 0; i < static_cast<int>(pairs); ++i)
        {
            samples.push_back(7 + d);
            samples.push_back(7 - d);
        }
        const auto interval = MeanOf(samples);
        EXPECT_NEAR(interval.mean, 7, 1e-12);
        EXPECT_NEAR(interval.halfWidth * std::sqrt(static_cast<double>(n)), quantile, 1e-4) << n;
    }
}

TEST(Intervals, SpreadIsTheSameFromEitherSide)
{
    const std::vector<double> first{1, 2, 4};
    for (const auto& second : std::vector<std::vector<double>>{{1, 9}, {2}, {20}, {30, 31, 29}})
    {
        EXPECT_EQ(ExceedsSpread(first, second), ExceedsSpread(second, first)) << second.front();
    }
}

// Seeds that all agree have no spread: any other mean exceeds it.
TEST(Intervals, WithoutSpreadAnyDifferenceExceeds)
{
    EXPECT_EQ(ExceedsSpread({2, 2, 2}, {2, 2}), false);
    EXPECT_EQ(ExceedsSpread({2, 2, 2}, {2.001, 2.001}), true);
    EXPECT_EQ(ExceedsSpread({2, 2}, {2.001}), true);
}

} // namespace

} // namespace geotrain
