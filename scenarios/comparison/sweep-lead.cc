// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/sweep-lead.h"

#include "units/config-error.h"

#include <cstdlib>
#include <system_error>
#include <thread>

namespace geotrain
{

namespace fs = std::filesystem;

SweepLead::SweepLead(const fs::path& results, unsigned jobs, int ranks, const SweepTimes& times)
    : m_files(results),
      m_jobs(jobs),
      m_others(static_cast<std::size_t>(ranks - 1)),
      m_times(times)
{
    std::error_code error;
    fs::remove_all(m_files.Folder(), error); // of a sweep that was killed
    if (!fs::create_directory(m_files.Folder(), error))
    {
        throw ConfigError("", "", m_files.Folder().string(), "can't be made: " + error.message());
    }
    m_lastBeat = std::chrono::steady_clock::now() - 2 * m_times.beat;
    Beat();
}

SweepLead::~SweepLead()
{
    constexpr int beats = 5;
    const auto until = std::chrono::steady_clock::now() + beats * m_times.beat;
    while (m_files.Greetings() < m_others && std::chrono::steady_clock::now() < until)
    {
        Beat();
        std::this_thread::sleep_for(m_times.beat / 40);
    }
    std::error_code ignored;
    fs::remove(m_files.Lead(), ignored); // first, so that no rank takes a job any more
    fs::remove_all(m_files.Folder(), ignored);
}

std::uint64_t
SweepLead::Number(std::size_t count)
{
    const std::uint64_t first = m_numbered;
    m_numbered += count;
    return first;
}

void
SweepLead::Beat()
{
    const auto now = std::chrono::steady_clock::now();
    if (now - m_lastBeat >= m_times.beat)
    {
        m_lastBeat = now;
        WriteSweepFile(m_files.Lead(), std::to_string(m_jobs) + " " + LaunchOfSweep());
    }
}

SweptJobs::SweptJobs(SweepLead& lead,
                     const std::vector<std::string>& runs,
                     const std::function<void(std::size_t)>& prepare)
    : m_lead(lead),
      m_first(lead.Number(runs.size())),
      m_prepare(prepare)
{
    for (std::size_t job = 0; job < runs.size(); ++job)
    {
        WriteSweepFile(m_lead.Files().Offer(m_first + job), runs[job]);
    }
}

bool
SweptJobs::Take(std::size_t job)
{
    const bool isMine = MakeAlone(m_lead.Files().Taken(m_first + job), ThisSweepProcess());
    if (!isMine)
    {
        m_elsewhere.try_emplace(job);
    }
    return isMine;
}

void
SweptJobs::OnEnded(std::size_t job, int code)
{
    WriteSweepFile(m_lead.Files().Ended(m_first + job), std::to_string(code));
}

/// Files of other machines are looked at four times a beat.
bool
SweptJobs::IsTimeToLook()
{
    const auto now = std::chrono::steady_clock::now();
    const bool isTime = now - m_lastLook >= m_lead.Times().beat / 4;
    m_lastLook = isTime ? now : m_lastLook;
    return isTime;
}

std::map<std::size_t, int>
SweptJobs::EndedElsewhere()
{
    m_lead.Beat();
    std::map<std::size_t, int> ended;
    if (!IsTimeToLook())
    {
        return ended;
    }
    for (auto job = m_elsewhere.begin(); job != m_elsewhere.end();)
    {
        const auto code = ReadSweepFile(m_lead.Files().Ended(m_first + job->first));
        if (code)
        {
            ended[job->first] = std::atoi(code->c_str());
        }
        job = code ? m_elsewhere.erase(job) : std::next(job);
    }
    return ended;
}

std::vector<std::size_t>
SweptJobs::Lost()
{
    std::vector<std::size_t> lost;
    for (auto job = m_elsewhere.begin(); job != m_elsewhere.end();)
    {
        const fs::path taken = m_lead.Files().Taken(m_first + job->first);
        const bool isLost = IsGoneHere(ReadSweepFile(taken).value_or("")) ||
                            job->second.HasStopped(taken, m_lead.Times().patience);
        if (isLost && !fs::exists(m_lead.Files().Ended(m_first + job->first)))
        {
            m_prepare(job->first);
            std::error_code gone;
            fs::remove(taken, gone);
            lost.push_back(job->first);
            job = m_elsewhere.erase(job);
        }
        else
        {
            ++job;
        }
    }
    return lost;
}

} // namespace geotrain
