// SPDX-License-Identifier: GPL-2.0-only
#include "runner/serving-recorder.h"

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

ServingRecorder::ServingRecorder(RecordSink& writer)
    : m_writer(writer)
{
}

void
ServingRecorder::RequestEnded(const RequestEnd& end)
{
    if (end.request.isOffline && end.outcome != RequestOutcome::Served)
    {
        return;
    }
    if (!end.request.isOffline)
    {
        Count(end);
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
    request.set_promised_ns(end.promised.value_or(Instant()).ToNanoseconds());
    request.set_offline(end.request.isOffline);
    m_writer.Write(record);
}

void
ServingRecorder::Count(const RequestEnd& end)
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
}

std::uint64_t
ServingRecorder::Count(RequestOutcome outcome) const
{
    const auto found = m_outcomes.find(outcome);
    return found == m_outcomes.end() ? 0 : found->second;
}

std::vector<PrefillRequest>
ServingRecorder::EndedRequests() const
{
    auto requests = m_ended;
    std::sort(requests.begin(),
              requests.end(),
              [](const auto& a, const auto& b) { return a.number < b.number; });
    return requests;
}

Duration
ServingRecorder::TtftP90() const
{
    auto sorted = m_ttft;
    std::sort(sorted.begin(), sorted.end());
    return sorted.empty() ? Duration() : sorted[(sorted.size() * 90 + 99) / 100 - 1];
}

} // namespace geotrain
