// SPDX-License-Identifier: GPL-2.0-only
// Tests that a user has one live run at a time.
#include "live/live-lock.h"

#include "error-text.h"
#include "temporary-folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

#include <sys/wait.h>
#include <unistd.h>

namespace geotrain
{
namespace
{

/// Each test has a folder of temporary files of its own.
class LiveLockTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        setenv("TMPDIR", m_folder.Path().c_str(), 1);
    }

    void TearDown() override
    {
        unsetenv("TMPDIR");
    }

    std::filesystem::path File() const
    {
        return m_folder / ("geotrain-live-" + std::to_string(getuid()) + ".lock");
    }

    TemporaryFolder m_folder;
};

TEST_F(LiveLockTest, ItsFileIsThereWhileItIsHeld)
{
    {
        const LiveLock lock;
        EXPECT_TRUE(std::filesystem::exists(File()));
    }
    EXPECT_FALSE(std::filesystem::exists(File()));
}

TEST_F(LiveLockTest, ASecondRunIsRefused)
{
    const LiveLock lock;
    EXPECT_EQ(ErrorText([] { LiveLock second; }),
              "live: another `geotrain live` is running: wait until it ends, since both would be "
              "late");
}

TEST_F(LiveLockTest, TheNextRunTakesIt)
{
    std::make_unique<LiveLock>().reset();
    EXPECT_EQ(ErrorText([] { LiveLock second; }), "");
}

// A run that was killed leaves its file, and the kernel ends its lock.
TEST_F(LiveLockTest, ARunThatWasKilledHoldsNothing)
{
    const pid_t child = fork();
    if (child == 0)
    {
        new LiveLock; // stays, as a killed process's does
        _exit(0);
    }
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
    EXPECT_TRUE(std::filesystem::exists(File()));
    EXPECT_EQ(ErrorText([] { LiveLock next; }), "");
}

TEST_F(LiveLockTest, ALinkInItsPlaceIsNotFollowed)
{
    std::filesystem::create_symlink(m_folder / "target", File());
    EXPECT_NE(ErrorText([] { LiveLock lock; }).find("can't be made"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(m_folder / "target"));
}

TEST_F(LiveLockTest, WithoutAFolderForItTheVariableIsNamed)
{
    setenv("TMPDIR", (m_folder / "gone").c_str(), 1);
    const auto error = ErrorText([] { LiveLock lock; });
    EXPECT_EQ(error.rfind("TMPDIR: ", 0), 0u) << error;
    EXPECT_NE(error.find("must be a folder"), std::string::npos) << error;
}

} // namespace
} // namespace geotrain
