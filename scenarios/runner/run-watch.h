// SPDX-License-Identifier: GPL-2.0-only
// Watches the progress of a run, and whether the user pressed Ctrl-C. Results don't depend on it.
#pragma once

#include "execution/execution-observer.h"
#include "units/duration.h"

#include <functional>
#include <string>

namespace geotrain
{

/// A ProgressCallback is called from time to time with the share of the computations that is done,
/// in [0, 1].
using ProgressCallback = std::function<void(double share)>;

/// Makes the first SIGINT or SIGTERM end the run early, and the second one kill the program.
void CatchInterrupts();

/// Returns whether such a signal arrived.
bool WasInterrupted();

/// Says why a run ended at `end` with work undone: it was interrupted, or reached its deadline, or
/// nothing moved any more.
std::string WhyUnfinished(Instant end, Duration deadline);

/// RunWatch counts computations and reports the progress.
class RunWatch : public ExecutionObserver
{
  public:
    /// `computations` is the number of computations in the run.
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
