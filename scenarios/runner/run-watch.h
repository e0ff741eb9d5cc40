// SPDX-License-Identifier: GPL-2.0-only
// Watches a run from outside its results: how far it is, and whether somebody pressed Ctrl-C.
#pragma once

#include "execution/execution-observer.h"

#include <functional>

namespace geotrain
{

/// Told now and then which share of the computations is done, in [0, 1].
using ProgressCallback = std::function<void(double share)>;

/// From now on SIGINT and SIGTERM end a run early instead of the program; the second one kills it.
void CatchInterrupts();

/// Whether one came.
bool WasInterrupted();

class RunWatch : public ExecutionObserver
{
  public:
    /// `computations` is how many there will be.
    RunWatch(std::uint64_t computations, ProgressCallback progress);

    void InstructionEnded(WorkerIndex worker,
                          std::uint32_t iteration,
                          const Instruction& instruction,
                          Instant start,
                          Instant end) override;

  private:
    std::uint64_t m_computations;
    std::uint64_t m_done = 0;
    ProgressCallback m_progress;
};

} // namespace geotrain
