// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/job-pool.h"

#include "runner/exit-codes.h"
#include "runner/run-watch.h"
#include "trace/result-file.h"
#include "units/child-process.h"
#include "units/config-error.h"

#include <boost/interprocess/anonymous_shared_memory.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <numeric>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace geotrain
{

namespace
{

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
        const std::function<void(const std::vector<double>&)>& watch,
        JobSharing* sharing)
{
    // The shares are in memory that this process and its children have together.
    const auto memory = boost::interprocess::anonymous_shared_memory(
        std::max<std::size_t>(jobs.size(), 1) * sizeof(std::atomic<double>));
    auto* const shares = static_cast<std::atomic<double>*>(memory.get_address());
    std::uninitialized_value_construct_n(shares, jobs.size());
    std::vector<int> codes(jobs.size(), interruptedJob);
    std::map<std::size_t, ChildProcess> running; // by job
    std::deque<std::size_t> waiting(jobs.size());
    std::iota(waiting.begin(), waiting.end(), std::size_t{0});
    for (std::size_t left = jobs.size(); left > 0;)
    {
        if (WasInterrupted())
        {
            End(running);
            break;
        }
        while (!waiting.empty() && running.size() < std::max(parallel, 1U))
        {
            const std::size_t job = waiting.front();
            waiting.pop_front();
            if (sharing == nullptr || sharing->Take(job))
            {
                running.emplace(job, Start(jobs[job], shares[job]));
            }
        }
        for (const auto& [job, code] :
             sharing ? sharing->EndedElsewhere() : std::map<std::size_t, int>())
        {
            codes[job] = code;
            shares[job] = 1;
            --left;
        }
        for (const std::size_t job : sharing ? sharing->Lost() : std::vector<std::size_t>())
        {
            waiting.push_back(job);
        }
        const auto ended = std::find_if(
            running.begin(), running.end(), [](auto& one) { return one.second.HasEnded(); });
        if (ended != running.end())
        {
            codes[ended->first] = ended->second.ExitCode();
            shares[ended->first] = 1;
            --left;
            if (sharing != nullptr)
            {
                sharing->OnEnded(ended->first, ended->second.ExitCode());
            }
            running.erase(ended);
        }
        else
        {
            watch({shares, shares + jobs.size()});
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
    }
    return codes;
}

int
WaitAndForward(ChildProcess& child, int signal)
{
    for (bool isTold = false; !child.HasEndedWithin(std::chrono::milliseconds(20));)
    {
        if (WasInterrupted() && !isTold)
        {
            isTold = true;
            child.Send(signal);
        }
    }
    return child.ExitCode();
}

int
ExitCodeWithMessages(const std::filesystem::path& messages, const std::function<int()>& work)
{
    const int terminal = dup(STDERR_FILENO);
    try
    {
        RecordInPlace(messages);
        if (std::freopen(messages.c_str(), "w", stderr) == nullptr)
        {
            throw WriteFailure(messages);
        }
    }
    catch (const TraceError& failed)
    {
        dprintf(terminal, "%s\n", failed.what());
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
