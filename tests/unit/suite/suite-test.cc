// SPDX-License-Identifier: GPL-2.0-only
// The paper's figures are whole: each is declared once, finds the variants that it shows, and can be
// asked for by name. That the variants load is tested with the library.
#include "error-text.h"
#include "loader/declared-results.h"
#include "suite/paper-suite.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace geotrain
{

namespace
{

/// Returns the plans as a comparison without results, in which figures look for their variants.
Comparison
AsComparison(const VariantPlans& plans)
{
    Comparison comparison{plans.variedPaths, {}};
    for (const auto& variant : plans.variants)
    {
        comparison.variants.push_back({variant.name, {}, variant.values});
    }
    return comparison;
}

TEST(PaperSuite, HasTheFiguresOfThePaper)
{
    const auto names = PaperFigureNames();
    const std::set<std::string> different(names.begin(), names.end());
    EXPECT_EQ(different.size(), names.size());
    const std::set<std::string> asked{"connections-rtt",
                                      "iteration-rtt",
                                      "speedup-rtt",
                                      "timelines",
                                      "timelines-one-connection",
                                      "schedules-microbatches",
                                      "schedules-ratio",
                                      "utilization-causes",
                                      "plan-gpus",
                                      "plan-unequal",
                                      "utilization-load",
                                      "ttft-load",
                                      "utilization-ttft",
                                      "ttft-cdf",
                                      "fill-flops",
                                      "fill-gain",
                                      "goodput-rtt",
                                      "goodput-loss",
                                      "completion-cdf",
                                      "iteration-map",
                                      "iteration-map-cross-traffic",
                                      "window-time",
                                      "wan-sharing",
                                      "sharing-memory",
                                      "sharing-memory-time",
                                      "analytic-packets",
                                      "utilization-objective",
                                      "in-time-objective"};
    EXPECT_EQ(different, asked);
}

TEST(PaperSuite, EveryFigureFindsItsVariantsQuickAndInFull)
{
    for (const bool full : {false, true})
    {
        for (const auto& comparison : PaperComparisons())
        {
            VariantRequest request;
            request.full = full;
            const auto variants = AsComparison(PlanVariants(comparison.text, request));
            for (const auto& figure : ReadFigures(comparison.text))
            {
                const auto shown = VariantsFor(variants, figure).size();
                EXPECT_GE(shown, figure.ShowsMetric() ? 8U : 2U) << figure.name;
                EXPECT_GE(shown, figure.variants.size()) << figure.name;
            }
        }
    }
}

TEST(PaperSuite, EveryVariantIsInAFigure)
{
    for (const auto& comparison : PaperComparisons())
    {
        const auto variants = AsComparison(PlanVariants(comparison.text, {}));
        std::set<std::size_t> shown;
        for (const auto& figure : ReadFigures(comparison.text))
        {
            const auto places = VariantsFor(variants, figure);
            shown.insert(places.begin(), places.end());
        }
        for (std::size_t i = 0; i < variants.variants.size(); ++i)
        {
            EXPECT_EQ(shown.count(i), 1U) << variants.variants[i].variant;
        }
    }
}

TEST(PaperSuite, RefusesAnUnknownFigureAndNamesTheNearest)
{
    const auto error = ErrorText([] { RefuseUnknownFigures({"goodput-rt"}); });
    EXPECT_NE(error.find("goodput-rtt"), std::string::npos) << error;
    RefuseUnknownFigures({"goodput-rtt", "plan-gpus"});
}

} // namespace

} // namespace geotrain
