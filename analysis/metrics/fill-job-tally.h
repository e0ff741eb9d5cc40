// SPDX-License-Identifier: GPL-2.0-only
// Tallies what fill jobs got done in the bubbles of training, and what that cost (PipeFill, Arfeen
// et al., arXiv 2410.07192).
#pragma once

#include "metrics/gpu-time.h"
#include "schema/trace.pb.h"

#include <cstdint>
#include <map>
#include <vector>

namespace geotrain
{

/// FillJobTotals are sums over a measured span. Work across its border counts in proportion.
struct FillJobTotals
{
    double usefulSeconds = 0; ///< useful GPU-seconds
    /// GPU-seconds whose work was discarded, because training interrupted it.
    double discardedSeconds = 0;
    double flops = 0; ///< FLOPs of useful work
    /// GPU-seconds that the same work takes on GPUs of its own.
    double dedicatedSeconds = 0;
    /// Time that training was held back, as a share of the measured time, on the worker that lost
    /// most.
    double slowdown = 0;
};

/// FillJobOutcomes cover the whole run, since jobs outlast iterations.
struct FillJobOutcomes
{
    /// Time from arrival to end in s, per job that ended.
    std::vector<double> completionSeconds;
    std::uint32_t refused = 0;
    std::uint32_t deadlines = 0;    ///< jobs that had a deadline
    std::uint32_t deadlinesMet = 0; ///< jobs that met their deadline
};

/// FillJobTally gathers the fill jobs of a trace.
class FillJobTally
{
  public:
    /// Keeps the parts of a record that the totals need.
    void Take(const trace::Record& record);

    /// Returns whether the run has no fill jobs.
    bool IsEmpty() const;

    /// Returns the totals over `measured`.
    FillJobTotals TotalsIn(MeasuredSpan measured) const;

    /// Returns what became of the run's jobs.
    FillJobOutcomes Outcomes() const;

  private:
    std::vector<trace::FillSpan> m_spans;
    std::map<std::uint64_t, trace::FillJob> m_jobs; ///< by number
    std::vector<trace::TrainingHold> m_holds;
};

} // namespace geotrain
