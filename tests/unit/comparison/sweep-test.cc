// SPDX-License-Identifier: GPL-2.0-only
// Spreads runs over ranks, which are processes of this machine, and loses some of them.
#include "comparison/planned-runs.h"
#include "comparison/sweep-ranks.h"
#include "comparison/sweep-server.h"
#include "units/child-process.h"
#include "units/config-error.h"

#include "small-scenario.h"
#include "temporary-folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;
using std::chrono::milliseconds;

const SweepTimes quickTimes{milliseconds(50), milliseconds(1000), milliseconds(3000)};

std::string
BytesOf(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

class Sweep : public testing::Test
{
  protected:
    /// Returns runs of the small scenario on the analytic network below a folder.
    std::vector<PlannedRun> Runs(const std::string& below, int count)
    {
        fs::create_directories(m_folder / below);
        std::vector<PlannedRun> runs;
        for (int i = 0; i < count; ++i)
        {
            PlannedRun run;
            run.text = &m_text;
            run.name = {"v" + std::to_string(i), ""};
            run.assignments = {{"run.network=ANALYTIC", "--set"},
                               {"model.microbatches=" + std::to_string(2 + i), "--set"}};
            run.folder = m_folder / below / std::to_string(i);
            runs.push_back(run);
        }
        return runs;
    }

    static RunPool Pool()
    {
        RunPool pool;
        pool.drawsFigures = false;
        pool.commandLine = "geotrain compare small";
        return pool;
    }

    TemporaryFolder m_folder;
    ScenarioText m_text{"small.textproto", "", SmallScenarioText()};
};

TEST_F(Sweep, FourRanksLeaveTheBytesOfOne)
{
    const auto alone = Runs("alone", 12);
    ASSERT_EQ(RunAll(alone, Pool()), std::vector<int>(12, 0));
    const auto shared = Runs("shared", 12);
    std::vector<ChildProcess> ranks;
    for (int rank = 1; rank < 4; ++rank)
    {
        ranks.emplace_back([&] { return ServeSweep(m_folder / "shared", quickTimes); });
    }
    std::set<std::string> makers;
    {
        SweepLead lead(m_folder / "shared", 1, 4, quickTimes);
        auto pool = Pool();
        pool.sweep = &lead;
        ASSERT_EQ(RunAll(shared, pool), std::vector<int>(12, 0));
        for (std::uint64_t job = 0; job < 12; ++job)
        {
            makers.insert(ReadSweepFile(lead.Files().Taken(job)).value_or(""));
        }
        // A second comparison of the same program goes on with the same ranks.
        ASSERT_EQ(RunAll(Runs("shared", 3), pool), std::vector<int>(3, 0));
    }
    for (auto& rank : ranks)
    {
        EXPECT_EQ(rank.Wait(), 0);
    }
    EXPECT_GT(makers.size(), 1U);
    EXPECT_FALSE(fs::exists(m_folder / "shared/sweep"));
    for (std::size_t i = 0; i < 12; ++i)
    {
        for (const char* file : {"summary.csv", "scenario.textproto"}) // a trace's blocks go by the clock
        {
            EXPECT_EQ(BytesOf(shared[i].folder / file), BytesOf(alone[i].folder / file)) << i << file;
        }
    }
}

TEST_F(Sweep, ARankThatDiesCostsItsRunWhichAnotherTakes)
{
    const auto runs = Runs("lost", 4);
    SweepLead lead(m_folder / "lost", 1, 1, quickTimes);
    // One process of this machine that is gone, and one of another machine that does not beat.
    ChildProcess gone([] { return 0; });
    const auto number = gone.Id();
    gone.Wait();
    const auto host = ThisSweepProcess().substr(0, ThisSweepProcess().find(' '));
    ASSERT_TRUE(MakeAlone(lead.Files().Taken(0), host + " " + std::to_string(number)));
    ASSERT_TRUE(MakeAlone(lead.Files().Taken(2), "elsewhere 1"));
    auto pool = Pool();
    pool.sweep = &lead;
    EXPECT_EQ(RunAll(runs, pool), std::vector<int>(4, 0));
    for (const auto& run : runs)
    {
        EXPECT_TRUE(fs::exists(run.folder / "summary.csv"));
    }
}

TEST_F(Sweep, ARankThatLivesKeepsItsRun)
{
    const auto runs = Runs("kept", 2);
    SweepLead lead(m_folder / "kept", 1, 1, quickTimes);
    const auto files = lead.Files();
    // It beats for longer than the patience, and then ends with a code of its own.
    ASSERT_TRUE(MakeAlone(files.Taken(1), "elsewhere 1"));
    ChildProcess other(
        [&]
        {
            for (int beat = 0; beat < 40; ++beat)
            {
                WriteSweepFile(files.Taken(1), "elsewhere 1");
                usleep(50000);
            }
            WriteSweepFile(files.Ended(1), "7");
            return 0;
        });
    auto pool = Pool();
    pool.sweep = &lead;
    EXPECT_EQ(RunAll(runs, pool), (std::vector<int>{0, 7}));
}

TEST_F(Sweep, WithoutRank0TheOthersEnd)
{
    EXPECT_THROW(ServeSweep(m_folder.Path(), quickTimes), ConfigError);
    // What a killed rank 0 left does not beat.
    fs::create_directories(m_folder / "sweep");
    WriteSweepFile(m_folder / "sweep/lead", "1");
    EXPECT_THROW(ServeSweep(m_folder.Path(), quickTimes), ConfigError);
    ChildProcess lead(
        [&]
        {
            for (int beat = 0; beat < 10; ++beat)
            {
                WriteSweepFile(m_folder / "sweep/lead", "1");
                usleep(50000);
            }
            return 0; // as if killed: the folder stays
        });
    EXPECT_EQ(ServeSweep(m_folder.Path(), quickTimes), 2);
}

TEST_F(Sweep, ARankOfTheSameLaunchNeedNotSeeABeat)
{
    setenv("PMIX_NAMESPACE", "launch-7", 1);
    // So long a beat comes once only.
    SweepTimes times{milliseconds(60000), milliseconds(1000), milliseconds(1000)};
    ChildProcess rank(
        [&] {
            return ServeSweep(m_folder.Path(), {milliseconds(50), milliseconds(3000), milliseconds(3000)});
        });
    {
        SweepLead lead(m_folder.Path(), 1, 2, times);
    } // which waits for it
    EXPECT_EQ(rank.Wait(), 0);
    unsetenv("PMIX_NAMESPACE");
}

TEST(RankOfLaunch, IsThatOfTheLauncher)
{
    EXPECT_EQ(RankOfLaunch().count, 1);
    EXPECT_FALSE(ServedAsRank(""));
    const std::pair<const char*, const char*> launchers[] = {
        {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
        {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},
        {"PMI_RANK", "PMI_SIZE"}};
    for (const auto& [number, count] : launchers)
    {
        setenv(number, "2", 1);
        setenv(count, "5", 1);
        EXPECT_EQ(RankOfLaunch().number, 2) << number;
        EXPECT_EQ(RankOfLaunch().count, 5) << count;
        EXPECT_THROW(ServedAsRank(""), ConfigError);
        unsetenv(number);
        unsetenv(count);
    }
}

} // namespace

} // namespace geotrain
