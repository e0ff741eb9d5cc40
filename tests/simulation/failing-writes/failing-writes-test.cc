// SPDX-License-Identifier: GPL-2.0-only
// Fills the disk at the n-th write of a run, a comparison, a plan, a schedule and a suite of figures,
// for n = 1, 2, ... until everything is written. Each time the program says which path could not be written and why, ends with exit code
// 1 (0 where only figures are missing, and says so), and leaves files that are whole, readable or
// absent.
#include "program-test.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace
{

namespace fs = std::filesystem;
using geotrain::Contents;

class FailingWrites : public geotrain::ProgramTest
{
  protected:
    void SetUp() override
    {
        Write("small.textproto", R"(
model { transformer { layers: 2 hidden: 64 heads: 4 vocabulary: 100 } sequence: 64 microbatches: 2 }
parallelism { pipeline_stages: 2 }
data_center { name: "a" nodes: 1 gpus_per_node: 1 gpu: "A100-80" }
data_center { name: "b" nodes: 1 gpus_per_node: 1 gpu: "A100-80" }
wan_link { from: "a" to: "b" rate: "10Gbps" delay: "10ms" }
run { network: ANALYTIC }
variant { name: "plain" }
variant { name: "gpipe" set: "schedule.name=gpipe" }
)");
    }

    /// Runs `command`, which has its arguments, into a new folder with the disk full from write `n` on. Returns whether the disk
    /// was ever full. The number of writes is then in the file `count`.
    bool FailAt(long n, const std::string& command, Outcome& outcome) const
    {
        for (const auto* name : {"out", "mark", "count"})
        {
            fs::remove_all(m_folder / name);
        }
        const std::string line = "cd '" + m_folder.string() +
                                    "' && LD_PRELOAD='" FAIL_NTH_WRITE
                                    "' GEOTRAIN_FAIL_MARK=mark GEOTRAIN_FAIL_COUNT=count "
                                    "GEOTRAIN_FAIL_NTH=" +
                                    std::to_string(n) + " '" GEOTRAIN_PROGRAM "' " + command +
                                    " --out out > out.txt 2> error.txt";
        const int status = std::system(line.c_str());
        outcome = {WIFEXITED(status) ? WEXITSTATUS(status) : 128,
                   Contents(m_folder / "out.txt"),
                   Contents(m_folder / "error.txt")};
        return fs::exists(m_folder / "mark");
    }

    /// Returns the writes to fail at: all of the first and of the last ones, and fewer and fewer of
    /// those between, which draw figures.
    std::set<long> WritesToFail(const std::string& command) const
    {
        Outcome outcome;
        EXPECT_FALSE(FailAt(1000000000, command, outcome));
        EXPECT_EQ(outcome.code, 0) << outcome.error;
        const long writes = std::stol(Contents(m_folder / "count"));
        std::set<long> chosen;
        for (long n = 1; n <= writes;
             n += n < 20 || n > writes - 8 ? 1 : std::min(n / 4, writes - 8 - n + 1))
        {
            chosen.insert(n);
        }
        return chosen;
    }

    /// Checks every file below `out` against a complete result below `whole`.
    void CheckWhatIsLeft() const
    {
        for (const auto& entry : fs::recursive_directory_iterator(m_folder / "out"))
        {
            const auto path = entry.path();
            const auto name = path.filename().string();
            const auto relative = fs::relative(path, m_folder / "out");
            EXPECT_NE(path.extension(), ".part") << relative;
            if (name == "run-info.json")
            {
                EXPECT_TRUE(nlohmann::json::accept(Contents(path))) << relative;
            }
            else if (name == "scenario.textproto" || name == "summary.csv" ||
                     name == "comparison.csv" || name == "critical-path.csv" ||
                     name == "plans.csv" || name == "dp-cells.csv" || name == "plan-1.textproto")
            {
                CheckWhole(relative);
            }
            else if (name == "trace.pb" && fs::file_size(path) > 0)
            {
                const auto read =
                    Geotrain("export '" + path.parent_path().string() + "' --format csv --quiet");
                EXPECT_EQ(read.code, 0) << relative << ": " << read.error;
            }
        }
    }

    /// A comparison's table of fewer variants than all is whole too.
    void CheckWhole(const fs::path& relative) const
    {
        const auto left = Contents(m_folder / "out" / relative);
        const auto whole = Contents(m_folder / "whole" / relative);
        if (relative.filename() == "comparison.csv")
        {
            EXPECT_FALSE(left.empty() || left.back() != '\n');
            return;
        }
        EXPECT_EQ(left, whole) << relative;
    }

    void FailEverywhere(const std::string& command)
    {
        ASSERT_EQ(Geotrain(command + " --out whole").code, 0);
        Outcome outcome;
        int refused = 0;
        const auto writes = WritesToFail(command);
        EXPECT_GT(writes.size(), 10u);
        for (const long n : writes)
        {
            EXPECT_TRUE(FailAt(n, command, outcome)) << n;
            SCOPED_TRACE(command + " with the disk full at write " + std::to_string(n) + ": " +
                         outcome.error);
            refused += outcome.code == 1 ? 1 : 0;
            EXPECT_LE(outcome.code, 1);
            EXPECT_NE(outcome.error.find("No space left on device"), std::string::npos);
            EXPECT_NE(outcome.error.find("out"), std::string::npos) << "names no path";
            if (fs::exists(m_folder / "out"))
            {
                CheckWhatIsLeft();
            }
        }
        EXPECT_GT(refused, 5);
    }
};

TEST_F(FailingWrites, ARunLeavesWhatIsReadableOrNothing)
{
    FailEverywhere("run small.textproto");
}

TEST_F(FailingWrites, AComparisonLeavesWhatIsReadableOrNothing)
{
    FailEverywhere("compare small.textproto --jobs 1");
}

TEST_F(FailingWrites, APlanLeavesWhatIsReadableOrNothing)
{
    FailEverywhere("plan small.textproto --top 1 --jobs 1");
}

TEST_F(FailingWrites, AScheduleLeavesWhatIsReadableOrNothing)
{
    FailEverywhere("schedule 1f1b --stages 2 --microbatches 4 --forward 1ms --backward 1ms");
}

TEST_F(FailingWrites, ASuiteOfFiguresLeavesWhatIsReadableOrNothing)
{
    FailEverywhere("figures --suite paper --quick --only plan-gpus --jobs 1");
}

} // namespace
