// SPDX-License-Identifier: GPL-2.0-only
#include "runner/fill-recorder.h"

namespace geotrain
{

FillRecorder::FillRecorder(RecordSink& writer, BubbleForecast& forecast)
    : m_writer(writer),
      m_forecast(forecast)
{
}

void
FillRecorder::FillEnded(const FillWork& work, const FillEnd& end, const FillYield& yield)
{
    trace::Record record;
    auto& span = *record.mutable_fill_span();
    span.set_worker(work.worker);
    span.set_kind(work.kind == FillKind::Prefill ? trace::FILL_KIND_PREFILL
                                                 : trace::FILL_KIND_FILL_JOB);
    span.set_job(work.job);
    span.set_part(work.part);
    span.set_start_ns(end.start.ToNanoseconds());
    span.set_end_ns(end.end.ToNanoseconds());
    span.set_useful_ns(yield.useful.ToNanoseconds());
    span.set_preempted(end.isPreempted);
    span.set_flops(yield.flops);
    span.set_gpu(work.gpu.value_or(0));
    span.set_offline(work.isOffline);
    m_writer.Write(record);
}

void
FillRecorder::TrainingHeld(WorkerIndex worker, Instant ready, const TrainingWait& held)
{
    trace::Record record;
    auto& hold = *record.mutable_training_hold();
    hold.set_worker(worker);
    hold.set_ready_ns(ready.ToNanoseconds());
    hold.set_held_ns(held.Sum().ToNanoseconds());
    hold.set_stop_ns(held.stop.ToNanoseconds());
    m_writer.Write(record);
}

void
FillRecorder::BubbleReached(WorkerIndex worker,
                            std::uint32_t iteration,
                            const Instruction& bubble,
                            Instant now)
{
    trace::Record record;
    auto& written = *record.mutable_bubble();
    written.set_worker(worker);
    written.set_iteration(iteration);
    written.set_reached_ns(now.ToNanoseconds());
    written.set_start_ns((m_forecast.BeganOf(worker) + bubble.expected).ToNanoseconds());
    written.set_length_ns(bubble.duration.ToNanoseconds());
    written.set_free_memory_bytes(static_cast<std::uint64_t>(bubble.size.Count()));
    m_writer.Write(record);
}

void
FillRecorder::IterationEnded(std::uint32_t iteration, Instant)
{
    const ForecastScore score = m_forecast.TakeScore();
    trace::Record record;
    auto& written = *record.mutable_forecast_score();
    written.set_iteration(iteration);
    written.set_bubbles(score.bubbles);
    written.set_misses(score.misses);
    written.set_early(score.early);
    written.set_absolute_error_ns(score.absoluteError.ToNanoseconds());
    written.set_largest_error_ns(score.largestError.ToNanoseconds());
    m_writer.Write(record);
}

} // namespace geotrain
