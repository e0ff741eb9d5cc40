// SPDX-License-Identifier: GPL-2.0-only
// Jobs run side by side, tell their progress and their errors, and end with the process that runs
// them, whatever signal ends that.
#include "comparison/job-pool.h"

#include "runner/exit-codes.h"
#include "runner/run-watch.h"
#include "temporary-folder.h"
#include "units/config-error.h"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <new>
#include <stdexcept>
#include <sys/mman.h>
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

/// A Counter counts in memory that jobs share with their parent.
class Counter
{
  public:
    Counter()
        : m_count(new (mmap(nullptr,
                            sizeof(std::atomic<int>),
                            PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS,
                            -1,
                            0)) std::atomic<int>(0))
    {
    }

    ~Counter()
    {
        munmap(m_count, sizeof(std::atomic<int>));
    }

    Counter(const Counter&) = delete;
    Counter& operator=(const Counter&) = delete;

    std::atomic<int>& Get()
    {
        return *m_count;
    }

  private:
    std::atomic<int>* m_count;
};

void
WatchNothing(const std::vector<double>&)
{
}

TEST(JobPoolOrder, AtMostAsManyJobsRunAtOnceAsAreAllowed)
{
    Counter running;
    Counter most;
    const Job job = [&](const JobProgress&)
    {
        const int now = ++running.Get();
        int seen = most.Get();
        while (now > seen && !most.Get().compare_exchange_weak(seen, now))
        {
        }
        usleep(20000);
        --running.Get();
        return 0;
    };
    EXPECT_EQ(RunJobs(std::vector<Job>(9, job), 3, WatchNothing), std::vector<int>(9, 0));
    EXPECT_LE(most.Get(), 3);
    EXPECT_GT(most.Get(), 1); // of nine jobs of 20 ms, some overlap
}

TEST(JobPoolOrder, OneAfterAnotherTheyRunInTheirOrder)
{
    Counter begun;
    std::vector<Job> jobs;
    for (int i = 0; i < 5; ++i)
    {
        jobs.push_back([&begun](const JobProgress&) { return begun.Get()++; });
    }
    EXPECT_EQ(RunJobs(jobs, 1, WatchNothing), (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(JobPoolOrder, NoneAtOnceMeansOne)
{
    EXPECT_EQ(RunJobs({[](const JobProgress&) { return 7; }}, 0, WatchNothing),
              std::vector<int>{7});
    EXPECT_TRUE(RunJobs({}, 2, WatchNothing).empty());
}

TEST(JobPoolProgress, SharesOfAllJobsAreTold)
{
    Counter isSeen;
    const auto waits = [&](const JobProgress& progress)
    {
        progress(0.25);
        while (isSeen.Get() == 0)
        {
            usleep(1000);
        }
        return 0;
    };
    std::vector<double> told;
    RunJobs({[](const JobProgress&) { return 0; }, waits},
            1,
            [&](const std::vector<double>& shares)
            {
                if (shares[1] == 0.25)
                {
                    told = shares;
                    isSeen.Get() = 1;
                }
            });
    EXPECT_EQ(told, (std::vector<double>{1, 0.25})); // the first has ended
}

/// What a job said and how it ended.
struct Ended
{
    int code = 0;
    std::string messages;
};

/// Runs `work` as a comparison runs a run.
Ended
EndOf(const std::function<int()>& work)
{
    const TemporaryFolder folder;
    const auto file = folder / "messages.txt";
    const auto codes =
        RunJobs({[&](const JobProgress&) { return ExitCodeWithMessages(file, work); }},
                1,
                WatchNothing);
    return {codes.at(0), Contents(file)};
}

TEST(JobMessages, AreWhatGoesToStderr)
{
    const auto ended = EndOf(
        []
        {
            fputs("geotrain: warning: small\n", stderr);
            return 0;
        });
    EXPECT_EQ(ended.code, 0);
    EXPECT_EQ(ended.messages, "geotrain: warning: small\n");
}

TEST(JobMessages, EndWithTheErrorOfTheWork)
{
    const auto refused = EndOf([]() -> int { throw ConfigError("f", "field", "5", "must be 6"); });
    EXPECT_EQ(refused.code, exitInput);
    EXPECT_EQ(refused.messages, "f: field: \"5\" must be 6\n");
    const auto broken = EndOf([]() -> int { throw std::logic_error("two and two are five"); });
    EXPECT_EQ(broken.code, exitInternal);
    EXPECT_NE(broken.messages.find("two and two are five"), std::string::npos);
}

// ns-3's checks print and terminate.
TEST(JobMessages, HaveTheWordsOfACheckThatTerminates)
{
    const auto ended = EndOf(
        []() -> int
        {
            fputs("a check failed\n", stderr);
            std::terminate();
        });
    EXPECT_EQ(ended.code, exitInternal);
    EXPECT_NE(ended.messages.find("a check failed\n"), std::string::npos) << ended.messages;
}

TEST(JobMessages, ThatCannotBeWrittenFailTheJob)
{
    const auto codes = RunJobs(
        {[](const JobProgress&)
         { return ExitCodeWithMessages("/nowhere/messages.txt", [] { return 0; }); }},
        1,
        WatchNothing);
    EXPECT_EQ(codes, std::vector<int>{exitInput});
}

// The program's handler of SIGINT is set and the signal raised in a child, since both are for good.
TEST(JobPoolInterrupt, EndsWhatRunsAndBeginsNoOther)
{
    const pid_t child = fork();
    if (child == 0)
    {
        CatchInterrupts();
        const Job ends = [](const JobProgress&) { return 0; };
        const Job never = [](const JobProgress&)
        {
            sleep(200);
            return 0;
        };
        bool isFirst = true;
        const auto codes = RunJobs({ends, never, ends},
                                   1,
                                   [&](const std::vector<double>& shares)
                                   {
                                       if (shares[0] == 1 && isFirst)
                                       {
                                           isFirst = false;
                                           raise(SIGINT);
                                       }
                                   });
        _exit(codes == std::vector<int>{0, interruptedJob, interruptedJob} ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

} // namespace
} // namespace geotrain
