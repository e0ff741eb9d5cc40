// SPDX-License-Identifier: GPL-2.0-only
// Plans the runs of a comparison, runs small ones on the analytic network, and makes tables of traces
// that never ran.
#include "comparison/planned-runs.h"

#include "compared-rows.h"
#include "result-folders.h"
#include "small-scenario.h"
#include "temporary-folder.h"
#include "units/config-error.h"

#include <gtest/gtest.h>

#include <csignal>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

/// Returns plans of variants with these names and nothing varied.
VariantPlans
PlansNamed(const std::vector<std::string>& names)
{
    VariantPlans plans;
    for (const auto& name : names)
    {
        VariantPlan variant;
        variant.name = name;
        variant.title = "Title of " + name;
        plans.variants.push_back(variant);
    }
    return plans;
}

/// Returns a run of one of the plans' variants in `folder`.
PlannedRun
RunOf(std::size_t variant, const fs::path& folder)
{
    PlannedRun run;
    run.variant = variant;
    run.folder = folder;
    return run;
}

std::string
LastAssignment(const PlannedRun& run)
{
    return run.assignments.empty() ? "" : run.assignments.back().text;
}

TEST(PlannedRuns, WithoutSeedsAVariantRunsOnceInItsOwnFolder)
{
    const auto text = AsText(SmallScenarioText());
    const auto runs = PlanRuns(text, PlansNamed({"a", "b"}), {}, "out");
    ASSERT_EQ(runs.size(), 2u);
    EXPECT_EQ(runs[1].folder, fs::path("out/b"));
    EXPECT_EQ(runs[1].variant, 1u);
    EXPECT_EQ(runs[1].name.name, "b");
    EXPECT_EQ(runs[1].name.title, "Title of b");
    EXPECT_EQ(runs[1].text, &text);
    EXPECT_TRUE(runs[1].assignments.empty()); // the scenario's own seed
}

TEST(PlannedRuns, OneSeedNeedsNoFolderOfItsOwn)
{
    const auto text = AsText(SmallScenarioText());
    const auto runs = PlanRuns(text, PlansNamed({"a"}), {7}, "out");
    ASSERT_EQ(runs.size(), 1u);
    EXPECT_EQ(runs[0].folder, fs::path("out/a"));
    EXPECT_EQ(LastAssignment(runs[0]), "run.seed=7");
}

TEST(PlannedRuns, SeedsComeInTheirOrderVariantByVariant)
{
    const auto text = AsText(SmallScenarioText());
    auto plans = PlansNamed({"a", "b"});
    plans.variants[0].assignments = {{"mtu=9000", "--set"}};
    const auto runs = PlanRuns(text, plans, {9, 2}, "out");
    std::vector<std::string> folders;
    for (const auto& run : runs)
    {
        folders.push_back(run.folder.string());
    }
    EXPECT_EQ(
        folders,
        (std::vector<std::string>{"out/a/seed-9", "out/a/seed-2", "out/b/seed-9", "out/b/seed-2"}));
    ASSERT_EQ(runs[1].assignments.size(), 2u);
    EXPECT_EQ(runs[1].assignments[0].text, "mtu=9000");
    EXPECT_EQ(LastAssignment(runs[1]),
              "run.seed=2"); // behind those of the variant, so that it holds
}

class MadeTable : public ::testing::Test
{
  protected:
    /// Makes the table of these runs, one per variant, which ended with `codes`.
    ComparisonTable Table(const std::vector<std::string>& names,
                          const std::vector<int>& codes) const
    {
        std::vector<PlannedRun> runs;
        for (std::size_t i = 0; i < names.size(); ++i)
        {
            runs.push_back(RunOf(i, m_folder / names[i]));
        }
        return MakeTable(PlansNamed(names), runs, codes);
    }

    /// Writes what a run said before it failed.
    void Said(const std::string& run, const std::string& messages) const
    {
        WriteText(m_folder / run / "messages.txt", messages);
    }

    TemporaryFolder m_folder;
};

TEST_F(MadeTable, ARunThatEndedHasTheMetricsOfItsTrace)
{
    WriteRun(m_folder / "a", OneGpuTrace(2));
    const auto table = Table({"a"}, {0});
    ASSERT_EQ(table.Rows().size(), 1u);
    EXPECT_EQ(table.Rows()[0].exitCode, 0);
    EXPECT_EQ(table.Rows()[0].title, "Title of a");
    EXPECT_EQ(table.CellOf(table.Rows()[0], iterationTimeColumn)->mean, 2);
}

TEST_F(MadeTable, AFailedRunGivesItsCodeAndTheFirstLineThatIsNoWarning)
{
    const std::pair<const char*, const char*> cases[] = {
        {"", ""},
        {"one line\n", "one line"},
        {"stuck\nmore of it\n", "stuck"},
        {"geotrain: warning: small\ngeotrain: warning: slow\nstuck\n", "stuck"},
        {"geotrain: warning: small\ngeotrain: warning: slow\n", "geotrain: warning: small"}};
    for (const auto& [messages, reason] : cases)
    {
        Said("a", messages);
        const auto table = Table({"a"}, {2});
        EXPECT_EQ(table.Rows()[0].error, reason) << messages;
        EXPECT_EQ(table.Rows()[0].exitCode, 2);
        EXPECT_TRUE(table.Rows()[0].summaries.empty());
    }
}

TEST_F(MadeTable, ASignalIsNamedByItsNumber)
{
    Said("a", "the last words\n");
    EXPECT_EQ(Table({"a"}, {128 + SIGKILL}).Rows()[0].error, "ended by signal 9");
}

TEST_F(MadeTable, MessagesStayWhereThereAreSome)
{
    WriteRun(m_folder / "a", OneGpuTrace(1));
    Said("a", "");
    WriteRun(m_folder / "b", OneGpuTrace(1));
    Said("b", "geotrain: warning: small\n");
    Table({"a", "b"}, {0, 0});
    EXPECT_FALSE(fs::exists(m_folder / "a/messages.txt"));
    EXPECT_TRUE(fs::exists(m_folder / "b/messages.txt"));
}

TEST_F(MadeTable, InterruptedVariantsAreLeftOut)
{
    WriteRun(m_folder / "a", OneGpuTrace(1));
    Said("b", "stuck\n");
    const auto table = Table({"a", "b", "c"}, {0, 2, interruptedJob});
    ASSERT_EQ(table.Rows().size(), 2u);
    EXPECT_EQ(table.Rows()[1].variant, "b");
}

TEST_F(MadeTable, OneFailedSeedFailsTheVariant)
{
    for (const auto* seed : {"a/seed-1", "a/seed-2", "a/seed-3"})
    {
        WriteRun(m_folder / seed, OneGpuTrace(1));
    }
    Said("a/seed-2", "stuck in seed 2\n");
    Said("a/seed-3", "stuck in seed 3\n");
    const auto table = MakeTable(PlansNamed({"a"}),
                                 {RunOf(0, m_folder / "a/seed-1"),
                                  RunOf(0, m_folder / "a/seed-2"),
                                  RunOf(0, m_folder / "a/seed-3")},
                                 {0, 2, 3});
    const auto& row = table.Rows().at(0);
    EXPECT_EQ(row.exitCode, 2); // of the first that failed
    EXPECT_EQ(row.error, "stuck in seed 2");
    EXPECT_TRUE(row.summaries.empty());
}

TEST_F(MadeTable, SeedsGiveASummaryEach)
{
    WriteRun(m_folder / "a/seed-1", OneGpuTrace(1));
    WriteRun(m_folder / "a/seed-2", OneGpuTrace(3));
    const auto table = MakeTable(PlansNamed({"a"}),
                                 {RunOf(0, m_folder / "a/seed-1"), RunOf(0, m_folder / "a/seed-2")},
                                 {0, 0});
    EXPECT_EQ(table.Rows()[0].summaries.size(), 2u);
    EXPECT_EQ(table.CellOf(table.Rows()[0], iterationTimeColumn)->mean, 2); // (1 + 3) / 2
}

class RunPoolTest : public ::testing::Test
{
  protected:
    RunPoolTest()
    {
        m_pool.drawsFigures = false;
        m_pool.commandLine = "geotrain compare small";
        m_pool.resumed = [this](const ResumedRuns& runs) { m_resumed = runs.Text(); };
        m_pool.progress = [this](const std::vector<double>& shares) { m_shares = shares; };
    }

    /// Runs the scenario on the analytic network, a run per set of assignments.
    std::vector<int> RunWith(const std::vector<std::string>& sets)
    {
        m_runs.clear();
        for (std::size_t i = 0; i < sets.size(); ++i)
        {
            auto run = RunOf(i, m_folder / std::to_string(i));
            run.text = &m_text;
            run.assignments = {{"run.network=ANALYTIC", "--set"}};
            if (!sets[i].empty())
            {
                run.assignments.push_back({sets[i], "--set"});
            }
            m_runs.push_back(run);
        }
        m_resumed = "";
        return RunAll(m_runs, m_pool);
    }

    std::string InfoOf(const std::string& run) const
    {
        return Contents(m_folder / run / "run-info.json");
    }

    TemporaryFolder m_folder;
    ScenarioText m_text = AsText(SmallScenarioText());
    std::vector<PlannedRun> m_runs;
    RunPool m_pool;
    std::string m_resumed;        ///< what was said of earlier runs
    std::vector<double> m_shares; ///< the last that were told
};

TEST_F(RunPoolTest, ARunThatFailsLeavesTheOthers)
{
    m_pool.jobs = 2;
    EXPECT_EQ(RunWith({"", "model.microbatches=-2", "model.microbatches=2"}),
              (std::vector<int>{0, 1, 0}));
    EXPECT_EQ(Contents(m_folder / "1/messages.txt"),
              "small.textproto: model.microbatches: \"-2\" must be >= 1\n");
    for (const auto* run : {"0", "2"})
    {
        EXPECT_EQ(Contents(m_folder / run / "messages.txt"), "");
        EXPECT_TRUE(fs::exists(m_folder / run / "trace.pb"));
        EXPECT_TRUE(fs::exists(m_folder / run / "summary.csv"));
        EXPECT_FALSE(fs::exists(m_folder / run / "figures"));
    }
    EXPECT_EQ(m_resumed, ""); // nobody asked for it
}

TEST_F(RunPoolTest, WhatAnEarlierRunWroteIsRemovedAndNothingElse)
{
    RunWith({""});
    WriteText(m_folder / "0/mine.csv", "1\n");
    RunWith({"model.microbatches=-2"}); // it fails, and writes no trace
    EXPECT_FALSE(fs::exists(m_folder / "0/trace.pb"));
    EXPECT_EQ(Contents(m_folder / "0/mine.csv"), "1\n");
    RunWith({""});
    EXPECT_NE(InfoOf("0").find("\"geotrain compare small\""), std::string::npos);
}

TEST_F(RunPoolTest, ProgressIsToldOfAllRuns)
{
    RunWith({"", "", ""});
    ASSERT_EQ(m_shares.size(), 3u);
    for (const double share : m_shares)
    {
        EXPECT_GE(share, 0);
        EXPECT_LE(share, 1);
    }
}

TEST_F(RunPoolTest, AResumedRunIsKeptWithItsFiles)
{
    RunWith({""});
    const auto first = InfoOf("0");
    m_pool.resume = true;
    EXPECT_EQ(RunWith({""}), std::vector<int>{0});
    EXPECT_EQ(InfoOf("0"), first); // its dates, too
    EXPECT_EQ(m_resumed, "1 of 1 runs are kept\n");
}

TEST_F(RunPoolTest, ProgressCountsAKeptRunAsDone)
{
    RunWith({""});
    m_pool.resume = true;
    RunWith({"", "model.microbatches=2"});
    ASSERT_EQ(m_shares.size(), 2u);
    EXPECT_EQ(m_shares[0], 1);
    EXPECT_EQ(m_resumed, "1 of 2 runs are kept, 1 had not ended\n");
}

TEST_F(RunPoolTest, ARunOfAnotherScenarioStartsAgainAndSaysSo)
{
    RunWith({"model.microbatches=2"});
    const auto first = InfoOf("0");
    m_pool.resume = true;
    RunWith({"model.microbatches=4"});
    EXPECT_NE(InfoOf("0"), first);
    EXPECT_EQ(m_resumed,
              "0 of 1 runs are kept\n1 run is started again: each ran another scenario\n");
}

TEST_F(RunPoolTest, ARunUnderOtherDefaultsOfNs3StartsAgainAndNamesBoth)
{
    m_pool.ns3Defaults = {"ns3::TcpSocket::InitialCwnd=5", "ns3::TcpSocket::InitialCwnd=4"};
    RunWith({""});
    m_pool.resume = true;
    m_pool.ns3Defaults = {"ns3::TcpSocket::InitialCwnd=4"}; // the last one of a name holds
    RunWith({""});
    EXPECT_EQ(m_resumed, "1 of 1 runs are kept\n");
    m_pool.ns3Defaults = {};
    RunWith({""});
    EXPECT_EQ(m_resumed,
              "0 of 1 runs are kept\n1 run is started again: each ran with --ns3 "
              "ns3::TcpSocket::InitialCwnd=4, and now with none\n");
}

TEST_F(RunPoolTest, RunsThatDidNotEndStartAgain)
{
    m_pool.resume = true;
    for (const auto* part : {"summary.csv", "run-info.json"})
    {
        RunWith({""});
        ASSERT_TRUE(fs::remove(m_folder / "0" / part)) << part;
        EXPECT_EQ(RunWith({""}), std::vector<int>{0});
        EXPECT_TRUE(fs::exists(m_folder / "0" / part));
        EXPECT_EQ(m_resumed, "") << part; // nothing had ended
    }
}

TEST_F(RunPoolTest, AFolderWhoseScenarioSomebodyChangedIsNeitherKeptNorReplaced)
{
    RunWith({""});
    std::ofstream(m_folder / "0/scenario.textproto", std::ios::app) << "# edited\n";
    m_pool.resume = true;
    EXPECT_THROW(RunWith({""}), ConfigError);
    EXPECT_TRUE(fs::exists(m_folder / "0/trace.pb"));
}

TEST_F(RunPoolTest, AVariantThatCannotBeLoadedReportsItsErrorByItself)
{
    RunWith({"model.microbatches=2"});
    m_pool.resume = true;
    EXPECT_EQ(RunWith({"model.microbatches=-2"}), std::vector<int>{1});
    EXPECT_EQ(Contents(m_folder / "0/messages.txt"),
              "small.textproto: model.microbatches: \"-2\" must be >= 1\n");
}

EarlierState
StateWith(bool isComplete, const std::string& difference)
{
    EarlierState state;
    state.isComplete = isComplete;
    state.difference = difference;
    return state;
}

TEST(ResumedRunsText, CountsWhatIsKeptAndWhy)
{
    ResumedRuns runs;
    EXPECT_EQ(runs.Text(), "");
    runs.Count(StateWith(false, ""));
    EXPECT_EQ(runs.Text(), ""); // nothing had ended: a first comparison
    runs.Count(StateWith(true, ""));
    runs.Count(StateWith(true, ""));
    EXPECT_EQ(runs.Text(), "2 of 3 runs are kept, 1 had not ended\n");
    runs.Count(StateWith(false, "ran another scenario"));
    runs.Count(StateWith(false, "ran another scenario"));
    runs.Count(StateWith(false, "is older"));
    EXPECT_EQ(runs.Text(),
              "2 of 6 runs are kept, 1 had not ended\n"
              "1 run is started again: each is older\n"
              "2 runs are started again: each ran another scenario\n");
}

} // namespace

} // namespace geotrain
