// SPDX-License-Identifier: GPL-2.0-only
#include "fill-jobs/fill-scheduler.h"

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>

namespace geotrain
{

FillPolicy
WeightedScore(const FillScoreWeights& weights)
{
    return [weights](const FillCandidate& candidate)
    {
        constexpr double noDeadline = 1e9; // seconds
        const auto& job = candidate.job;
        return weights.processing * candidate.processing.ToSeconds() +
               weights.fastest * candidate.fastest.ToSeconds() +
               weights.arrival * job.arrival.ToSeconds() +
               weights.deadline * (job.deadline ? job.deadline->ToSeconds() : noDeadline);
    };
}

FillPolicy
FindFillPolicy(std::string_view name)
{
    static const std::map<std::string_view, FillPolicy> policies{
        {"shortest-job-first",
         [](const FillCandidate& candidate) { return candidate.processing.ToSeconds(); }},
        // For one job, GPUs differ by `processing`. On one GPU, jobs that suit it alike differ by
        // -`processing`.
        {"makespan",
         [](const FillCandidate& candidate)
         { return candidate.processing.ToSeconds() - 2 * candidate.fastest.ToSeconds(); }},
        {"deadline",
         [](const FillCandidate& candidate)
         {
             return candidate.job.deadline ? candidate.job.deadline->ToSeconds()
                                           : std::numeric_limits<double>::infinity();
         }}};
    const auto found = policies.find(name);
    if (found == policies.end())
    {
        throw std::invalid_argument("must be one of shortest-job-first, makespan, deadline");
    }
    return found->second;
}

FillScheduler::FillScheduler(FillPolicy policy, Quote quote, std::vector<std::uint32_t> classOfGpu)
    : m_policy(std::move(policy)),
      m_quote(std::move(quote)),
      m_classOfGpu(std::move(classOfGpu))
{
    for (std::uint32_t gpu = 0; gpu < m_classOfGpu.size(); ++gpu)
    {
        const std::uint32_t gpuClass = m_classOfGpu[gpu];
        m_free.resize(std::max<std::size_t>(m_free.size(), gpuClass + 1));
        m_free[gpuClass].insert(gpu);
    }
    m_heaps.resize(m_free.size());
}

std::vector<std::optional<double>>
FillScheduler::ScoresOf(const FillJob& job) const
{
    std::vector<std::optional<Duration>> times;
    std::optional<Duration> fastest;
    for (std::uint32_t gpuClass = 0; gpuClass < m_heaps.size(); ++gpuClass)
    {
        times.push_back(m_quote(job, gpuClass));
        if (times.back() && (!fastest || *times.back() < *fastest))
        {
            fastest = times.back();
        }
    }
    std::vector<std::optional<double>> scores(times.size());
    for (std::uint32_t gpuClass = 0; gpuClass < times.size(); ++gpuClass)
    {
        if (times[gpuClass])
        {
            scores[gpuClass] = m_policy({job, gpuClass, *times[gpuClass], *fastest});
        }
    }
    return scores;
}

FillScheduler::Arrival
FillScheduler::Arrive(const FillJob& job, std::optional<Assignment>& assignment)
{
    const auto scores = ScoresOf(job);
    std::optional<std::uint32_t> best;
    bool canRun = false;
    for (std::uint32_t gpuClass = 0; gpuClass < scores.size(); ++gpuClass)
    {
        canRun = canRun || scores[gpuClass];
        if (scores[gpuClass] && !m_free[gpuClass].empty() &&
            (!best || *scores[gpuClass] < *scores[*best]))
        {
            best = gpuClass;
        }
    }
    if (!canRun)
    {
        return Arrival::Refused;
    }
    if (best)
    {
        assignment = Assignment{job.number, *m_free[*best].begin()};
        m_free[*best].erase(m_free[*best].begin());
        return Arrival::Assigned;
    }
    const std::uint64_t place = m_jobs.size();
    m_jobs.push_back(job.number);
    m_isGone.push_back(false);
    ++m_waiting;
    for (std::uint32_t gpuClass = 0; gpuClass < scores.size(); ++gpuClass)
    {
        if (scores[gpuClass])
        {
            m_heaps[gpuClass].emplace(*scores[gpuClass], place);
        }
    }
    return Arrival::Queued;
}

std::optional<std::uint64_t>
FillScheduler::Release(std::uint32_t gpu)
{
    const std::uint32_t gpuClass = m_classOfGpu.at(gpu);
    Heap& heap = m_heaps[gpuClass];
    while (!heap.empty())
    {
        const std::uint64_t place = heap.top().second;
        heap.pop();
        if (!m_isGone[place])
        {
            m_isGone[place] = true;
            --m_waiting;
            return m_jobs[place];
        }
    }
    m_free[gpuClass].insert(gpu);
    return std::nullopt;
}

std::size_t
FillScheduler::Waiting() const
{
    return m_waiting;
}

} // namespace geotrain
