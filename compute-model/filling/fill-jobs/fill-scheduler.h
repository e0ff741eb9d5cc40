// SPDX-License-Identifier: GPL-2.0-only
// PipeFill's scheduler decides which fill job runs on which GPU next (Arfeen et al., arXiv
// 2410.07192). A policy is a score of a job and a GPU; the lowest goes first. Scores are taken
// once, when a job arrives. Decisions are made only when a job arrives or a GPU becomes free, and
// cost O(log n) in the jobs that wait. A job stays on its GPU until it is done. GPUs with the same
// bubbles form a class: a job has one score for all of them.
#pragma once

#include "fill-jobs/fill-job.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace geotrain
{

/// A FillCandidate is what a policy may look at.
struct FillCandidate
{
    const FillJob& job;
    std::uint32_t gpuClass = 0;
    Duration processing; ///< how long the job would take on these GPUs
    Duration fastest;    ///< how long it would take on the GPUs that suit it best
};

/// A FillPolicy returns a score, which must not be NaN. The lowest score goes first; of equal ones
/// the job that arrived first.
using FillPolicy = std::function<double(const FillCandidate&)>;

/// FillScoreWeights are a user's own policy, as a weighted sum.
struct FillScoreWeights
{
    double processing = 0; ///< score per second of processing time on this GPU
    /// Score per second of processing time on the GPUs that suit the job best.
    double fastest = 0;
    double arrival = 0; ///< score per second since time 0
    /// Score per second since time 0; a job without a deadline counts as if it had 1e9 s.
    double deadline = 0;
};

/// Returns the policy with these weights.
FillPolicy WeightedScore(const FillScoreWeights& weights);

/// Returns a policy by its name: "shortest-job-first" runs the shortest processing time on this GPU
/// first. "makespan" aims at a short one: the longest processing time goes first (Graham 1969), each
/// on a GPU that suits it. "deadline" runs the earliest deadline first; jobs without one come last, in
/// the order of their arrival. Throws std::invalid_argument, which lists these names, for another.
FillPolicy FindFillPolicy(std::string_view name);

/// FillScheduler assigns jobs to GPUs.
class FillScheduler
{
  public:
    /// A Quote returns how long `job` takes on a GPU of a class; nullopt where it can't run there.
    using Quote =
        std::function<std::optional<Duration>(const FillJob& job, std::uint32_t gpuClass)>;

    /// An Assignment is a job and the GPU on which it begins.
    struct Assignment
    {
        std::uint64_t job = 0; ///< its number
        std::uint32_t gpu = 0;
    };

    /// Arrival says what became of a job that arrived.
    enum class Arrival
    {
        Assigned,
        Queued,
        Refused ///< it can't run on any GPU
    };

    /// `classOfGpu` counts classes from 0 without gaps. All GPUs are free at first.
    FillScheduler(FillPolicy policy, Quote quote, std::vector<std::uint32_t> classOfGpu);

    /// Takes a job that arrives; `assignment` is set where it begins at once. Numbers of jobs must
    /// differ.
    Arrival Arrive(const FillJob& job, std::optional<Assignment>& assignment);

    /// Notes that a GPU's job is done. Returns the number of the job that it takes next.
    std::optional<std::uint64_t> Release(std::uint32_t gpu);

    /// Returns the number of jobs that wait.
    std::size_t Waiting() const;

  private:
    using Entry = std::pair<double, std::uint64_t>; ///< score, place in the order of arrival
    using Heap = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

    /// Returns scores by class; nullopt where the job can't run.
    std::vector<std::optional<double>> ScoresOf(const FillJob& job) const;

    FillPolicy m_policy;
    Quote m_quote;
    std::vector<std::uint32_t> m_classOfGpu;
    std::vector<std::set<std::uint32_t>> m_free; ///< by class
    std::vector<Heap> m_heaps; ///< by class; an entry whose job is gone is dropped at the top
    /// Numbers of all jobs that had to wait, in the order of arrival.
    std::vector<std::uint64_t> m_jobs;
    std::vector<bool> m_isGone; ///< by place in m_jobs
    std::size_t m_waiting = 0;
};

} // namespace geotrain
