// What fill jobs got done in the bubbles of training, and what that cost (PipeFill, Arfeen et al.,
// arXiv 2410.07192).
#pragma once

#include "metrics/gpu-time.h"
#include "schema/trace.pb.h"

#include <cstdint>
#include <map>
#include <vector>

namespace geotrain
{

/// Over a measured span; work that crosses its border counts in proportion.
struct FillJobTotals
{
    double usefulSeconds = 0; ///< of GPUs
    double discardedSeconds =
        0; ///< of GPUs: of pieces that training interrupted, what did not count
    double flops = 0;
    double dedicatedSeconds = 0; ///< of GPUs: that the same work takes on GPUs of its own
    double slowdown = 0; ///< time that training was held back / span, of the worker that lost most
};

/// Over the whole run: jobs outlast iterations.
struct FillJobOutcomes
{
    std::vector<double> completionSeconds; ///< from arrival to end, of jobs that ended
    std::uint32_t refused = 0;
    std::uint32_t deadlines = 0;
    std::uint32_t deadlinesMet = 0;
};

class FillJobTally
{
  public:
    /// Keeps what it needs of a record of the trace.
    void Take(const trace::Record& record);

    /// No fill jobs in this run.
    bool IsEmpty() const;

    FillJobTotals TotalsIn(MeasuredSpan measured) const;

    FillJobOutcomes Outcomes() const;

  private:
    std::vector<trace::FillSpan> m_spans;
    std::map<std::uint64_t, trace::FillJob> m_jobs; ///< by number
    std::vector<trace::TrainingHold> m_holds;
};

} // namespace geotrain
