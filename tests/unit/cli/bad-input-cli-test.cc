// SPDX-License-Identifier: GPL-2.0-only
// Tests that bad command lines, and places that take no output, end in the program's own words.
#include "cli-fixture.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace
{

namespace fs = std::filesystem;
using geotrain::Cli;
using geotrain::Contents;

class BadInput : public Cli
{
  protected:
    /// Runs a shell command in which $geotrain is the program. Returns its exit code.
    int Shell(const std::string& script) const
    {
        const auto command =
            "cd '" + m_folder.string() + "'; geotrain='" GEOTRAIN_PROGRAM "'; " + script;
        const int status = std::system(command.c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
};

TEST_F(BadInput, IsRefusedInTheWordsOfTheProgram)
{
    const std::vector<std::pair<std::string, std::string>> cases{
        {"compare small.textproto --jobs 0",
         "--jobs: \"0\" must be a whole number from 1 to 10000"},
        {"plan small.textproto --top x", "--top: \"x\" must be a whole number from 1 to 100000"},
        {"transfer --bytes 1MB --rate 1Gbps --rtt 1ms --mtu abc",
         "--mtu: \"abc\" must be a whole number"},
        {"export c --format xml", "--format: \"xml\" must be one of perfetto,csv"},
        {"run small.textproto --network", "--network: needs a value"},
        {"run small.textproto other", "\"other\" is no argument of this verb"},
        {"run small.textproto --again r", "SCENARIO and --again can't be given together"},
        {"figures . --suite paper", "DIR and --suite can't be given together"},
        {"figures --suite paper --variant a", "--variant and --suite can't be given together"},
        {"learn a.csv --model lstm --seconds -1 --out x.pb",
         "--seconds: \"-1\" must be a number from 0.001 to 1000000000"},
        {"compare small.textproto --seeds 1 --seeds 2", "--seeds: must be given once"},
        {"figures c --out d", "--out has no effect without --suite"},
    };
    for (const auto& [arguments, rule] : cases)
    {
        const auto verb = arguments.substr(0, arguments.find(' '));
        const auto outcome = Geotrain(arguments);
        EXPECT_EQ(outcome.code, 1) << arguments;
        EXPECT_EQ(outcome.error, "geotrain: " + rule + "; see geotrain " + verb + " --help\n");
    }
}

TEST_F(BadInput, AnUnknownOptionIsRefusedWithTheNearest)
{
    const auto error = Geotrain("compare small.textproto --sedes 1,2").error;
    EXPECT_EQ(error.rfind(
                  "geotrain: \"--sedes\" is no option of this verb; the nearest are --seeds, ", 0),
              0U)
        << error;
}

TEST_F(BadInput, OfAVeryLongValueStaysShort)
{
    const auto outcome = Geotrain("compare small.textproto --jobs " + std::string(100000, '1'));
    EXPECT_EQ(outcome.code, 1);
    EXPECT_LT(outcome.error.size(), 1000U);
}

TEST_F(BadInput, MessagesThatNobodyTakesChangeNoExitCode)
{
    for (const std::string lost : {"2>&-", "2>/dev/full"})
    {
        EXPECT_EQ(Shell("$geotrain run nowhere > out " + lost), 1) << lost;
        // Its variants are mentioned on stderr.
        EXPECT_EQ(
            Shell("$geotrain run small.textproto --network analytic --out r --force > out " + lost),
            0)
            << lost;
        EXPECT_NE(Contents(m_folder / "out").find("results in r"), std::string::npos) << lost;
        EXPECT_EQ(Geotrain("figures r").code, 0) << lost; // the trace is whole
    }
    EXPECT_EQ(Shell("$geotrain list gpus >&- 2> err"), 1);
    EXPECT_EQ(Contents(m_folder / "err"),
              "geotrain: stdout cannot be written (Bad file descriptor)\n");
}

TEST_F(BadInput, OfAComparisonIsRefusedBeforeItRuns)
{
    EXPECT_EQ(Geotrain("compare small.textproto --vary mtu=1500 --vary mtu=9000").error,
              "--vary: \"mtu=9000\" varies mtu a second time; one list has all values\n");
    ASSERT_EQ(Geotrain("run small.textproto --network analytic --out r").code, 0);
    EXPECT_EQ(Geotrain("compare small.textproto --out r --resume").error,
              "--resume: \"r\" holds one run and no comparison to go on with\n");
    EXPECT_FALSE(fs::exists(m_folder / "r/comparison.csv"));
}

TEST_F(BadInput, ATransferNamesItsOwnOptionsAlone)
{
    const std::string transfer = "transfer --bytes 1MB --rate 1Gbps --rtt ";
    EXPECT_EQ(Geotrain(transfer + "60s").error,
              "--rtt: \"60s\" must be at least 2ns and at most 20s\n");
    // Windows of 2 TB together: the hosts' queues keep below their limit.
    EXPECT_EQ(Geotrain(transfer + "1ms --window 1GB --connections 1000").code, 0);
}

} // namespace
