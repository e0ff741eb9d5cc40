// SPDX-License-Identifier: GPL-2.0-only
// Brings requests to BubbleTea's controller: each at its arrival, a short prompt in a batch with
// others. A batch leaves when the next short prompt would make it too large, or when its first
// prompt has waited long enough.
#pragma once

#include "execution/clock.h"
#include "prefill-service/prefill-request.h"

#include <functional>
#include <optional>
#include <vector>

namespace geotrain
{

/// IntakeLimits say which prompts wait for others, and how long.
struct IntakeLimits
{
    std::uint32_t maxContext = 0;  ///< tokens; a longer prompt goes on alone, to be refused
    std::uint32_t batchTokens = 0; ///< most tokens per batch; each prompt in it has fewer
    Duration batchWait;            ///< the longest time that a prompt waits for others
};

/// RequestIntake hands requests over one by one or in batches.
class RequestIntake
{
  public:
    /// `handOver` gets each batch when it is complete. The references must outlive the intake.
    RequestIntake(Clock& clock,
                  RequestSource& source,
                  IntakeLimits limits,
                  std::function<void(std::vector<PrefillRequest>)> handOver);

    /// Schedules the arrival of the first request.
    void Begin();

    /// Returns the prompts that wait for others, which are then forgotten.
    std::vector<PrefillRequest> TakeWaiting();

  private:
    void ScheduleArrival();
    void Arrive();
    void Collect(const PrefillRequest& request);
    void HandOverBatch();

    Clock& m_clock;
    RequestSource& m_source;
    IntakeLimits m_limits;
    std::function<void(std::vector<PrefillRequest>)> m_handOver;
    std::optional<PrefillRequest> m_next;
    std::vector<PrefillRequest> m_waiting;
    std::uint32_t m_waitingTokens = 0;
    Clock::EventNumber m_timeout = 0;
};

} // namespace geotrain
