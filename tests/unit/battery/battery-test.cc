// SPDX-License-Identifier: GPL-2.0-only
// The headings of the battery are whole: each has figures and criteria, and each of these finds its
// variants.
#include "battery/battery.h"
#include "battery/card-lines.h"
#include "battery/run-battery.h"
#include "loader/declared-results.h"
#include "units/config-error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace geotrain
{

namespace
{

const char* const batteryControls[] = {"TcpCubic", "TcpLinuxReno", "TcpHtcp", "TcpBbr", "TcpBbr3"};

VariantPlans
PlansOfHeading(const BatteryHeading& heading, bool full)
{
    VariantRequest request;
    request.full = full;
    return PlanVariants(heading.text, request);
}

/// Returns the plans as a table without results, in which rows can be looked up.
ComparisonTable
TableOfPlans(const VariantPlans& plans)
{
    std::vector<ComparisonRow> rows;
    for (const auto& variant : plans.variants)
    {
        rows.push_back({variant.name, variant.values, 0, "", {}, variant.title});
    }
    return {plans.variedPaths, rows};
}

std::string
ValueAt(const VariantPlans& plans, const VariantPlan& variant, const std::string& path)
{
    const auto& paths = plans.variedPaths;
    const auto column = std::find(paths.begin(), paths.end(), path) - paths.begin();
    return static_cast<std::size_t>(column) < variant.values.size()
               ? variant.values[static_cast<std::size_t>(column)]
               : "";
}

TEST(BatteryHeadings, CoverWhatTheFieldAsksFor)
{
    std::set<std::string> names;
    for (const auto& heading : BatteryHeadings())
    {
        EXPECT_TRUE(names.insert(heading.name).second) << heading.name;
        EXPECT_FALSE(heading.title.empty());
    }
    const std::set<std::string> asked{"buffer",
                                      "loss",
                                      "rtt",
                                      "matrix",
                                      "rtt-fairness",
                                      "convergence",
                                      "responsiveness",
                                      "short-flows",
                                      "cross-traffic",
                                      "parking-lot",
                                      "aqm-ecn",
                                      "burst-loss",
                                      "reordering",
                                      "striping",
                                      "fast-loss",
                                      "fast-buffer",
                                      "training",
                                      "all-reduce"};
    EXPECT_EQ(names, asked);
}

// Twelve seeds bring the diagonal of the matrix within six points (matrix-diagonal-test).
TEST(BatteryHeadings, HaveFiveSeedsAndTenInFullButTheMatrixTwelve)
{
    for (const auto& heading : BatteryHeadings())
    {
        const bool isMatrix = heading.name == "matrix";
        EXPECT_EQ(PlansOfHeading(heading, false).seeds.size(), isMatrix ? 12U : 5U) << heading.name;
        EXPECT_EQ(PlansOfHeading(heading, true).seeds.size(), isMatrix ? 12U : 10U) << heading.name;
    }
}

TEST(BatteryHeadings, HaveFiguresEachOfWhosePointsIsOneVariant)
{
    for (const auto& heading : BatteryHeadings())
    {
        const auto figures = ReadFigures(heading.text);
        EXPECT_FALSE(figures.empty()) << heading.name;
        for (const auto& figure : figures)
        {
            const auto plans = PlansOfHeading(heading, true);
            std::set<std::pair<std::string, std::string>> points;
            for (const auto& variant : plans.variants)
            {
                const std::pair point{ValueAt(plans, variant, figure.by),
                                      ValueAt(plans, variant, figure.across)};
                const bool isMeant =
                    std::all_of(figure.where.begin(),
                                figure.where.end(),
                                [&](const FieldValue& value)
                                { return ValueAt(plans, variant, value.first) == value.second; });
                if (isMeant && !point.first.empty() && !point.second.empty())
                {
                    EXPECT_TRUE(points.insert(point).second)
                        << heading.name << ": " << figure.name << ": " << variant.name;
                }
            }
            EXPECT_GE(points.size(), 10U) << heading.name << ": " << figure.name;
        }
    }
}

TEST(BatteryHeadings, HaveCriteriaThatJudgeOneVariantOfEachControlOrItsExponent)
{
    for (const auto& heading : BatteryHeadings())
    {
        const auto plans = PlansOfHeading(heading, false);
        const auto table = TableOfPlans(plans);
        const auto criteria = ReadCriteria(heading.text);
        EXPECT_FALSE(criteria.empty()) << heading.name;
        for (const auto& criterion : criteria)
        {
            std::size_t judged = 0;
            for (const auto* control : batteryControls)
            {
                const auto rows = RowsFor(table, criterion, control);
                const bool isJudged = !rows.empty();
                const bool isExponent = !criterion.exponentAcross.empty(); // of several variants
                EXPECT_TRUE(!isJudged || (rows.size() > 1) == isExponent)
                    << heading.name << ": " << criterion.what;
                judged += isJudged ? 1 : 0;
            }
            // TcpBbr and TcpBbr3 have no variant with ECN.
            EXPECT_GE(judged, 3U) << heading.name << ": " << criterion.what;
            EXPECT_NE(criterion.source.find("RFC"), std::string::npos) << criterion.what;
        }
    }
}

TEST(BatteryHeadings, TakeAnyOtherControlIntoEveryHeading)
{
    for (const auto& heading : BatteryHeadings())
    {
        VariantRequest request;
        request.control = "TcpIllinois";
        const auto plans = PlanVariants(heading.text, request);
        const bool isThere = std::any_of(
            plans.variants.begin(),
            plans.variants.end(),
            [&](const VariantPlan& variant)
            { return ValueAt(plans, variant, "transport.congestion_control") == "TcpIllinois"; });
        EXPECT_TRUE(isThere) << heading.name;
        EXPECT_GT(plans.variants.size(), PlansOfHeading(heading, false).variants.size());
    }
}

TEST(ControlOfCard, IsTheShortestNameThatFindsIt)
{
    EXPECT_EQ(ControlOfCard("bbr3"), "TcpBbr3");
    EXPECT_EQ(ControlOfCard("geotrain::TcpBbr3"), "TcpBbr3");
    EXPECT_EQ(ControlOfCard("ns3::TcpIllinois"), "TcpIllinois");
}

TEST(ControlOfCard, NamesTheListWhereThereIsNone)
{
    try
    {
        ControlOfCard("Nonsense");
        FAIL();
    }
    catch (const ConfigError& error)
    {
        const std::string text = error.what();
        EXPECT_NE(text.find("--card"), std::string::npos) << text;
        EXPECT_NE(text.find("congestion-controls"), std::string::npos) << text;
    }
}

} // namespace

} // namespace geotrain
