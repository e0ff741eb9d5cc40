// SPDX-License-Identifier: GPL-2.0-only
// Judges hand-made numbers by hand-made criteria.
#include "battery/card-lines.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace geotrain
{

namespace
{

Criterion
Between(std::optional<double> atLeast, std::optional<double> atMost)
{
    Criterion criterion;
    criterion.what = "Goodput";
    criterion.metric = "goodput_over_capacity";
    criterion.unit = "%";
    criterion.factor = 100;
    criterion.by = "transport.congestion_control";
    criterion.where = {{"wan_link[0].queue", "1bdp"}};
    criterion.atLeast = atLeast;
    criterion.atMost = atMost;
    return criterion;
}

/// Returns a row of TcpBbr3 with one seed for each of `goodputs`.
ComparisonRow
RowOfGoodputs(const std::string& queue, const std::vector<double>& goodputs)
{
    ComparisonRow row{"TcpBbr3_" + queue, {"TcpBbr3", queue}, 0, "", {}};
    for (const double goodput : goodputs)
    {
        Summary summary;
        summary.metrics = {{"goodput_over_capacity", goodput, ""}};
        row.summaries.push_back(summary);
    }
    return row;
}

ComparisonTable
TableOfRows(const std::vector<ComparisonRow>& rows)
{
    return {{"transport.congestion_control", "wan_link[0].queue"}, rows};
}

TEST(VerdictOn, PassesWhereTheWholeIntervalIsWithinTheBoundsEndsIncluded)
{
    EXPECT_EQ(VerdictOn(Between(90, {}), MeanInterval{92, 2}), Verdict::Pass);
    EXPECT_EQ(VerdictOn(Between({}, 94), MeanInterval{92, 2}), Verdict::Pass);
    EXPECT_EQ(VerdictOn(Between(90, 94), MeanInterval{92, 2}), Verdict::Pass);
}

TEST(VerdictOn, AsksForALookWhereSomeOfTheIntervalIsOutside)
{
    EXPECT_EQ(VerdictOn(Between(90, {}), MeanInterval{92, 2.1}), Verdict::Look);
    EXPECT_EQ(VerdictOn(Between({}, 94), MeanInterval{92, 2.1}), Verdict::Look);
    EXPECT_EQ(VerdictOn(Between(90, {}), MeanInterval{80, 0}), Verdict::Look);
}

TEST(VerdictOn, GivesTheNumberAloneWithoutBounds)
{
    EXPECT_EQ(VerdictOn(Between({}, {}), MeanInterval{1e9, 5}), Verdict::NumberOnly);
}

TEST(VerdictOn, SaysWhereThereIsNoNumber)
{
    EXPECT_EQ(VerdictOn(Between(90, {}), std::nullopt), Verdict::NotRun);
}

TEST(CardLinesOf, ShowMeanAndIntervalInTheCriterionsUnit)
{
    // Mean 0.92; s = 0.02, t(0.975, 2) = 4.303: half width 4.303 x 0.02 / sqrt 3 = 0.0497.
    const auto table =
        TableOfRows({RowOfGoodputs("4bdp", {0.1}), RowOfGoodputs("1bdp", {0.90, 0.92, 0.94})});
    const auto lines = CardLinesOf(table, {Between(87, {}), Between(88, {})}, "TcpBbr3");
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0].number, "92 ± 5 %");
    EXPECT_EQ(lines[0].verdict, Verdict::Pass);
    EXPECT_EQ(lines[1].verdict, Verdict::Look); // 92 - 4.97 < 88
}

/// Returns a criterion of the exponent of goodput over the queue.
Criterion
ExponentOverQueue()
{
    auto criterion = Between({}, {});
    criterion.unit = "";
    criterion.factor = 1;
    criterion.where = {};
    criterion.exponentAcross = "wan_link[0].queue";
    return criterion;
}

TEST(CardLinesOf, GiveTheExponentOfAPowerLawWithItsIntervalOverTheSeeds)
{
    // Seed by seed y = 0.3 x^k with k = -1.0, -0.8 and -0.6: mean -0.8, s = 0.2, and half width
    // t(0.975, 2) s / sqrt 3 = 4.303 x 0.2 / 1.732 = 0.497.
    std::vector<ComparisonRow> rows;
    for (const int queue : {1, 2, 4, 8})
    {
        std::vector<double> goodputs;
        for (const double k : {-1.0, -0.8, -0.6})
        {
            goodputs.push_back(0.3 * std::pow(queue, k));
        }
        rows.push_back(RowOfGoodputs(std::to_string(queue) + "bdp", goodputs));
    }
    auto criterion = ExponentOverQueue();
    auto line = CardLinesOf(TableOfRows(rows), {criterion}, "TcpBbr3")[0];
    EXPECT_EQ(line.number, "-0.8 ± 0.5");
    EXPECT_EQ(line.verdict, Verdict::NumberOnly);
    criterion.atLeast = -1.3;
    line = CardLinesOf(TableOfRows(rows), {criterion}, "TcpBbr3")[0];
    EXPECT_EQ(line.verdict, Verdict::Pass); // -0.8 - 0.497 > -1.3
    EXPECT_EQ(line.best, "-0.8 ± 0.5, TcpBbr3");
}

TEST(CardLinesOf, GiveTheExponentOfARatioOfMetrics)
{
    // A share s ~ x^-1 of one flow and 1 - s of the other: the ratio, not the share, is a power law.
    std::vector<ComparisonRow> rows;
    for (const double ratio : {1.0, 2.0, 4.0})
    {
        rows.push_back(RowOfGoodputs(fmt::format("{}ms", 10 * ratio), {1 / (1 + ratio)}));
        rows.back().summaries[0].metrics.push_back({"other", ratio / (1 + ratio), ""});
    }
    auto criterion = ExponentOverQueue();
    criterion.overMetric = "other";
    EXPECT_EQ(CardLinesOf(TableOfRows(rows), {criterion}, "TcpBbr3")[0].number, "-1");
}

TEST(CardLinesOf, SayWhereThereIsNoExponent)
{
    const auto numberOf = [](const std::vector<ComparisonRow>& rows)
    { return CardLinesOf(TableOfRows(rows), {ExponentOverQueue()}, "TcpBbr3")[0].number; };
    EXPECT_EQ(numberOf({RowOfGoodputs("1bdp", {0.9})}), "no two values of wan_link[0].queue");
    EXPECT_EQ(numberOf({}), "no such variant");
}

TEST(CardLinesOf, ShowTheBoundsAndWhatTheyComeFrom)
{
    const auto table = TableOfRows({});
    const auto reference = [&](std::optional<double> atLeast, std::optional<double> atMost)
    {
        auto criterion = Between(atLeast, atMost);
        criterion.reference = "Reno's";
        return CardLinesOf(table, {criterion}, "TcpBbr3")[0].reference;
    };
    EXPECT_EQ(reference(90, {}), "at least 90 %: Reno's");
    EXPECT_EQ(reference({}, 1.5), "at most 1.5 %: Reno's");
    EXPECT_EQ(reference(35, 65), "35 to 65 %: Reno's");
    EXPECT_EQ(reference({}, {}), "Reno's");
}

TEST(CardLinesOf, HaveCubicsNumberTheBestAndTheKernels)
{
    auto cubic = RowOfGoodputs("1bdp", {0.6});
    cubic.values[0] = "TcpCubic";
    auto reno = RowOfGoodputs("1bdp", {0.95});
    reno.values[0] = "TcpLinuxReno";
    auto elsewhere = RowOfGoodputs("4bdp", {0.99}); // not the criterion's variant
    const auto table = TableOfRows({cubic, RowOfGoodputs("1bdp", {0.9}), reno, elsewhere});
    const auto best = [&](std::optional<double> atLeast, std::optional<double> atMost)
    { return CardLinesOf(table, {Between(atLeast, atMost)}, "TcpBbr3")[0].best; };
    EXPECT_EQ(best(90, {}), "95 %, TcpLinuxReno");
    EXPECT_EQ(best({}, 50), "60 %, TcpCubic");
    EXPECT_EQ(best(85, 91), "90 %, TcpBbr3");
    EXPECT_EQ(best({}, {}), "");
    auto criterion = Between(90, {});
    criterion.kernel = {{"TcpCubic", 40.2, 1.1}, {"TcpBbr", 94, {}}};
    criterion.kernelVersion = "Linux 6.18, November 2026";
    const auto line = CardLinesOf(table, {criterion}, "TcpBbr3")[0];
    EXPECT_EQ(line.cubic, "60 %");
    EXPECT_EQ(line.kernel, "TcpCubic 40 ± 1 %, TcpBbr 94 % (Linux 6.18, November 2026)");
    EXPECT_EQ(CardLinesOf(TableOfRows({}), {criterion}, "TcpBbr3")[0].cubic, "");
}

TEST(CardLinesOf, SayWhyThereIsNoNumber)
{
    auto failed = RowOfGoodputs("1bdp", {});
    failed.exitCode = 2;
    failed.error = "deadline";
    auto other = Between(90, {});
    other.metric = "jain_index";
    EXPECT_EQ(CardLinesOf(TableOfRows({failed}), {Between(90, {})}, "TcpBbr3")[0].number,
              "failed: deadline");
    const auto table = TableOfRows({RowOfGoodputs("1bdp", {0.9})});
    EXPECT_EQ(CardLinesOf(table, {other}, "TcpBbr3")[0].number, "no jain_index");
    const auto missing = CardLinesOf(table, {Between(90, {})}, "TcpVegas")[0];
    EXPECT_EQ(missing.number, "no such variant");
    EXPECT_EQ(missing.verdict, Verdict::NotRun);
}

} // namespace

} // namespace geotrain
