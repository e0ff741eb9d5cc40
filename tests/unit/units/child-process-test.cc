// SPDX-License-Identifier: GPL-2.0-only
#include "units/child-process.h"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace geotrain
{
namespace
{

using std::chrono::milliseconds;

int
SleepForLong()
{
    sleep(200);
    return 0;
}

/// A Pipe is two descriptors: what is written to the second is read from the first.
struct Pipe
{
    Pipe()
    {
        EXPECT_EQ(pipe(ends.data()), 0);
    }

    ~Pipe()
    {
        close(ends[0]);
        CloseWriting();
    }

    void CloseWriting()
    {
        close(std::exchange(ends[1], -1));
    }

    std::array<int, 2> ends{};
};

TEST(ChildProcess, ThatFailsHasItsExitCode)
{
    ChildProcess child([] { return 3; });
    EXPECT_GT(child.Id(), 0);
    EXPECT_EQ(child.Wait(), 3);
    EXPECT_TRUE(child.HasEnded());
    EXPECT_EQ(child.Id(), -1);
    EXPECT_EQ(child.Wait(), 3); // once more, without a child
}

TEST(ChildProcess, ThatIsKilledHasTheSignalInItsExitCode)
{
    ChildProcess child(SleepForLong);
    EXPECT_FALSE(child.HasEnded());
    child.Send(SIGTERM);
    EXPECT_EQ(child.Wait(), 128 + SIGTERM);
    child.Send(SIGTERM); // to nobody
}

TEST(ChildProcess, ThatThrowsDoesNotReturnIntoItsParentsCode)
{
    ChildProcess child([]() -> int { throw std::runtime_error("from a child"); });
    EXPECT_EQ(child.Wait(), 128 + SIGABRT);
}

TEST(ChildProcess, PrintsWhatItsParentHadNotWrittenYetOnlyOnce)
{
    Pipe output;
    FILE* const stream = fdopen(dup(output.ends[1]), "w");
    std::fputs("before ", stream);
    ChildProcess child(
        [&]
        {
            std::fputs("child", stream);
            return 0;
        });
    EXPECT_EQ(child.Wait(), 0);
    std::fclose(stream);
    std::array<char, 100> text{};
    EXPECT_EQ(read(output.ends[0], text.data(), text.size()), 12);
    EXPECT_EQ(std::string(text.data()), "before child");
}

TEST(ChildProcess, ThatRunsPastADeadlineIsStillThere)
{
    ChildProcess child(SleepForLong);
    EXPECT_FALSE(child.HasEndedWithin(milliseconds(20)));
    child.Send(SIGKILL);
    EXPECT_TRUE(child.HasEndedWithin(milliseconds(10000)));
    EXPECT_EQ(child.ExitCode(), 128 + SIGKILL);
}

TEST(ChildProcess, ThatStillRunsEndsWithItsObject)
{
    pid_t id = 0;
    {
        ChildProcess first(SleepForLong);
        const ChildProcess child(std::move(first)); // which kills it once
        EXPECT_EQ(first.Id(), -1);
        id = child.Id();
        EXPECT_EQ(kill(id, 0), 0);
    }
    EXPECT_NE(kill(id, 0), 0);
}

// The grandchild holds the pipe's end for writing until the kernel ends it, so that read() returns.
TEST(ChildProcess, EndsWithAParentThatIsKilled)
{
    Pipe output;
    ChildProcess parent(
        [&]
        {
            const ChildProcess child(SleepForLong, SIGTERM);
            const char begun = 'b';
            return write(output.ends[1], &begun, 1) == 1 ? SleepForLong() : 1;
        });
    char letter = 0;
    ASSERT_EQ(read(output.ends[0], &letter, 1), 1);
    output.CloseWriting();
    parent.Send(SIGKILL);
    EXPECT_EQ(parent.Wait(), 128 + SIGKILL);
    EXPECT_EQ(read(output.ends[0], &letter, 1), 0); // 200 s later if nothing ended it
}

TEST(ChildProcess, OfNamespacesThatTheKernelDoesNotKnowThrows)
{
    constexpr int impossible = 0x10000 | 0x800; // CLONE_THREAD without CLONE_VM: EINVAL
    EXPECT_THROW(ChildProcess([] { return 0; }, SIGKILL, impossible), std::system_error);
}

} // namespace
} // namespace geotrain
