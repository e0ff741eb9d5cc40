// SPDX-License-Identifier: GPL-2.0-only
// Runs the program on a pseudo-terminal, where it shows its progress: nothing of the progress line
// may be left on a line of the table.
#include "program-test.h"
#include "pseudo-terminal.h"
#include "small-scenario.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace geotrain
{

namespace
{

/// Terminal is run with each verb that shows its progress, long enough for it to be drawn.
class Terminal : public ProgramTest, public testing::WithParamInterface<const char*>
{
};

TEST(PseudoTerminal, KnowsReturnsAndErasures)
{
    EXPECT_EQ(ScreenLines("\r\033[Ka long line\r\033[Kshort\r\033[Ktable\r\nrow"),
              (std::vector<std::string>{"table", "row"}));
    // Without an erasure, what was longer stays: a table that is glued to a progress line.
    EXPECT_EQ(ScreenLines("50 % done\rtable").front(), "tabledone");
}

class Help : public ProgramTest
{
};

TEST_F(Help, EndsWithTheTerminalsColumns)
{
    std::vector<std::string> helps{""};
    helps.insert(helps.end(), std::begin(allVerbs), std::end(allVerbs));
    for (const std::size_t columns : {80, 60})
    {
        setenv("COLUMNS", std::to_string(columns).c_str(), 1);
        for (const auto& verb : helps)
        {
            const auto help = Geotrain(verb + " --help").out;
            EXPECT_NE(help.find("Usage: geotrain"), std::string::npos) << help;
            std::istringstream lines(help);
            for (std::string line; std::getline(lines, line);)
            {
                // Within a command, only the places before options can be broken.
                const bool isCommand =
                    line.rfind("  geotrain ", 0) == 0 || line.rfind("      --", 0) == 0;
                EXPECT_LE(line.size(), isCommand ? 80u : columns) << verb << ": " << line;
            }
        }
    }
    setenv("COLUMNS", "80", 1);
    // A command that goes on in the next line is one that a shell takes.
    const auto help = Geotrain("compare --help").out;
    EXPECT_NE(help.find("--load my-control.so \\\n      --vary "), std::string::npos) << help;
}

TEST_P(Terminal, EveryLineOfTheOutputStandsByItself)
{
    Write("small.textproto", SmallScenarioText() + "run { iterations: 300 }");
    const std::string arguments = GetParam();
    const auto piped = Geotrain(arguments);
    ASSERT_EQ(piped.code, 0) << piped.error;
    const auto written =
        WrittenToTerminal("cd '" + m_folder.string() + "' && '" GEOTRAIN_PROGRAM "' " + arguments);
    EXPECT_NE(written.find("\r\033[K"), std::string::npos) << "no progress was drawn";
    const auto screen = ScreenLines(written);
    std::istringstream lines(piped.out);
    for (std::string line; std::getline(lines, line);)
    {
        EXPECT_NE(std::find(screen.begin(), screen.end(), line), screen.end())
            << "not by itself: " << line << "\n"
            << written;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Verbs,
    Terminal,
    testing::Values("run small.textproto --out r --force",
                    "compare small.textproto --vary mtu=1500,1501 --jobs 1 --out c --force"));

} // namespace

} // namespace geotrain
