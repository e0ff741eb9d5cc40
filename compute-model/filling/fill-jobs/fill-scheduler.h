// PipeFill's scheduler: which fill job runs on which GPU next (Arfeen et al., arXiv 2410.07192). A policy is a score of
// a job and a GPU; the lowest goes first. Scores are taken once, when a job arrives; decisions are made only when a job
// arrives or a GPU becomes free, and cost O(log n) in the jobs that wait. A job stays on its GPU until it is done.
// GPUs with the same bubbles form a class: a job has one score for all of them.
#pragma once

#include "fill-jobs/fill-job.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace geotrain
{

/// What a policy may look at.
struct FillCandidate
{
    const FillJob& job;
    std::uint32_t gpuClass = 0;
    Duration processing; ///< how long the job would take on these GPUs
    Duration fastest;    ///< on the GPUs that suit it best
};

/// The lowest score goes first; of equal ones the job that arrived first. It must not be NaN.
using FillPolicy = std::function<double(const FillCandidate&)>;

/// Shortest processing time on this GPU first.
FillPolicy ShortestJobFirst();

/// For a short makespan: longest processing time first (Graham 1969), each on a GPU that suits it.
FillPolicy LongestProcessingTime();

/// Earliest deadline first; jobs without one come last, in the order of their arrival.
FillPolicy EarliestDeadlineFirst();

/// A user's own, as a sum.
struct FillScoreWeights
{
    double processing = 0; ///< a second of processing time on this GPU
    double fastest = 0;    ///< a second of processing time on the GPUs that suit the job best
    double arrival = 0;    ///< a second since time 0
    double deadline = 0;   ///< a second since time 0; a job without one counts as if it had 1e9 s
};

FillPolicy WeightedScore(const FillScoreWeights& weights);

/// "shortest-job-first", "makespan", "deadline"; throws std::invalid_argument, with these names, for another.
FillPolicy FindFillPolicy(std::string_view name);

class FillScheduler
{
  public:
    /// How long `job` takes on a GPU of a class; nullopt: it can't run there.
    using Quote =
        std::function<std::optional<Duration>(const FillJob& job, std::uint32_t gpuClass)>;

    struct Assignment
    {
        std::uint64_t job = 0; ///< its number
        std::uint32_t gpu = 0;
    };

    enum class Arrival
    {
        Assigned,
        Queued,
        Refused ///< it can't run on any GPU
    };

    /// `classOfGpu`: from 0, without gaps. All GPUs are free.
    FillScheduler(FillPolicy policy, Quote quote, std::vector<std::uint32_t> classOfGpu);

    /// A job is there; `assignment` is set where it begins at once. Numbers of jobs must differ.
    Arrival Arrive(const FillJob& job, std::optional<Assignment>& assignment);

    /// A GPU's job is done: the number of the job that it takes next.
    std::optional<std::uint64_t> Release(std::uint32_t gpu);

    std::size_t Waiting() const;

  private:
    using Entry = std::pair<double, std::uint64_t>; ///< score, place in the order of arrival
    using Heap = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

    /// By class; nullopt where the job can't run.
    std::vector<std::optional<double>> ScoresOf(const FillJob& job) const;

    FillPolicy m_policy;
    Quote m_quote;
    std::vector<std::uint32_t> m_classOfGpu;
    std::vector<std::set<std::uint32_t>> m_free; ///< by class
    std::vector<Heap> m_heaps; ///< by class; an entry whose job is gone is dropped at the top
    std::vector<std::uint64_t>
        m_jobs;                 ///< numbers, in the order of arrival: of all that had to wait
    std::vector<bool> m_isGone; ///< of these
    std::size_t m_waiting = 0;
};

} // namespace geotrain
