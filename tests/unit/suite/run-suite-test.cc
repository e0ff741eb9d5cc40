// SPDX-License-Identifier: GPL-2.0-only
// Runs a suite of one cheap figure: it goes on where it stopped, and overwrites nothing unasked.
#include "suite/run-suite.h"
#include "suite/suite-drawing.h"
#include "units/config-error.h"

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <sys/wait.h>
#include <unistd.h>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

/// Returns a suite whose figure needs two messages at each of two round trips.
Suite
TinySuite(const std::string& size)
{
    RunSet set;
    set.name = "messages";
    set.scenario = "congestion-control-wan";
    set.sets = {"transfer.messages=2", "transfer.size=" + size};
    set.series = {{"cubic", "CUBIC"}};
    set.points = PointsAt({"10ms", "20ms"}, {"wan_link[0].delay"});
    set.seeds = {1, 2};
    const auto draw = [](const SuiteResults& results, const FigurePlace& place)
    {
        DrawSuiteCurves({"One-way delay (ms)", "Goodput (Gbit/s)"},
                        results.at("messages").Curves("goodput", 1e-9),
                        place);
    };
    return {"tiny", {set}, {{"goodput", "How fast?", "Two messages.", {"messages"}, draw}}};
}

class RunSuiteTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        m_options.out = fs::path(testing::TempDir()) /
                        testing::UnitTest::GetInstance()->current_test_info()->name();
        fs::remove_all(m_options.out);
        m_options.announce = [this](const SuiteWork& work) { m_work = work; };
    }

    SuiteOptions m_options;
    SuiteWork m_work;
};

TEST_F(RunSuiteTest, DrawsItsFiguresFromItsRuns)
{
    const auto report = RunSuite(TinySuite("1MB"), m_options);
    EXPECT_TRUE(report.failures.empty());
    EXPECT_EQ(report.figures, 1U);
    EXPECT_EQ(m_work.runs, 4U);
    EXPECT_TRUE(fs::exists(report.folder / "figures" / "goodput.pdf"));
    EXPECT_TRUE(fs::exists(report.folder / "runs" / "messages" / "cubic_20ms" / "seed-2" / "trace.pb"));
    EXPECT_TRUE(fs::exists(report.folder / "runs" / "messages" / "comparison.csv"));
    EXPECT_TRUE(fs::exists(report.folder / "index.md"));
    std::ifstream file(report.folder / "report.html");
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    for (const auto* part :
         {"How fast?", "Two messages.", "<svg", "runs/messages/comparison.csv", "How to repeat it"})
    {
        EXPECT_NE(page.find(part), std::string::npos) << part;
    }
}

TEST_F(RunSuiteTest, GoesOnWhereItStopped)
{
    const auto report = RunSuite(TinySuite("1MB"), m_options);
    const auto run = report.folder / "runs" / "messages" / "cubic_10ms" / "seed-1";
    fs::remove(run / "summary.csv"); // as a killed run leaves it
    RunSuite(TinySuite("1MB"), m_options);
    EXPECT_EQ(m_work.runs, 1U);
    EXPECT_EQ(m_work.allRuns, 4U);
    EXPECT_TRUE(fs::exists(run / "summary.csv"));
}

TEST_F(RunSuiteTest, OverwritesNoRunOfOtherSettingsUnlessTold)
{
    RunSuite(TinySuite("1MB"), m_options);
    EXPECT_THROW(RunSuite(TinySuite("2MB"), m_options), ConfigError);
    m_options.force = true;
    RunSuite(TinySuite("2MB"), m_options);
    EXPECT_EQ(m_work.runs, 4U);
}

TEST_F(RunSuiteTest, TouchesNoFolderThatIsNotItsOwn)
{
    fs::create_directories(m_options.out);
    std::ofstream(m_options.out / "thesis.tex") << "years of work";
    EXPECT_THROW(RunSuite(TinySuite("1MB"), m_options), ConfigError);
    m_options.force = true;
    EXPECT_THROW(RunSuite(TinySuite("1MB"), m_options), ConfigError);
    EXPECT_TRUE(fs::exists(m_options.out / "thesis.tex"));
}

TEST_F(RunSuiteTest, IsRefusedWhileAnotherProcessMakesItInTheSameFolder)
{
    const auto made = m_options.out / "is-made";
    const pid_t process = fork();
    if (process == 0)
    {
        RunSuite(TinySuite("1MB"), m_options);
        std::ofstream(made).flush();
        pause();
    }
    while (!fs::exists(made))
    {
    }
    std::string refusal;
    try
    {
        RunSuite(TinySuite("1MB"), m_options);
    }
    catch (const ConfigError& error)
    {
        refusal = error.what();
    }
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
    EXPECT_EQ(refusal, "--out: \"" + m_options.out.string() + "\" is in use by another geotrain");
    EXPECT_TRUE(RunSuite(TinySuite("1MB"), m_options).failures.empty()); // after the other's end
}

TEST_F(RunSuiteTest, ReportsARunThatFails)
{
    auto suite = TinySuite("1MB");
    suite.runSets[0].series.push_back({"bad", "Bad", {"run.deadline=1ns"}});
    const auto report = RunSuite(suite, m_options);
    ASSERT_EQ(report.failures.size(), 4U);
    EXPECT_EQ(report.failures[0].exitCode, 2);
    EXPECT_EQ(report.figures, 1U); // of the runs that there are
}

} // namespace

} // namespace geotrain
