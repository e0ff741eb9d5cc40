// SPDX-License-Identifier: GPL-2.0-only
// Tests a comparison's variants, seeds and intervals, and its jobs in processes.
#include "comparison/comparison-text.h"
#include "comparison/expectations.h"
#include "comparison/job-pool.h"
#include "comparison/mean-interval.h"
#include "comparison/planned-runs.h"
#include "comparison/variant-title.h"
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

Summary
SummaryWith(double seconds)
{
    Summary summary;
    summary.metrics = {{"iteration_time", seconds, "s"}, {"gpu_utilization", 0.5, ""}};
    return summary;
}

TEST(Variants, VariedPathsMultiply)
{
    VariantRequest request;
    request.varies = {"transport.connections=1,4", "parallelism.layers_per_stage=[2, 2],[3, 1]"};
    const auto plans = PlanVariants(AsText(SmallScenarioText()), request);
    ASSERT_EQ(plans.variants.size(), 4U);
    EXPECT_EQ(plans.variedPaths[1], "parallelism.layers_per_stage");
    EXPECT_EQ(plans.variants[3].values, (std::vector<std::string>{"4", "[3, 1]"}));
    const auto loaded = LoadScenario(AsText(SmallScenarioText()), plans.variants[3].assignments);
    EXPECT_EQ(loaded.testbed.transport.connections, 4u);
    EXPECT_EQ(loaded.provenance.resolved->parallelism().layers_per_stage(0), 3);
}

TEST(Variants, ValuesMakePhrasesAsTitles)
{
    VariantRequest request;
    request.varies = {"transport.connections=5",
                      "sharing=TEMPORAL",
                      "transport.congestion_control=TcpBbr",
                      "wan_link[0].rate=10Gbps",
                      "wan_link[0].queue=0.5bdp",
                      "transport.ecn=true,false"};
    const auto plans = PlanVariants(AsText(SmallScenarioText()), request);
    EXPECT_EQ(plans.variants[0].title,
              "connections 5, temporal sharing, TcpBbr, rate 10 Gbit/s, queue 0.5 BDP, ecn");
    EXPECT_EQ(plans.variants[1].title,
              "connections 5, temporal sharing, TcpBbr, rate 10 Gbit/s, queue 0.5 BDP, not ecn");
}

TEST(Variants, PathsThatEndAlikeAreWholeInTitles)
{
    EXPECT_EQ(
        TitleOfValues({"wan_link[0].delay", "wan_link[1].delay", "mtu"}, {"5ms", "1e-3s", "9000"}),
        "wan_link[0].delay 5 ms, wan_link[1].delay 1e-3s, mtu 9000");
}

TEST(Variants, TitlesAreTheListedOnesOrTheNames)
{
    const auto text = SmallScenarioText() + R"(
        variant { name: "a" title: "1F1B, 20 connections" }
        variant { name: "b" })";
    const auto plans = PlanVariants(AsText(text), {});
    EXPECT_EQ(plans.variants[0].title, "1F1B, 20 connections");
    EXPECT_EQ(plans.variants[1].title, "b");
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

TEST(Variants, FullSetsAreOfEveryVariantInFullAndYieldToTheCommandLine)
{
    const auto text = SmallScenarioText() + R"(
        full_set: "mtu=9000"
        variant { name: "a" set: "transport.connections=4" })";
    const auto mtuOf = [&](const VariantRequest& request)
    {
        const auto plans = PlanVariants(AsText(text), request);
        EXPECT_EQ(plans.variedPaths, (std::vector<std::string>{"transport.connections"}));
        const auto loaded = LoadScenario(AsText(text), plans.variants.at(0).assignments);
        EXPECT_EQ(loaded.provenance.resolved->full_set_size(), 0);
        return loaded.provenance.resolved->mtu();
    };
    VariantRequest request;
    EXPECT_EQ(mtuOf(request), 1500);
    request.full = true;
    EXPECT_EQ(mtuOf(request), 9000);
    request.sets = {"mtu=4000"};
    EXPECT_EQ(mtuOf(request), 4000);
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

// Where nothing is random in some variants, seeds of the others alone save runs.
TEST(Variants, MayHaveSeedsOfTheirOwn)
{
    const auto text = SmallScenarioText() + R"(
variant { name: "plain" }
variant { name: "drawn" set: "run.seeds=[4, 2]" }
)";
    const auto scenario = AsText(text);
    const auto plans = PlanVariants(scenario, {});
    EXPECT_TRUE(plans.seeds.empty());
    std::vector<std::string> folders;
    for (const auto& run : PlanRuns(scenario, plans, plans.seeds, "out"))
    {
        folders.push_back(run.folder.string());
    }
    EXPECT_EQ(folders,
              (std::vector<std::string>{"out/plain", "out/drawn/seed-4", "out/drawn/seed-2"}));
    VariantRequest request;
    request.sets = {"run.seed=7"};
    EXPECT_TRUE(PlanVariants(scenario, request).variants.at(1).seeds.empty());
}

TEST(Variants, SeedsOfTheScenarioYieldToASeedOfTheCommandLine)
{
    const auto text = SmallScenarioText() + "run { seeds: [3, 1] }";
    const auto plans = PlanVariants(AsText(text), {});
    EXPECT_EQ(plans.seeds, (std::vector<std::int64_t>{3, 1}));
    // The scenario of a run has one seed.
    const auto loaded = LoadScenario(AsText(text), plans.variants[0].assignments);
    EXPECT_EQ(loaded.provenance.resolved->run().seeds_size(), 0);
    VariantRequest request;
    request.sets = {"run.seed=7"};
    EXPECT_TRUE(PlanVariants(AsText(text), request).seeds.empty());
    EXPECT_THROW(PlanVariants(AsText(SmallScenarioText() + "run { seeds: [2, 2] }"), {}),
                 ConfigError);
}

TEST(Expectations, HoldWithinTheirTolerance)
{
    // |given - value| <= tolerance |value|; where the value is 0, <= tolerance.
    EXPECT_TRUE((ExpectedValue{{"", "m", 100, 0.02}, 102}.Holds()));
    EXPECT_FALSE((ExpectedValue{{"", "m", 100, 0.02}, 102.1}.Holds()));
    EXPECT_TRUE((ExpectedValue{{"", "m", -100, 0.02}, -98}.Holds()));
    EXPECT_TRUE((ExpectedValue{{"", "m", 0, 0.1}, 0.1}.Holds()));
    EXPECT_FALSE((ExpectedValue{{"", "m", 0, 0.1}, 0.2}.Holds()));
    EXPECT_FALSE((ExpectedValue{{"", "m", 1, 0.1}}.Holds())); // no such metric
}

TEST(Expectations, MayBeOfAJob)
{
    const auto expectations = ReadExpectations(AsText(SmallScenarioText() + R"(
        expected { metric: "iteration_time" value: 4 job: "a" }
        expected { metric: "iteration_time" value: 4 }
        expected { metric: "iteration_time" value: 4 job: "b" })"));
    Summary run;
    run.jobs = {SummaryWith(4)};
    run.jobs[0].header.set_job("a");
    const auto given = GivenBy(run, expectations);
    ASSERT_EQ(given.size(), 3U);
    EXPECT_EQ(given[0].given, 4);
    EXPECT_FALSE(given[1].given); // the whole run has no iterations
    EXPECT_FALSE(given[2].given);
    auto ofVariant = expectations;
    ofVariant[0].variant = "v";
    const ComparisonTable table({}, {{"v", {}, 0, "", {run}}});
    EXPECT_EQ(GivenBy(table, ofVariant).at(0).given, 4);
    EXPECT_EQ(ExpectationJson(given)[0]["job"], "a");
}

TEST(Expectations, AreOfTheVariantsThatRan)
{
    const auto text = SmallScenarioText() + R"(
        expected { metric: "iteration_time" value: 4 }
        expected { variant: "a" metric: "gpu_utilization" value: 0.5 }
        expected { variant: "b" metric: "speedup" value: 2 tolerance: 0 }
        expected { variant: "b" metric: "no_such_metric" value: 2 }
        expected { variant: "only with --full" metric: "speedup" value: 2 })";
    const auto expectations = ReadExpectations(AsText(text));
    const ComparisonTable table(
        {},
        {{"a", {}, 0, "", {SummaryWith(4)}}, {"b", {}, 0, "", {SummaryWith(1), SummaryWith(3)}}});
    const auto given = GivenBy(table, expectations);
    ASSERT_EQ(given.size(), 3u);
    EXPECT_EQ(ExpectationText(given),
              "expected values: 2 of 3 hold\n"
              "  b: no_such_metric is not there, not 2 within 2 %\n");
    EXPECT_EQ(ExpectationJson(given)[0]["holds"], true);
    const auto ofRun = GivenBy(SummaryWith(4), expectations);
    EXPECT_EQ(ExpectationText(ofRun), "expected values: 1 of 1 hold\n");
    EXPECT_EQ(ExpectationText({}), "");
}

// Two seeds of 1 and 3 s: half the width is t(0.975, 1) s / sqrt(2) = 12.706 x sqrt(2) / sqrt(2).
TEST(Expectations, TakeTheIntervalOverTheSeeds)
{
    const auto text = SmallScenarioText() + R"(
        expected { variant: "b" metric: "iteration_time" value: 2 tolerance: 0 }
        expected { variant: "b" metric: "iteration_time_ci95" value: 12.706 tolerance: 0.001 })";
    const ComparisonTable table({}, {{"b", {}, 0, "", {SummaryWith(1), SummaryWith(3)}}});
    EXPECT_EQ(ExpectationText(GivenBy(table, ReadExpectations(AsText(text)))),
              "expected values: 2 of 2 hold\n");
}

TEST(Expectations, HoldForTheScenarioAsItIsWritten)
{
    const auto text = SmallScenarioText() + R"(expected { metric: "iteration_time" value: 4 })";
    EXPECT_EQ(LoadScenario(AsText(text)).provenance.resolved->expected_size(), 1);
    EXPECT_EQ(LoadScenario(AsText(text), {{"mtu=9000", ""}}).provenance.resolved->expected_size(),
              0);
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
    const double ninth = 96512345.6789 / 9;
    EXPECT_EQ(MeanOf({ninth, ninth, ninth, ninth, ninth}).halfWidth, 0); // not that of rounding
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

TEST(ComparisonTable, HasVariantVariedPathsMetricsAndSpeedup)
{
    const ComparisonTable table({"mtu"},
                                {{"a", {"1500"}, 0, "", {SummaryWith(4)}},
                                 {"b", {"9000"}, 2, "stuck", {}},
                                 {"c", {"9,000"}, 0, "", {SummaryWith(2)}}});
    EXPECT_EQ(table.Csv(),
              "variant,job,mtu,iteration_time_s,gpu_utilization,speedup\n"
              "a,,1500,4,0.5,1\n"
              "b,,9000,,,\n"
              "c,,\"9,000\",2,0.5,2\n");
    EXPECT_EQ(table.Json()["variants"][1]["exit_code"], 2);
    EXPECT_EQ(table.Json()["variants"][1]["title"], "b");
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
    EXPECT_EQ(WarningText(table), "warning: ignores loss (a; c)\nwarning: an estimate\n");
    const auto json = table.Json()["warnings"];
    ASSERT_EQ(json.size(), 2u);
    EXPECT_EQ(json[0]["text"], "ignores loss");
    EXPECT_EQ(json[0]["variants"], (std::vector<std::string>{"a", "c"}));
    EXPECT_EQ(json[1]["variants"].size(), 3u);
    EXPECT_EQ(WarningText(ComparisonTable({}, {{"a", {}, 0, "", {SummaryWith(1)}}})), "");
}

TEST(WarningGroups, TextsThatDifferInNumbersBecomeOne)
{
    WarningGroups groups;
    groups.Add("lost 1.4 MB (9%), of 2 links", "a");
    groups.Add("an estimate", "a");
    groups.Add("lost 129.1 MB (10%), of 2 links", "b");
    groups.Add("lost 30 MB (9%), of 2 links", "a");
    groups.Add("lost 30 MB (9%), of wan_link[0] links", "c"); // another text
    const auto warnings = groups.Get();
    ASSERT_EQ(warnings.size(), 3u);
    EXPECT_EQ(warnings[0].text, "lost 1.4 to 129.1 MB (9 to 10%), of 2 links");
    EXPECT_EQ(warnings[0].variants, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(warnings[1].text, "an estimate");
    EXPECT_EQ(warnings[2].text, "lost 30 MB (9%), of wan_link[0] links");
}

TEST(ComparisonTable, AVariantThatLossMissedSaysSo)
{
    const auto lossy = [](double dropped)
    {
        Summary summary = SummaryWith(1);
        summary.header.mutable_wan_conditions()->set_loss(1e-5);
        summary.metrics.push_back({"dropped_packets", dropped, ""});
        return summary;
    };
    const ComparisonTable table({},
                                {{"a", {}, 0, "", {SummaryWith(1)}}, // no loss
                                 {"b", {}, 0, "", {lossy(0), lossy(0)}},
                                 {"c", {}, 0, "", {lossy(0), lossy(1)}}});
    const auto warnings = table.Warnings();
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_EQ(warnings[0].variants, (std::vector<std::string>{"b"}));
    const auto text = ComparisonText(table);
    const auto mark = text.find("(no packet lost)");
    ASSERT_NE(mark, std::string::npos) << text;
    EXPECT_EQ(text.substr(text.rfind('\n', mark) + 1, 1), "b") << text;
    EXPECT_EQ(text.find("(no packet lost)", mark + 1), std::string::npos) << text;
    EXPECT_EQ(table.Json()["variants"][0]["no_packet_lost"], false);
    EXPECT_EQ(table.Json()["variants"][1]["no_packet_lost"], true);
    const auto csv = table.Csv();
    EXPECT_NE(csv.find(",no_packet_lost\n"), std::string::npos) << csv;
    EXPECT_NE(csv.find("\nb,"), std::string::npos);
    EXPECT_EQ(csv.substr(csv.find('\n', csv.find("\nb,") + 1) - 2, 2), ",1") << csv;
    EXPECT_EQ(ComparisonTable({}, {{"a", {}, 0, "", {SummaryWith(1)}}}).Csv().find("no_packet"),
              std::string::npos);
}

// Queues dropped packets of both variants, random loss only those of the second.
TEST(ComparisonTable, DropsAtQueuesDoNotHideThatLossMissed)
{
    const auto dropped = [](std::uint64_t lost)
    {
        Summary summary = SummaryWith(1);
        summary.header.mutable_wan_conditions()->set_loss(1e-5);
        summary.metrics.push_back({"dropped_packets", 1000, ""});
        summary.lostPackets = lost;
        return summary;
    };
    const ComparisonTable table(
        {},
        {{"a", {}, 0, "", {dropped(0), dropped(0)}}, {"b", {}, 0, "", {dropped(0), dropped(2)}}});
    const auto warnings = table.Warnings();
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_EQ(warnings[0].variants, (std::vector<std::string>{"a"}));
    EXPECT_TRUE(table.Means().variants[0].summary.WasMissedByLoss());
    EXPECT_FALSE(table.Means().variants[1].summary.WasMissedByLoss());
}

TEST(ComparisonTable, AVariantOfOneDrawSaysOfWhat)
{
    const auto drawn = []
    {
        Summary summary = SummaryWith(1);
        summary.header.add_draws("packet losses");
        summary.header.add_draws("cross traffic");
        return summary;
    };
    const ComparisonTable table({},
                                {{"a", {}, 0, "", {SummaryWith(1)}}, // draws nothing
                                 {"b", {}, 0, "", {drawn(), drawn()}},
                                 {"c", {}, 0, "", {drawn()}}});
    EXPECT_EQ(WarningText(table),
              "warning: one seed, that is one draw of packet losses, cross traffic: `--seeds\n"
              "  1..10` gives means and 95 % intervals (c)\n");
}

TEST(ComparisonTable, SeedsGiveMeansAndIntervals)
{
    const ComparisonTable table({}, {{"a", {}, 0, "", {SummaryWith(4), SummaryWith(6)}}});
    const auto csv = table.Csv();
    EXPECT_EQ(csv.substr(0, csv.find('\n')),
              "variant,job,iteration_time_s,gpu_utilization,speedup,iteration_time_s_ci95,gpu_"
              "utilization_ci95");
    EXPECT_EQ(table.Means().variants[0].summary.metrics[0].value, 5);
}

TEST(ComparisonTable, MeansHoldTheValuesThatVariantsSet)
{
    const ComparisonTable table({"wan_link[*].delay", "schedule.name"},
                                {{"a", {"50ms", "1f1b"}, 0, "", {SummaryWith(4)}},
                                 {"b", {"20 parrots", ""}, 0, "", {SummaryWith(3)}},
                                 {"c", {"5ms", "1f1b"}, 2, "stuck", {}}});
    const auto comparison = table.Means();
    EXPECT_EQ(comparison.variedPaths.size(), 2U);
    ASSERT_EQ(comparison.variants.size(), 2U); // without the one that failed
    EXPECT_EQ(comparison.variants[0].values, (std::vector<std::string>{"50ms", "1f1b"}));
    EXPECT_EQ(comparison.variants[1].values, (std::vector<std::string>{"20 parrots", ""}));
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
