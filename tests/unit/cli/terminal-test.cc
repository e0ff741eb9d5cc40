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
