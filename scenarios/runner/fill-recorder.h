// SPDX-License-Identifier: GPL-2.0-only
// Writes what fills training's bubbles into the trace.
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

class FillRecorder : public FillObserver, public ServingObserver, public ExecutionObserver
{
  public:
    /// Both must outlive the recorder.
    FillRecorder(TraceWriter& writer, BubbleForecast& forecast);

    void FillEnded(const FillWork& work, const FillEnd& end, const FillYield& yield) override;
    void TrainingHeld(WorkerIndex worker, Instant ready, Duration held) override;
    void RequestEnded(const RequestEnd& end) override;

    /// What became of a fill job, when it or the run ends.
    void FillJobEnded(const FillJobRecord& job);

    void BubbleReached(WorkerIndex worker,
                       std::uint32_t iteration,
                       const Instruction& bubble,
                       Instant now) override;
    void IterationEnded(std::uint32_t iteration, Instant end) override;

    /// Requests that ended so.
    std::uint64_t Count(RequestOutcome outcome) const;

    /// Those that were served or refused, by arrival.
    std::vector<PrefillRequest> EndedRequests() const;

    /// Of served requests, from arrival to first token; 0 without any.
    Duration TtftP90() const;

  private:
    TraceWriter& m_writer;
    BubbleForecast& m_forecast;
    std::map<RequestOutcome, std::uint64_t> m_outcomes;
    std::vector<PrefillRequest> m_ended;
    std::vector<Duration> m_ttft;
};

} // namespace geotrain
