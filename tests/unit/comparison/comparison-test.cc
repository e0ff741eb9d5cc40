// SPDX-License-Identifier: GPL-2.0-only
// Tests a comparison's variants, seeds, intervals and tables, and its jobs in processes.
#include "comparison/comparison-table.h"
#include "comparison/job-pool.h"
#include "comparison/mean-interval.h"
#include "comparison/text-table.h"
#include "comparison/variants.h"
#include "schema/scenario.pb.h"

#include "small-scenario.h"

#include <gtest/gtest.h>

#include <csignal>
#include <unistd.h>

namespace geotrain
{

namespace
{

TEST(Variants, VariedPathsMultiply)
{
    VariantRequest request;
    request.varies = {"transport.connections=1,4", "parallelism.layers_per_stage=[2, 2],[3, 1]"};
    const auto plans = PlanVariants(AsText(SmallScenarioText()), request);
    ASSERT_EQ(plans.variants.size(), 4U);
    EXPECT_EQ(plans.variedPaths[1], "parallelism.layers_per_stage");
    EXPECT_EQ(plans.variants[3].values, (std::vector<std::string>{"4", "[3, 1]"}));
    const auto loaded = LoadScenario(AsText(SmallScenarioText()), plans.variants[3].assignments);
    EXPECT_EQ(loaded.transport.connections, 4u);
    EXPECT_EQ(loaded.resolved->parallelism().layers_per_stage(0), 3);
}

TEST(Variants, AScenarioWithoutAnyIsItsOwn)
{
    EXPECT_EQ(PlanVariants(AsText(SmallScenarioText()), {}).variants.at(0).name, "base");
}

TEST(Variants, EveryPathThatAListedVariantSetsIsAVariedPath)
{
    const auto text = SmallScenarioText() + R"(
        variant { name: "a" }
        variant { name: "b" set: "mtu=9000" set: "transport.connections=4" }
        variant { name: "c" set: "transport.connections=8" })";
    VariantRequest request;
    request.sets = {"model.microbatches=4"}; // not varied: all have it
    const auto plans = PlanVariants(AsText(text), request);
    EXPECT_EQ(plans.variedPaths, (std::vector<std::string>{"mtu", "transport.connections"}));
    EXPECT_EQ(plans.variants[0].values, (std::vector<std::string>{"", ""}));
    EXPECT_EQ(plans.variants[1].values, (std::vector<std::string>{"9000", "4"}));
    EXPECT_EQ(plans.variants[2].values, (std::vector<std::string>{"", "8"}));
}

TEST(Variants, NamesOfFoldersAreUniqueAndPlain)
{
    VariantRequest request;
    request.varies = {"wan_link[0].queue_disc=a/b,a b"};
    const auto plans = PlanVariants(AsText(SmallScenarioText()), request);
    EXPECT_EQ(plans.variants[0].name, "queue_disc=a-b");
    EXPECT_EQ(plans.variants[1].name, "queue_disc=a-b-2");
}

TEST(Variants, AnUnknownPathIsRefusedBeforeAnythingRuns)
{
    VariantRequest request;
    request.varies = {"transport.konnections=1,2"};
    EXPECT_THROW(PlanVariants(AsText(SmallScenarioText()), request), ConfigError);
}

TEST(Seeds, AreRangesOrLists)
{
    EXPECT_EQ(ParseSeeds("2..4"), (std::vector<std::int64_t>{2, 3, 4}));
    EXPECT_EQ(ParseSeeds("7,1"), (std::vector<std::int64_t>{7, 1}));
    for (const auto* bad :
         {"", "0", "3..1", "a", "1..", "..2", "1,1", "1,", "-1..2", "1..99999999"})
    {
        EXPECT_THROW(ParseSeeds(bad), ConfigError) << bad;
    }
}

TEST(MeanInterval, IsStudents)
{
    // mean 2, s = 1, t(0.975, 2) = 4.302653: half width 4.302653 / sqrt(3).
    const auto interval = MeanOf({1, 2, 3});
    EXPECT_DOUBLE_EQ(interval.mean, 2);
    EXPECT_NEAR(interval.halfWidth, 4.302653 / std::sqrt(3.0), 1e-5);
    EXPECT_EQ(MeanOf({5}).halfWidth, 0);
}

TEST(MeanInterval, WelchsTestSaysWhatExceedsTheSpread)
{
    // s^2 = 1 and n = 3 for both: the means' difference has sqrt(2/3) = 0.8165 and 4 degrees of
    // freedom, t(0.975, 4) = 2.776445, so that 2.2670 is the least that exceeds.
    EXPECT_EQ(ExceedsSpread({1, 2, 3}, {3.26, 4.26, 5.26}), false);
    EXPECT_EQ(ExceedsSpread({1, 2, 3}, {3.27, 4.27, 5.27}), true);
}

TEST(MeanInterval, ASingleRunExceedsWhereFewSingleRunsAre)
{
    // 2 +- t(0.975, 2) sqrt(1 + 1/3) = 4.302653 x 1.154701 = 4.96828
    EXPECT_EQ(ExceedsSpread({1, 2, 3}, {6.96}), false);
    EXPECT_EQ(ExceedsSpread({6.97}, {1, 2, 3}), true);
    EXPECT_EQ(ExceedsSpread({1}, {2}), std::nullopt);
    EXPECT_EQ(ExceedsSpread({1, 1}, {1}), false);
}

Summary
SummaryWith(double seconds)
{
    Summary summary;
    summary.metrics = {{"iteration_time", seconds, "s"}, {"gpu_utilization", 0.5, ""}};
    return summary;
}

TEST(ComparisonTable, HasVariantVariedPathsMetricsAndSpeedup)
{
    const ComparisonTable table({"mtu"},
                                {{"a", {"1500"}, 0, "", {SummaryWith(4)}},
                                 {"b", {"9000"}, 2, "stuck", {}},
                                 {"c", {"9,000"}, 0, "", {SummaryWith(2)}}});
    EXPECT_EQ(table.Csv(),
              "variant,mtu,iteration_time_s,gpu_utilization,speedup\n"
              "a,1500,4,0.5,1\n"
              "b,9000,,,\n"
              "c,\"9,000\",2,0.5,2\n");
    EXPECT_EQ(table.Json()["variants"][1]["exit_code"], 2);
    EXPECT_EQ(table.Means().variants.size(), 2U);
}

TEST(ComparisonTable, WarningsAreGroupedByTextWithTheirVariants)
{
    const auto warned = [](std::vector<std::string> texts)
    {
        Summary summary = SummaryWith(1);
        summary.warnings = std::move(texts);
        return summary;
    };
    const ComparisonTable table(
        {},
        {{"a", {}, 0, "", {warned({"ignores loss", "an estimate"}), warned({"ignores loss"})}},
         {"b", {}, 0, "", {warned({"an estimate"})}},
         {"c", {}, 0, "", {warned({"an estimate", "ignores loss"})}}});
    EXPECT_EQ(table.WarningText(), "warning: ignores loss (a, c)\nwarning: an estimate\n");
    const auto json = table.Json()["warnings"];
    ASSERT_EQ(json.size(), 2u);
    EXPECT_EQ(json[0]["text"], "ignores loss");
    EXPECT_EQ(json[0]["variants"], (std::vector<std::string>{"a", "c"}));
    EXPECT_EQ(json[1]["variants"].size(), 3u);
    EXPECT_EQ(ComparisonTable({}, {{"a", {}, 0, "", {SummaryWith(1)}}}).WarningText(), "");
}

TEST(ComparisonTable, SeedsGiveMeansAndIntervals)
{
    const ComparisonTable table({}, {{"a", {}, 0, "", {SummaryWith(4), SummaryWith(6)}}});
    const auto csv = table.Csv();
    EXPECT_EQ(csv.substr(0, csv.find('\n')),
              "variant,iteration_time_s,gpu_utilization,speedup,iteration_time_s_ci95,gpu_"
              "utilization_ci95");
    EXPECT_EQ(table.Means().variants[0].summary.metrics[0].value, 5);
}

TEST(ComparisonTable, MeansHoldTheTimesThatVariantsSet)
{
    const ComparisonTable table({"wan_link[*].delay", "schedule.name"},
                                {{"a", {"50ms", "1f1b"}, 0, "", {SummaryWith(4)}},
                                 {"b", {"20 parrots", ""}, 0, "", {SummaryWith(3)}},
                                 {"c", {"5ms", "1f1b"}, 2, "stuck", {}}});
    const auto comparison = table.Means();
    EXPECT_EQ(comparison.variedPaths.size(), 2U);
    ASSERT_EQ(comparison.variants.size(), 2U); // without the one that failed
    EXPECT_EQ(comparison.variants[0].values[0].seconds, 0.05);
    EXPECT_EQ(comparison.variants[0].values[1].text, "1f1b");
    EXPECT_FALSE(comparison.variants[0].values[1].seconds);
    EXPECT_FALSE(comparison.variants[1].values[0].seconds);
}

TEST(TextTable, RightAlignsColumnsOfNumbers)
{
    TextTable table({"name", "x"});
    table.AddRow({"a", "1"});
    table.AddRow({"bb", "22.5"});
    EXPECT_EQ(table.Text(), "name     x\na        1\nbb    22.5\n");
}

TEST(JobPool, ReportsEachExitCodeAndLetsTheOthersFinish)
{
    const std::vector<Job> jobs{[](const JobProgress&) { return 0; },
                                [](const JobProgress&) { return 2; },
                                [](const JobProgress&) -> int
                                {
                                    raise(SIGKILL);
                                    return 0;
                                },
                                [](const JobProgress& progress)
                                {
                                    progress(1);
                                    return 0;
                                }};
    const auto codes = RunJobs(jobs, 2, [](const std::vector<double>&) {});
    EXPECT_EQ(codes, (std::vector<int>{0, 2, 128 + SIGKILL, 0}));
}

} // namespace

} // namespace geotrain
