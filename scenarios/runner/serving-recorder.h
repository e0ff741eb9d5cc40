// SPDX-License-Identifier: GPL-2.0-only
// Writes into the trace what became of prefill requests, and keeps what the end of a run needs: how
// many requests ended in which way, which were decided, and their times to first token. Offline
// prefills are written only.
#pragma once

#include "prefill-service/prefill-request.h"
#include "trace/record-sink.h"

#include <map>
#include <vector>

namespace geotrain
{

/// ServingRecorder observes the prefill service.
class ServingRecorder : public ServingObserver
{
  public:
    /// `writer` must outlive the recorder.
    explicit ServingRecorder(RecordSink& writer);

    void RequestEnded(const RequestEnd& end) override;

    /// Returns how many requests had this outcome.
    std::uint64_t Count(RequestOutcome outcome) const;

    /// Returns the requests that were served or refused, by arrival.
    std::vector<PrefillRequest> EndedRequests() const;

    /// Returns the 90th percentile of the time from arrival to first token of served requests; 0
    /// without any.
    Duration TtftP90() const;

  private:
    void Count(const RequestEnd& end);

    RecordSink& m_writer;
    std::map<RequestOutcome, std::uint64_t> m_outcomes;
    std::vector<PrefillRequest> m_ended;
    std::vector<Duration> m_ttft;
};

} // namespace geotrain
