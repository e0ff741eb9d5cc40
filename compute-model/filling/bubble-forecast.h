// Forecasts the idle spans of each worker. A worker's iteration is the time from the end of its optimiser step
// to the end of the next one. The next iteration is expected to go as the last one went, measured from where it
// began; the first one as a rehearsal of the training alone went. Of a rehearsed iteration k > 0 the measured k-1 is
// taken and corrected by what the rehearsal says of the difference of the two: where training goes as rehearsed, that
// is exact. Within an iteration, what is still to come moves with the last wait that ended sooner or later than
// expected. It ignores other trends: a change that lasts is missed once.
#pragma once

#include "filling/bubble.h"

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

    friend bool operator==(const BusySpan& a, const BusySpan& b)
    {
        return a.kind == b.kind && a.start == b.start && a.end == b.end;
    }
};

/// What one worker does in an iteration, in order of time; the optimiser's step is last.
using IterationPattern = std::vector<BusySpan>;

/// How a training goes that nothing disturbs.
struct Rehearsal
{
    std::vector<std::vector<IterationPattern>> iterations; ///< [iteration][worker]
    std::size_t period = 0; ///< the last so many iterations go on for ever; 0: it isn't known how

    /// By worker; null where nothing is known of the iteration.
    const std::vector<IterationPattern>* Of(std::size_t iteration) const;
};

/// Of forecasts as they were when the iteration began, but for `early`.
struct ForecastScore
{
    std::uint64_t bubbles = 0; ///< forecast or found
    std::uint64_t misses = 0;  ///< start or end off by more than the tolerance, or not there
    std::uint64_t early = 0;   ///< ended before the earliestEnd that was forecast last
    Duration absoluteError;    ///< of the ends, summed
    Duration largestError;     ///< of an end
};

class BubbleForecast
{
  public:
    /// `rehearsal` may be empty: nothing is then forecast for the first iteration. A bubble is missed when it is off
    /// by more than `tolerance`. That training will end is not known ahead: iterations are forecast without end.
    /// Throws std::invalid_argument where sizes differ.
    BubbleForecast(std::vector<WorkerMemory> memory, Rehearsal rehearsal, Duration tolerance);

    /// A worker's computation starts. True: it waited, and by its start the rest of the iteration is expected otherwise than
    /// before, by more than the tolerance.
    bool Started(WorkerIndex worker, Instant start);

    /// A worker's instruction has ended. True: its iteration ended with it, and Next() is of the next one.
    bool Ended(WorkerIndex worker, const Instruction& instruction, Instant start, Instant end);

    /// The bubbles of `worker` that are to come in the iteration that it is in, the one in progress among them, and in the
    /// iteration after.
    std::vector<Bubble> Next(WorkerIndex worker) const;

    std::uint32_t Workers() const;

    /// That `worker` is in, from 0, and when it began.
    std::uint32_t IterationOf(WorkerIndex worker) const;
    Instant BeganOf(WorkerIndex worker) const;

    /// How long that iteration is expected to take; 0 where nothing is forecast.
    Duration LengthOf(WorkerIndex worker) const;

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
        IterationPattern measured;    ///< of the iteration in progress
        std::size_t started = 0;      ///< computations of it
        Duration shift;               ///< of what is to come of it against `expected`
        std::vector<Duration> shifts; ///< by position: as it was before that computation
        std::vector<Duration>
            earlyMargin; ///< by position: mean of early ends, of the last iterations
        std::vector<Duration> lateMargin; ///< the same of late starts
    };

    void Compare(WorkerIndex worker);
    void KeepMargins(State& state, std::size_t index);
    void Expect(WorkerIndex worker);
    IterationPattern
    After(WorkerIndex worker, std::size_t iteration, IterationPattern pattern) const;
    void Append(WorkerIndex worker,
                const IterationPattern& pattern,
                Instant began,
                std::uint32_t ahead,
                std::vector<Bubble>& bubbles) const;

    std::vector<WorkerMemory> m_memory;
    Rehearsal m_rehearsal;
    Duration m_tolerance;
    std::vector<State> m_states;
    ForecastScore m_sinceTaken;
};

} // namespace geotrain
