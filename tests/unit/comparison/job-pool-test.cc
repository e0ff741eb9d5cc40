// SPDX-License-Identifier: GPL-2.0-only
// Jobs end with the process that runs them, whatever signal ends that.
#include "comparison/job-pool.h"

#include <gtest/gtest.h>

#include <csignal>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace geotrain
{
namespace
{

class JobPoolSignal : public ::testing::TestWithParam<int>
{
};

TEST_P(JobPoolSignal, ThatEndsTheParentEndsItsJobs)
{
    int told[2];
    ASSERT_EQ(pipe(told), 0);
    ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1),
              0); // jobs without parent become children of this test
    const pid_t parent = fork();
    if (parent == 0)
    {
        const auto job = [&told](const JobProgress&)
        {
            const pid_t own = getpid();
            const bool isTold = write(told[1], &own, sizeof own) == sizeof own;
            sleep(isTold ? 200 : 0);
            return 0;
        };
        RunJobs({job, job}, 2, [](const std::vector<double>&) {});
        _exit(0);
    }
    pid_t jobs[2];
    ASSERT_EQ(read(told[0], &jobs[0], sizeof(pid_t)), static_cast<ssize_t>(sizeof(pid_t)));
    ASSERT_EQ(read(told[0], &jobs[1], sizeof(pid_t)), static_cast<ssize_t>(sizeof(pid_t)));
    kill(parent, GetParam());
    int status = 0;
    EXPECT_EQ(waitpid(parent, &status, 0), parent);
    for (const pid_t job : jobs)
    {
        EXPECT_EQ(waitpid(job, &status, 0), job); // 200 s later if nothing ended it
        EXPECT_TRUE(WIFSIGNALED(status));
        EXPECT_EQ(WTERMSIG(status), SIGTERM);
    }
}

INSTANTIATE_TEST_SUITE_P(Signals, JobPoolSignal, ::testing::Values(SIGTERM, SIGINT, SIGKILL));

} // namespace
} // namespace geotrain
