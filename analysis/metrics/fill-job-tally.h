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

/// FillJobTotals are sums over a measured span. Work that crosses its border counts in proportion.
struct FillJobTotals
{
    double usefulSeconds = 0; ///< useful GPU-seconds
    /// GPU-seconds of interrupted pieces that did not count.
    double discardedSeconds = 0;
    double flops = 0;
    /// GPU-seconds that the same work takes on GPUs of its own.
    double dedicatedSeconds = 0;
    /// Time that training was held back per measured time, of the worker that lost most.
    double slowdown = 0;
};

/// FillJobOutcomes are over the whole run, since jobs outlast iterations.
struct FillJobOutcomes
{
    /// Time from arrival to end of the jobs that ended.
    std::vector<double> completionSeconds;
    std::uint32_t refused = 0;
    std::uint32_t deadlines = 0;
    std::uint32_t deadlinesMet = 0;
};

/// FillJobTally gathers the fill jobs of a trace.
class FillJobTally
{
  public:
    /// Keeps what it needs of a record of the trace.
    void Take(const trace::Record& record);

    /// Returns whether the run has no fill jobs.
    bool IsEmpty() const;

    FillJobTotals TotalsIn(MeasuredSpan measured) const;

    FillJobOutcomes Outcomes() const;

  private:
    std::vector<trace::FillSpan> m_spans;
    std::map<std::uint64_t, trace::FillJob> m_jobs; ///< by number
    std::vector<trace::TrainingHold> m_holds;
};

} // namespace geotrain
