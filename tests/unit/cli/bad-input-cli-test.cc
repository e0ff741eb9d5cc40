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

TEST_F(BadInput, IsRefusedWithItsArgumentAndAHint)
{
    const std::vector<std::pair<std::string, std::string>> cases{
        {"compare small.textproto --jobs 0", "--jobs"},
        {"plan small.textproto --top x", "--top"},
        {"transfer --bytes 1MB --rate 1Gbps --rtt 1ms --mtu abc", "--mtu"},
        {"export c --format xml", "--format"},
        {"run small.textproto --network", "--network"},
        {"run small.textproto other", "other"},
        {"run small.textproto --again r", "--again"},
        {"learn a.csv --model lstm --seconds -1 --out x.pb", "--seconds"},
        {"compare small.textproto --seeds 1 --seeds 2", "--seeds"},
        {"compare small.textproto --sedes 1,2", "--sedes"},
    };
    for (const auto& [arguments, argument] : cases)
    {
        const auto verb = arguments.substr(0, arguments.find(' '));
        const auto outcome = Geotrain(arguments);
        EXPECT_EQ(outcome.code, 1) << arguments;
        EXPECT_EQ(outcome.error.rfind("geotrain: ", 0), 0U) << outcome.error;
        EXPECT_NE(outcome.error.find(argument), std::string::npos) << outcome.error;
        EXPECT_NE(outcome.error.find("; see geotrain " + verb + " --help\n"), std::string::npos)
            << outcome.error;
    }
}

TEST_F(BadInput, OfAVeryLongValueStaysShort)
{
    const auto outcome = Geotrain("compare small.textproto --jobs " + std::string(100000, '1'));
    EXPECT_EQ(outcome.code, 1);
    EXPECT_LT(outcome.error.size(), 1100U);
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
