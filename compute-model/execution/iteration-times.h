// SPDX-License-Identifier: GPL-2.0-only
// Which iterations of a run are measured, and how long they take. A schedule with flush is measured
// from the start to the end of its iterations. A schedule without flush is measured in its steady
// state, between the optimiser steps of each worker: it has settled when 2p microbatches have
// passed (p pipeline stages).
#pragma once

#include "execution/execution-observer.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// Updates of a schedule without flush that are measured at least. Ours: a period of updates
/// repeats itself.
constexpr std::uint32_t leastSteadyUpdates = 3;

struct MeasuredIterations
{
    std::uint32_t settling = 0; ///< before the measured ones; 0: with flush
    std::uint32_t measured = 1;
    std::uint32_t draining = 0; ///< after the measured ones

    std::uint32_t Count() const;
};

/// Iterations after which a pipeline without flush has settled: those that 2p microbatches fill.
std::uint32_t SettlingIterations(std::uint32_t stages, std::uint32_t microbatches);

/// What one run of a schedule without flush needs for a steady iteration time; no iterations drain.
MeasuredIterations SteadyIterations(std::uint32_t stages, std::uint32_t microbatches);

/// Keeps when each worker's optimiser steps ended, and when each iteration ended.
class IterationTimes : public ExecutionObserver
{
  public:
    explicit IterationTimes(std::size_t workers);

    void InstructionEnded(WorkerIndex worker,
                          std::uint32_t iteration,
                          const Instruction& instruction,
                          Instant start,
                          Instant end) override;
    void IterationEnded(std::uint32_t iteration, Instant end) override;
    void IterationAborted(std::uint32_t iteration, Instant at) override;

    /// Mean time of the measured iterations: of the slowest worker where there is no flush. They
    /// must have ended.
    Duration TimeOf(const MeasuredIterations& iterations) const;

    /// By iteration: when the last worker ended it.
    const std::vector<Instant>& Ends() const;

  private:
    std::vector<std::vector<Instant>> m_updates; ///< by worker
    std::vector<Instant> m_ends;
};

} // namespace geotrain
