// SPDX-License-Identifier: GPL-2.0-only
// Writes the work of fillers into the trace.
#pragma once

#include "filling/bubble-forecast.h"
#include "filling/filler.h"
#include "fill-jobs/pipe-filler.h"
#include "prefill-service/prefill-request.h"
#include "execution/execution-observer.h"
#include "trace/trace-writer.h"

#include <map>
#include <vector>

namespace geotrain
{

/// FillRecorder observes fillers and training, and writes records of them.
class FillRecorder : public FillObserver, public ServingObserver, public ExecutionObserver
{
  public:
    /// `writer` and `forecast` must outlive the recorder.
    FillRecorder(TraceWriter& writer, BubbleForecast& forecast);

    void FillEnded(const FillWork& work, const FillEnd& end, const FillYield& yield) override;
    void TrainingHeld(WorkerIndex worker, Instant ready, Duration held) override;
    void RequestEnded(const RequestEnd& end) override;

    /// Writes what became of a fill job. Call it when the job or the run ends.
    void FillJobEnded(const FillJobRecord& job);

    void BubbleReached(WorkerIndex worker,
                       std::uint32_t iteration,
                       const Instruction& bubble,
                       Instant now) override;
    void IterationEnded(std::uint32_t iteration, Instant end) override;

    /// Returns the number of requests with this outcome.
    std::uint64_t Count(RequestOutcome outcome) const;

    /// Returns the requests that were served or refused, in the order of arrival.
    std::vector<PrefillRequest> EndedRequests() const;

    /// Returns the 90th percentile of the time from arrival to first token of served requests; 0
    /// where none was served.
    Duration TtftP90() const;

  private:
    TraceWriter& m_writer;
    BubbleForecast& m_forecast;
    std::map<RequestOutcome, std::uint64_t> m_outcomes;
    std::vector<PrefillRequest> m_ended;
    std::vector<Duration> m_ttft;
};

} // namespace geotrain
