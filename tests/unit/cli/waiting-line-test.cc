// SPDX-License-Identifier: GPL-2.0-only
// Tests the line that is shown while nothing is known of how far the work is.
#include "cli/waiting-line.h"
#include "pseudo-terminal.h"

#include <gtest/gtest.h>

#include <csignal>
#include <string>
#include <unistd.h>

namespace geotrain
{
namespace
{

/// Reads from `terminal` up to and including `end`, however long that takes to come.
std::string
ReadUntil(int terminal, const std::string& end)
{
    std::string read;
    for (char byte = 0; read.find(end) == std::string::npos && ::read(terminal, &byte, 1) == 1;)
    {
        read += byte;
    }
    return read;
}

/// Puts stderr onto a pseudo-terminal.
class WaitingLineTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        int stderrOfTest = -1;
        ASSERT_EQ(openpty(&m_terminal, &stderrOfTest, nullptr, nullptr, nullptr), 0);
        m_stderr = dup(STDERR_FILENO);
        dup2(stderrOfTest, STDERR_FILENO);
        close(stderrOfTest);
    }

    void TearDown() override
    {
        dup2(m_stderr, STDERR_FILENO);
        close(m_stderr);
        close(m_terminal);
    }

    int m_terminal = -1;
    int m_stderr = -1;
};

TEST_F(WaitingLineTest, SaysWhatIsDoneAndForHowLongAndLeavesNothing)
{
    std::string written;
    {
        WaitingLine line(false);
        line.Show("checking three-dc-gpt");
        written = ReadUntil(m_terminal, " s so far"); // the work, which ends when it was drawn
        EXPECT_EQ(written.find("\r\033[Kchecking three-dc-gpt, "), 0U) << written;
    }
    std::fputs("the table@", stderr);
    written += ReadUntil(m_terminal, "@");
    EXPECT_EQ(ScreenLines(written).front(), "the table@");
}

TEST_F(WaitingLineTest, ShowsNothingWhereItIsToBeQuiet)
{
    {
        WaitingLine quiet(true);
        quiet.Show("checking");
    }
    std::fputs("the table@", stderr);
    EXPECT_EQ(ReadUntil(m_terminal, "@"), "the table@");
}

class WaitingLineSignal : public testing::TestWithParam<int>
{
};

TEST_P(WaitingLineSignal, EndsTheProgramWithWhatItCutShort)
{
    const auto work = []
    {
        WaitingLine quiet(true);
        quiet.Show("checking three-dc-gpt");
        raise(GetParam());
    };
    EXPECT_EXIT(work(),
                testing::KilledBySignal(GetParam()),
                "^interrupted while checking three-dc-gpt; nothing was written\n$");
}

TEST_P(WaitingLineSignal, GoesToTheEarlierHandlerAfterwards)
{
    const auto work = []
    {
        std::signal(GetParam(), [](int) { _exit(42); });
        {
            WaitingLine quiet(true);
            quiet.Show("checking");
        }
        raise(GetParam());
    };
    EXPECT_EXIT(work(), testing::ExitedWithCode(42), "^$");
}

INSTANTIATE_TEST_SUITE_P(Signals, WaitingLineSignal, testing::Values(SIGINT, SIGTERM));

} // namespace
} // namespace geotrain
