// SPDX-License-Identifier: GPL-2.0-only
// Writes into the trace what runs in training's bubbles, for every filler, and how well the bubbles
// were forecast.
#pragma once

#include "execution/execution-observer.h"
#include "filling/bubble-forecast.h"
#include "filling/filler.h"
#include "trace/record-sink.h"

namespace geotrain
{

/// FillRecorder observes the host and the executor.
class FillRecorder : public FillObserver, public ExecutionObserver
{
  public:
    /// `writer` and `forecast` must outlive the recorder.
    FillRecorder(RecordSink& writer, BubbleForecast& forecast);

    void FillEnded(const FillWork& work, const FillEnd& end, const FillYield& yield) override;
    void TrainingHeld(WorkerIndex worker, Instant ready, const TrainingWait& held) override;

    void BubbleReached(WorkerIndex worker,
                       std::uint32_t iteration,
                       const Instruction& bubble,
                       Instant now) override;
    void IterationEnded(std::uint32_t iteration, Instant end) override;

  private:
    RecordSink& m_writer;
    BubbleForecast& m_forecast;
};

} // namespace geotrain
