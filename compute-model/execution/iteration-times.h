// SPDX-License-Identifier: GPL-2.0-only
// Says which iterations of a run are measured, and how long they take. A schedule with flush is
// measured from the start to the end of its iterations. A schedule without flush is measured in its
// steady state, between the optimiser steps of each worker. It has settled when 2p microbatches
// have passed (p pipeline stages).
#pragma once

#include "execution/execution-observer.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// Least number of measured updates of a schedule without flush. The figure is ours: updates repeat
/// with a period.
constexpr std::uint32_t leastSteadyUpdates = 3;

/// MeasuredIterations say how many iterations a run has, and which of them are measured.
struct MeasuredIterations
{
    std::uint32_t settling = 0; ///< iterations before the measured ones; 0: with flush
    std::uint32_t measured = 1;
    std::uint32_t draining = 0; ///< iterations after the measured ones

    std::uint32_t Count() const;
};

/// Returns after how many iterations a pipeline without flush has settled: those that 2p
/// microbatches fill.
std::uint32_t SettlingIterations(std::uint32_t stages, std::uint32_t microbatches);

/// Returns what a run of a schedule without flush needs for a steady iteration time. No iterations
/// drain.
MeasuredIterations SteadyIterations(std::uint32_t stages, std::uint32_t microbatches);

/// IterationTimes keep when each worker's optimiser steps ended, and when each iteration ended.
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

    /// Returns the mean time of the measured iterations, which must have ended. Without flush it is
    /// the slowest worker's.
    Duration TimeOf(const MeasuredIterations& iterations) const;

    /// Returns by iteration when the last worker ended it.
    const std::vector<Instant>& Ends() const;

  private:
    std::vector<std::vector<Instant>> m_updates; ///< ends of optimiser steps, by worker
    std::vector<Instant> m_ends;
};

} // namespace geotrain
