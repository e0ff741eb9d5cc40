// SPDX-License-Identifier: GPL-2.0-only
#include "prefill-service/request-intake.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

RequestIntake::RequestIntake(Clock& clock,
                             RequestSource& source,
                             IntakeLimits limits,
                             std::function<void(std::vector<PrefillRequest>)> handOver)
    : m_clock(clock),
      m_source(source),
      m_limits(limits),
      m_handOver(std::move(handOver))
{
}

void
RequestIntake::Begin()
{
    m_next = m_source.Next();
    ScheduleArrival();
}

std::vector<PrefillRequest>
RequestIntake::TakeWaiting()
{
    return std::exchange(m_waiting, {});
}

void
RequestIntake::ScheduleArrival()
{
    if (m_next)
    {
        m_clock.Schedule(std::max(m_next->arrival, m_clock.Now()), [this] { Arrive(); });
    }
}

void
RequestIntake::Arrive()
{
    const PrefillRequest request = *m_next;
    m_next = m_source.Next();
    ScheduleArrival();
    const bool isShort =
        request.promptTokens <= m_limits.maxContext && request.promptTokens < m_limits.batchTokens;
    if (isShort)
    {
        Collect(request);
    }
    else
    {
        m_handOver({request});
    }
}

void
RequestIntake::Collect(const PrefillRequest& request)
{
    if (m_waitingTokens + request.promptTokens > m_limits.batchTokens)
    {
        HandOverBatch();
    }
    if (m_waiting.empty())
    {
        m_timeout =
            m_clock.Schedule(m_clock.Now() + m_limits.batchWait, [this] { HandOverBatch(); });
    }
    m_waiting.push_back(request);
    m_waitingTokens += request.promptTokens;
}

void
RequestIntake::HandOverBatch()
{
    m_clock.Cancel(m_timeout);
    m_waitingTokens = 0;
    m_handOver(std::exchange(m_waiting, {}));
}

} // namespace geotrain
