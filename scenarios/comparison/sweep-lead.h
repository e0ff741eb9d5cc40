// SPDX-License-Identifier: GPL-2.0-only
// Gives the runs of a comparison out to the ranks of a sweep, which is the work of rank 0. It makes runs
// itself like the others. A rank that dies costs its run, which is given out again.
#pragma once

#include "comparison/job-pool.h"
#include "comparison/sweep-files.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace geotrain
{

/// SweepLead holds the folder of a sweep, which the other ranks serve while it is there.
class SweepLead
{
  public:
    /// `results` is the folder of the results, `jobs` the number of runs that each rank makes at once, and
    /// `ranks` the number of ranks with this one.
    SweepLead(const std::filesystem::path& results,
              unsigned jobs,
              int ranks,
              const SweepTimes& times = {});

    /// Removes the folder, which ends the other ranks. It waits for some beats for those that have not
    /// come yet, which would look for it in vain.
    ~SweepLead();
    SweepLead(const SweepLead&) = delete;
    SweepLead& operator=(const SweepLead&) = delete;

    const SweepFiles& Files() const
    {
        return m_files;
    }

    const SweepTimes& Times() const
    {
        return m_times;
    }

    /// Returns the number of the first of `count` further jobs.
    std::uint64_t Number(std::size_t count);

    /// Says that this rank lives, where that is due.
    void Beat();

  private:
    SweepFiles m_files;
    unsigned m_jobs;
    std::size_t m_others;
    SweepTimes m_times;
    std::chrono::steady_clock::time_point m_lastBeat;
    std::uint64_t m_numbered = 0;
};

/// A SweptJobs shares the jobs of one pool with the other ranks.
class SweptJobs : public JobSharing
{
  public:
    /// `runs` are the jobs as WriteRun() writes them. `prepare` empties a job's folder of results.
    SweptJobs(SweepLead& lead,
              const std::vector<std::string>& runs,
              const std::function<void(std::size_t)>& prepare);

    bool Take(std::size_t job) override;
    void OnEnded(std::size_t job, int code) override;
    std::map<std::size_t, int> EndedElsewhere() override;
    std::vector<std::size_t> Lost() override;

  private:
    bool IsTimeToLook();

    SweepLead& m_lead;
    std::uint64_t m_first;
    std::chrono::steady_clock::time_point m_lastLook;
    std::function<void(std::size_t)> m_prepare;
    std::map<std::size_t, SweepPulse> m_elsewhere; ///< by job that another rank has taken
};

} // namespace geotrain
