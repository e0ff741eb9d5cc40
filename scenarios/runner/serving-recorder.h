// SPDX-License-Identifier: GPL-2.0-only
// Writes what became of prefill requests into the trace, and keeps what the end of a run asks of
// them: how many ended in which way, those that were decided, and their times to first token.
#pragma once

#include "prefill-service/prefill-request.h"
#include "trace/trace-writer.h"

#include <map>
#include <vector>

namespace geotrain
{

class ServingRecorder : public ServingObserver
{
  public:
    /// `writer` must outlive the recorder.
    explicit ServingRecorder(TraceWriter& writer);

    void RequestEnded(const RequestEnd& end) override;

    /// Requests that ended so.
    std::uint64_t Count(RequestOutcome outcome) const;

    /// Those that were served or refused, by arrival.
    std::vector<PrefillRequest> EndedRequests() const;

    /// Of served requests, from arrival to first token; 0 without any.
    Duration TtftP90() const;

  private:
    TraceWriter& m_writer;
    std::map<RequestOutcome, std::uint64_t> m_outcomes;
    std::vector<PrefillRequest> m_ended;
    std::vector<Duration> m_ttft;
};

} // namespace geotrain
