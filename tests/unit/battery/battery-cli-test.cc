// SPDX-License-Identifier: GPL-2.0-only
// The battery on the command line: what it refuses before it runs anything.
#include "program-test.h"

#include <gtest/gtest.h>

namespace
{

class BatteryCli : public geotrain::ProgramTest
{
  protected:
    /// Expects that the command ends with exit code 1 and a message that has `text`.
    void ExpectRefused(const std::string& command, const std::string& text)
    {
        const auto outcome = Geotrain(command);
        EXPECT_EQ(outcome.code, 1) << command;
        EXPECT_NE(outcome.error.find(text), std::string::npos) << outcome.error;
    }
};

TEST_F(BatteryCli, RefusesACardOfWhatIsNoControlAndNamesTheList)
{
    ExpectRefused("compare congestion-control-battery --card Nonsense --out b",
                  "list congestion-controls");
}

TEST_F(BatteryCli, RefusesACardWithoutTheBattery)
{
    ExpectRefused("compare battery-loss --card TcpBbr3 --out b",
                  "needs the scenario congestion-control-battery");
    ExpectRefused("compare --results a b --card TcpBbr3",
                  "needs the scenario congestion-control-battery");
}

TEST_F(BatteryCli, RefusesVariantsOfTheCommandLine)
{
    ExpectRefused("compare congestion-control-battery --vary mtu=1500,9000 --out b", "--vary");
}

TEST_F(BatteryCli, NeedsAFolderToGoOnWith)
{
    ExpectRefused("compare congestion-control-battery --resume", "needs --out");
}

TEST_F(BatteryCli, IsListedAndRunByCompareAlone)
{
    EXPECT_NE(Geotrain("list scenarios").out.find("congestion-control-battery"), std::string::npos);
    ExpectRefused("run congestion-control-battery", "battery of scenarios");
    EXPECT_EQ(Geotrain("check battery-matrix").code, 0);
}

} // namespace
