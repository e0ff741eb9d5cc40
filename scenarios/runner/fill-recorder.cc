// SPDX-License-Identifier: GPL-2.0-only
#include "runner/fill-recorder.h"

#include <algorithm>

namespace geotrain
{

namespace
{

trace::RequestOutcome
OutcomeOf(RequestOutcome outcome)
{
    switch (outcome)
    {
    case RequestOutcome::Served:
        return trace::REQUEST_OUTCOME_SERVED;
    case RequestOutcome::TooLong:
        return trace::REQUEST_OUTCOME_TOO_LONG;
    case RequestOutcome::TooLate:
        return trace::REQUEST_OUTCOME_TOO_LATE;
    default:
        return trace::REQUEST_OUTCOME_UNFINISHED;
    }
}

} // namespace

FillRecorder::FillRecorder(TraceWriter& writer, BubbleForecast& forecast)
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
    m_writer.Write(record);
}

void
FillRecorder::TrainingHeld(WorkerIndex worker, Instant ready, Duration held)
{
    trace::Record record;
    auto& hold = *record.mutable_training_hold();
    hold.set_worker(worker);
    hold.set_ready_ns(ready.ToNanoseconds());
    hold.set_held_ns(held.ToNanoseconds());
    m_writer.Write(record);
}

void
FillRecorder::RequestEnded(const RequestEnd& end)
{
    ++m_outcomes[end.outcome];
    if (end.outcome != RequestOutcome::Unfinished)
    {
        m_ended.push_back(end.request);
    }
    if (end.outcome == RequestOutcome::Served)
    {
        m_ttft.push_back(end.firstToken - end.request.arrival);
    }
    trace::Record record;
    auto& request = *record.mutable_request();
    request.set_number(end.request.number);
    request.set_arrival_ns(end.request.arrival.ToNanoseconds());
    request.set_prompt_tokens(end.request.promptTokens);
    request.set_outcome(OutcomeOf(end.outcome));
    request.set_decided_ns(end.decided.ToNanoseconds());
    request.set_first_token_ns(end.firstToken.ToNanoseconds());
    request.set_delivered_ns(end.delivered.ToNanoseconds());
    request.set_batch(end.batch);
    request.set_met_objective(end.metObjective);
    m_writer.Write(record);
}

void
FillRecorder::FillJobEnded(const FillJobRecord& ended)
{
    trace::Record record;
    auto& job = *record.mutable_fill_job();
    job.set_number(ended.job.number);
    job.set_model(ended.job.model);
    job.set_training(ended.job.task == FillTask::Training);
    job.set_arrival_ns(ended.job.arrival.ToNanoseconds());
    job.set_start_ns(ended.start.value_or(Instant()).ToNanoseconds());
    job.set_end_ns(ended.end.value_or(Instant()).ToNanoseconds());
    job.set_deadline_ns(ended.job.deadline.value_or(Instant()).ToNanoseconds());
    job.set_refused(ended.refused);
    job.set_flops(ended.flops);
    job.set_dedicated_flops_per_second(DedicatedFlopsPerSecond(ended.job));
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

std::uint64_t
FillRecorder::Count(RequestOutcome outcome) const
{
    const auto found = m_outcomes.find(outcome);
    return found == m_outcomes.end() ? 0 : found->second;
}

std::vector<PrefillRequest>
FillRecorder::EndedRequests() const
{
    auto requests = m_ended;
    std::sort(requests.begin(),
              requests.end(),
              [](const auto& a, const auto& b) { return a.number < b.number; });
    return requests;
}

Duration
FillRecorder::TtftP90() const
{
    auto sorted = m_ttft;
    std::sort(sorted.begin(), sorted.end());
    return sorted.empty() ? Duration() : sorted[(sorted.size() * 90 + 99) / 100 - 1];
}

} // namespace geotrain
