// SPDX-License-Identifier: GPL-2.0-only
// Forecasts the idle spans of each worker. A worker's iteration is the time from the end of its
// optimiser step to the end of the next one. The next iteration is expected to go as the last one
// went, measured from where it began; the first one as a rehearsal of the training alone went. A
// rehearsed iteration k > 0 is forecast as the measured k-1, corrected by the rehearsal's
// difference between the two; where training goes as rehearsed, that is exact. Within an iteration,
// what is still to come moves with the last wait that ended sooner or later than expected. It
// ignores other trends: a change that lasts is missed once.
#pragma once

#include "filling/bubble.h"

#include <cstddef>
#include <vector>

namespace geotrain
{

/// A BusySpan is a compute instruction of one worker, relative to where its iteration began.
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

/// An IterationPattern lists what one worker does in an iteration, in order of time; the
/// optimiser's step is last.
using IterationPattern = std::vector<BusySpan>;

/// A Rehearsal says how a training goes that nothing disturbs.
struct Rehearsal
{
    std::vector<std::vector<IterationPattern>> iterations; ///< [iteration][worker]
    /// The last `period` iterations repeat for ever; 0 where nothing is known of the iterations
    /// after the last one.
    std::size_t period = 0;

    /// Returns the patterns by worker; null where nothing is known of the iteration.
    const std::vector<IterationPattern>* Of(std::size_t iteration) const;
};

/// RecentErrors holds by how much the last forecasts of one instant were off.
class RecentErrors
{
  public:
    void Add(Duration error);

    /// Returns the 90th percentile (nearest rank) of the last errors, at least 0.
    Duration Bound() const;

  private:
    std::vector<Duration> m_errors; ///< the last ones, the oldest of them at m_next
    std::size_t m_next = 0;
};

/// A ForecastScore compares what was forecast when the iteration began with what happened. Only
/// `early` uses the latest forecast instead.
struct ForecastScore
{
    std::uint64_t bubbles = 0; ///< bubbles that were forecast or found
    /// Bubbles whose start or end was off by more than the tolerance, or that were missing.
    std::uint64_t misses = 0;
    std::uint64_t early = 0; ///< ended before the earliestEnd that was forecast last
    Duration absoluteError;  ///< sum of the errors of the ends
    Duration largestError;   ///< largest error of an end
};

/// BubbleForecast keeps the forecast of every worker up to date.
class BubbleForecast
{
  public:
    /// `rehearsal` may be empty: nothing is then forecast for the first iteration. A bubble is
    /// missed when it is off by more than `tolerance`. The end of training is not known ahead:
    /// iterations are forecast without end. Throws std::invalid_argument where sizes differ.
    BubbleForecast(std::vector<WorkerMemory> memory, Rehearsal rehearsal, Duration tolerance);

    /// Notes that a worker's computation starts. Returns true where it waited, and its start moves
    /// what is expected of the rest of the iteration by more than the tolerance.
    bool Started(WorkerIndex worker, Instant start);

    /// Notes that a worker's instruction has ended. Returns true where its iteration ended with it,
    /// so that Next() describes the next one.
    bool Ended(WorkerIndex worker, const Instruction& instruction, Instant start, Instant end);

    /// Returns the bubbles of `worker` that are to come in its current iteration, the one in
    /// progress among them, and in the iteration after.
    std::vector<Bubble> Next(WorkerIndex worker) const;

    std::uint32_t Workers() const;

    /// Returns the iteration that `worker` is in, counted from 0; BeganOf() returns when it began.
    std::uint32_t IterationOf(WorkerIndex worker) const;
    Instant BeganOf(WorkerIndex worker) const;

    /// Returns how long that iteration is expected to take; 0 where nothing is forecast.
    Duration LengthOf(WorkerIndex worker) const;

    /// Returns how many computations of its iteration the worker has ended.
    std::uint32_t PositionOf(WorkerIndex worker) const;

    const WorkerMemory& MemoryOf(WorkerIndex worker) const;

    /// Returns the score of the workers' iterations that have ended since the last call.
    ForecastScore TakeScore();

  private:
    struct State
    {
        std::uint32_t iteration = 0;
        Instant began;
        IterationPattern expected;
        IterationPattern measured; ///< the iteration in progress so far
        std::size_t started = 0;   ///< computations of it that have started
        /// How far the rest of the iteration is off `expected`.
        Duration shift;
        std::vector<Duration> shifts; ///< by position: `shift` before that computation
        std::vector<RecentErrors> earlyEnds;  ///< by position: how early bubbles ended
        std::vector<RecentErrors> lateStarts; ///< by position: how late bubbles began
    };

    void Compare(WorkerIndex worker);
    void KeepErrors(State& state, std::size_t index);
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
