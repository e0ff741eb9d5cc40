// Forecasts the idle spans of each worker. A worker's iteration is the time from the end of its optimiser step
// to the end of the next one. The next iteration is expected to go as the last one went, measured from where it
// began; the first ones by a rehearsal of the schedule with its planned times. Of a rehearsed iteration k > 0 the
// measured k-1 is taken and corrected by what the rehearsal says of the difference of the two. It ignores
// trends: a change that lasts is missed once.
#pragma once

#include "bubbles/bubble.h"

#include <cstddef>
#include <vector>

namespace geotrain
{

/// A compute instruction of one worker, relative to where its iteration began.
struct BusySpan
{
    InstructionKind kind = InstructionKind::Forward;
    Duration start;
    Duration end;
};

/// What one worker does in an iteration, in order of time; the optimiser's step is last.
using IterationPattern = std::vector<BusySpan>;

/// [iteration][worker]. All iterations have the same workers.
using Rehearsal = std::vector<std::vector<IterationPattern>>;

struct ForecastScore
{
    std::uint64_t bubbles = 0; ///< forecast or found
    std::uint64_t misses = 0;  ///< start or end off by more than the tolerance, or not there
    std::uint64_t early = 0;   ///< of these: ended before its earliestEnd
    Duration absoluteError;    ///< of the ends, summed
    Duration largestError;     ///< of an end
};

class BubbleForecast
{
  public:
    /// Of a run of `iterations`. `rehearsal` may be empty: nothing is then forecast for the first iteration. A
    /// bubble is missed when it is off by more than `tolerance`. Throws std::invalid_argument where sizes differ.
    BubbleForecast(std::vector<WorkerMemory> memory,
                   std::uint32_t iterations,
                   Rehearsal rehearsal,
                   Duration tolerance);

    /// A worker's instruction has ended. True: its iteration ended with it, and Next() is of the next one.
    bool Ended(WorkerIndex worker, const Instruction& instruction, Instant start, Instant end);

    /// The bubbles of `worker` in the iteration that it is in, forecast when that began, and in the one after.
    std::vector<Bubble> Next(WorkerIndex worker) const;

    std::uint32_t Workers() const;

    /// How many computations of its iteration the worker has ended.
    std::uint32_t PositionOf(WorkerIndex worker) const;

    const WorkerMemory& MemoryOf(WorkerIndex worker) const;

    /// Of the workers' iterations that have ended since this was last called.
    ForecastScore TakeScore();

  private:
    struct State
    {
        std::uint32_t iteration = 0;
        Instant began;
        IterationPattern expected;
        IterationPattern measured; ///< of the iteration in progress
        std::vector<Duration>
            earlyMargin; ///< by position: ends that came early, halved an iteration
        std::vector<Duration> lateMargin; ///< the same for starts that came late
    };

    void Compare(WorkerIndex worker);
    void Expect(WorkerIndex worker);
    IterationPattern
    After(WorkerIndex worker, std::size_t iteration, IterationPattern pattern) const;
    void Append(WorkerIndex worker,
                const IterationPattern& pattern,
                Instant began,
                std::uint32_t ahead,
                std::vector<Bubble>& bubbles) const;

    std::vector<WorkerMemory> m_memory;
    std::uint32_t m_iterations;
    Rehearsal m_rehearsal;
    Duration m_tolerance;
    std::vector<State> m_states;
    ForecastScore m_sinceTaken;
};

} // namespace geotrain
