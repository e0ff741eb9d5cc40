// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/job-pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <map>
#include <new>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace geotrain
{

namespace
{

/// SharedShares holds the shares of all jobs in memory that parent and children share.
class SharedShares
{
  public:
    explicit SharedShares(std::size_t count)
        : m_count(count)
    {
        void* memory = mmap(nullptr,
                            std::max<std::size_t>(count, 1) * sizeof(std::atomic<double>),
                            PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS,
                            -1,
                            0);
        if (memory == MAP_FAILED)
        {
            throw std::runtime_error("there is no memory for the jobs' progress");
        }
        m_shares = static_cast<std::atomic<double>*>(memory);
        for (std::size_t i = 0; i < count; ++i)
        {
            new (&m_shares[i]) std::atomic<double>(0);
        }
    }

    ~SharedShares()
    {
        munmap(m_shares, std::max<std::size_t>(m_count, 1) * sizeof(std::atomic<double>));
    }

    SharedShares(const SharedShares&) = delete;
    SharedShares& operator=(const SharedShares&) = delete;

    std::atomic<double>& Of(std::size_t job)
    {
        return m_shares[job];
    }

    std::vector<double> All() const
    {
        return {m_shares, m_shares + m_count};
    }

  private:
    std::size_t m_count;
    std::atomic<double>* m_shares;
};

pid_t
Start(const Job& job, std::atomic<double>& share)
{
    std::fflush(nullptr);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0)
    {
        throw std::runtime_error("no process can be started");
    }
    if (child == 0)
    {
        // A parent that was killed takes its jobs along, also one that died before this call.
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != parent)
        {
            _exit(128 + SIGTERM);
        }
        const int code = job([&share](double done) { share = done; });
        std::fflush(nullptr);
        _exit(code);
    }
    return child;
}

int
ExitCode(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace

std::vector<int>
RunJobs(const std::vector<Job>& jobs,
        unsigned parallel,
        const std::function<void(const std::vector<double>&)>& watch)
{
    SharedShares shares(jobs.size());
    std::vector<int> codes(jobs.size(), 0);
    std::map<pid_t, std::size_t> running;
    std::size_t next = 0;
    while (next < jobs.size() || !running.empty())
    {
        while (next < jobs.size() && running.size() < std::max(parallel, 1U))
        {
            running.emplace(Start(jobs[next], shares.Of(next)), next);
            ++next;
        }
        int status = 0;
        const pid_t ended = waitpid(-1, &status, WNOHANG);
        const auto found = running.find(ended);
        if (found != running.end())
        {
            codes[found->second] = ExitCode(status);
            shares.Of(found->second) = 1;
            running.erase(found);
        }
        else
        {
            watch(shares.All());
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
    }
    return codes;
}

} // namespace geotrain
