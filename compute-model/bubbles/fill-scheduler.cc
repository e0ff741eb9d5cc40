#include "bubbles/fill-scheduler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace geotrain
{

FillPolicy
ShortestJobFirst()
{
    return [](const FillCandidate& candidate) { return candidate.processing.ToSeconds(); };
}

FillPolicy
LongestProcessingTime()
{
    // Of one job, the GPUs differ by `processing`; of one GPU, jobs that suit it alike differ by -`processing`.
    return [](const FillCandidate& candidate)
    { return candidate.processing.ToSeconds() - 2 * candidate.fastest.ToSeconds(); };
}

FillPolicy
EarliestDeadlineFirst()
{
    return [](const FillCandidate& candidate)
    {
        return candidate.job.deadline ? candidate.job.deadline->ToSeconds()
                                      : std::numeric_limits<double>::infinity();
    };
}

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
    if (name == "shortest-job-first")
    {
        return ShortestJobFirst();
    }
    if (name == "makespan")
    {
        return LongestProcessingTime();
    }
    if (name == "deadline")
    {
        return EarliestDeadlineFirst();
    }
    throw std::invalid_argument("must be one of shortest-job-first, makespan, deadline");
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
            const double score = m_policy({job, gpuClass, *times[gpuClass], *fastest});
            if (std::isnan(score))
            {
                throw std::invalid_argument("a policy's score must be a number");
            }
            scores[gpuClass] = score;
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
        assignment = Assignment{job, *m_free[*best].begin()};
        m_free[*best].erase(m_free[*best].begin());
        return Arrival::Assigned;
    }
    m_waiting.emplace(job.number, job);
    for (std::uint32_t gpuClass = 0; gpuClass < scores.size(); ++gpuClass)
    {
        if (scores[gpuClass])
        {
            m_heaps[gpuClass].emplace(*scores[gpuClass], job.number);
        }
    }
    return Arrival::Queued;
}

std::optional<FillJob>
FillScheduler::Release(std::uint32_t gpu)
{
    const std::uint32_t gpuClass = m_classOfGpu.at(gpu);
    Heap& heap = m_heaps[gpuClass];
    while (!heap.empty())
    {
        const auto waiting = m_waiting.find(heap.top().second);
        heap.pop();
        if (waiting != m_waiting.end())
        {
            FillJob job = std::move(waiting->second);
            m_waiting.erase(waiting);
            return job;
        }
    }
    m_free[gpuClass].insert(gpu);
    return std::nullopt;
}

std::size_t
FillScheduler::Waiting() const
{
    return m_waiting.size();
}

} // namespace geotrain
