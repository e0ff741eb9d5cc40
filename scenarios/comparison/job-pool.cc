// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/job-pool.h"

#include "runner/exit-codes.h"
#include "runner/run-watch.h"
#include "trace/result-file.h"
#include "units/child-process.h"
#include "units/config-error.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <map>
#include <new>
#include <stdexcept>
#include <sys/mman.h>
#include <system_error>
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

ChildProcess
Start(const Job& job, std::atomic<double>& share)
{
    const auto work = [&]
    {
        std::signal(SIGINT, SIG_DFL);
        std::signal(SIGTERM, SIG_DFL);
        return job([&share](double done) { share = done; });
    };
    try
    {
        return ChildProcess(work, SIGTERM);
    }
    catch (const std::system_error& error)
    {
        throw ConfigError("", "", "", fmt::format("{}; see `ulimit -u`", error.what()));
    }
}

/// Ends all jobs that run, and waits for their ends.
void
End(std::map<std::size_t, ChildProcess>& running)
{
    for (auto& [job, child] : running)
    {
        child.Send(SIGTERM);
    }
    for (auto& [job, child] : running)
    {
        child.Wait();
    }
}

} // namespace

std::vector<int>
RunJobs(const std::vector<Job>& jobs,
        unsigned parallel,
        const std::function<void(const std::vector<double>&)>& watch)
{
    SharedShares shares(jobs.size());
    std::vector<int> codes(jobs.size(), interruptedJob);
    std::map<std::size_t, ChildProcess> running; // by job
    std::size_t next = 0;
    while (next < jobs.size() || !running.empty())
    {
        if (WasInterrupted())
        {
            End(running);
            break;
        }
        while (next < jobs.size() && running.size() < std::max(parallel, 1U))
        {
            running.emplace(next, Start(jobs[next], shares.Of(next)));
            ++next;
        }
        const auto ended = std::find_if(
            running.begin(), running.end(), [](auto& one) { return one.second.HasEnded(); });
        if (ended != running.end())
        {
            codes[ended->first] = ended->second.ExitCode();
            shares.Of(ended->first) = 1;
            running.erase(ended);
        }
        else
        {
            watch(shares.All());
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
    }
    return codes;
}

int
ExitCodeWithMessages(const std::filesystem::path& messages, const std::function<int()>& work)
{
    const int terminal = dup(STDERR_FILENO);
    if (std::freopen(messages.c_str(), "w", stderr) == nullptr)
    {
        dprintf(terminal, "%s\n", WriteFailure(messages).what());
        return exitInput;
    }
    ExitOnTerminate();
    const auto outcome = OutcomeOf(work);
    if (!outcome.error.empty())
    {
        std::fprintf(stderr, "%s\n", outcome.error.c_str());
    }
    if (std::fflush(stderr) != 0 || std::ferror(stderr) != 0)
    {
        dprintf(terminal, "%s\n", outcome.error.c_str());
    }
    return outcome.code;
}

} // namespace geotrain
