// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/sweep-server.h"

#include "comparison/swept-run.h"
#include "runner/exit-codes.h"
#include "runner/run-watch.h"
#include "units/child-process.h"
#include "units/config-error.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <map>
#include <optional>
#include <system_error>
#include <thread>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

/// A Server makes the runs of one sweep.
class Server
{
  public:
    Server(const fs::path& results, const SweepTimes& times)
        : m_files(results),
          m_times(times)
    {
    }

    int Serve()
    {
        WaitForLead();
        while (true)
        {
            if (WasInterrupted() || m_lead.HasStopped(m_files.Lead(), m_times.patience))
            {
                End();
                return !WasInterrupted() && !fs::exists(m_files.Lead()) ? exitDone : exitUnfinished;
            }
            Collect();
            TakeMore();
            Beat();
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
    }

  private:
    /// A lead of a sweep that was killed earlier is of another launch or does not beat, and is none.
    void WaitForLead()
    {
        const auto until = std::chrono::steady_clock::now() + m_times.arrival;
        std::optional<fs::file_time_type> first;
        for (bool isAlive = false; !isAlive;)
        {
            std::error_code missing;
            const auto time = fs::last_write_time(m_files.Lead(), missing);
            isAlive = !missing && ((first && *first != time) || IsOfThisLaunch());
            first = missing || first ? first : std::optional(time);
            if (std::chrono::steady_clock::now() > until || WasInterrupted())
            {
                throw ConfigError("--out",
                                  "",
                                  m_files.Folder().parent_path().string(),
                                  "is not where rank 0 writes to: the ranks must share this folder");
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        std::string process = ThisSweepProcess();
        std::replace(process.begin(), process.end(), ' ', '-');
        MakeAlone(m_files.Greeting(process), "");
    }

    bool IsOfThisLaunch() const
    {
        const std::string launch = LaunchOfSweep();
        const std::string lead = ReadSweepFile(m_files.Lead()).value_or("");
        return !launch.empty() && lead.substr(lead.find(' ') + 1) == launch;
    }

    void TakeMore()
    {
        const auto most = static_cast<std::size_t>(
            std::atoi(ReadSweepFile(m_files.Lead()).value_or("0").c_str()));
        while (m_running.size() < most && TakeOne(most))
        {
        }
    }

    /// Returns false where no job is left.
    bool TakeOne(std::size_t together)
    {
        for (; fs::exists(m_files.Offer(m_next)); ++m_next)
        {
            if (MakeAlone(m_files.Taken(m_next), ThisSweepProcess()))
            {
                Start(m_next++, together);
                return true;
            }
        }
        return TakeOneAgain(together);
    }

    /// Looks for a job whose rank was lost.
    bool TakeOneAgain(std::size_t together)
    {
        // A beat apart: of thousands of jobs each costs a look at a file.
        const auto now = std::chrono::steady_clock::now();
        if (now - m_lastSearch < m_times.beat)
        {
            return false;
        }
        m_lastSearch = now;
        for (std::uint64_t job = 0; job < m_next; ++job)
        {
            if (m_running.count(job) == 0 && !fs::exists(m_files.Ended(job)) &&
                !fs::exists(m_files.Taken(job)) &&
                MakeAlone(m_files.Taken(job), ThisSweepProcess()))
            {
                Start(job, together);
                return true;
            }
        }
        return false;
    }

    void Start(std::uint64_t job, std::size_t together)
    {
        const std::string run = ReadSweepFile(m_files.Offer(job)).value_or("");
        const auto work = [&]
        {
            std::signal(SIGINT, SIG_DFL);
            std::signal(SIGTERM, SIG_DFL);
            return ExitCodeOf([&]
                              { return MakeWrittenRun(run, static_cast<std::int64_t>(together)); });
        };
        m_running.emplace(job, ChildProcess(work, SIGTERM));
    }

    void Collect()
    {
        for (auto job = m_running.begin(); job != m_running.end();)
        {
            if (!job->second.HasEnded())
            {
                ++job;
                continue;
            }
            WriteSweepFile(m_files.Ended(job->first), std::to_string(job->second.ExitCode()));
            job = m_running.erase(job);
        }
    }

    void Beat()
    {
        const auto now = std::chrono::steady_clock::now();
        if (now - m_lastBeat < m_times.beat)
        {
            return;
        }
        m_lastBeat = now;
        for (auto job = m_running.begin(); job != m_running.end();)
        {
            // Rank 0 may have taken this rank for dead, and given its run to another one.
            const bool isMine = ReadSweepFile(m_files.Taken(job->first)) == ThisSweepProcess();
            if (isMine)
            {
                WriteSweepFile(m_files.Taken(job->first), ThisSweepProcess());
            }
            job = isMine ? std::next(job) : m_running.erase(job); // which kills it
        }
    }

    void End()
    {
        for (auto& [job, child] : m_running)
        {
            child.Send(SIGTERM);
            child.Wait();
        }
        m_running.clear();
    }

    SweepFiles m_files;
    SweepTimes m_times;
    SweepPulse m_lead;
    std::map<std::uint64_t, ChildProcess> m_running; ///< by job
    std::uint64_t m_next = 0;                        ///< first job that nobody was seen to offer
    std::chrono::steady_clock::time_point m_lastBeat;
    std::chrono::steady_clock::time_point m_lastSearch; ///< for jobs that were given back
};

} // namespace

int
ServeSweep(const fs::path& results, const SweepTimes& times)
{
    return Server(results, times).Serve();
}

} // namespace geotrain
