// SPDX-License-Identifier: GPL-2.0-only
#include "execution/timed-collectives.h"

#include <utility>

namespace geotrain
{

TimedCollectives::TimedCollectives(Clock& clock,
                                   CollectiveTime timeOf,
                                   std::unique_ptr<Collectives> others)
    : m_clock(clock),
      m_timeOf(std::move(timeOf)),
      m_others(std::move(others))
{
}

TimedCollectives::~TimedCollectives()
{
    for (const auto& [number, wait] : m_waits)
    {
        m_clock.Cancel(wait.end);
    }
}

CollectiveHandle
TimedCollectives::Join(const CollectiveRequest& request,
                       std::uint32_t member,
                       CollectiveCallback callback)
{
    const auto time = m_timeOf(request);
    if (!time)
    {
        return m_others->Join(request, member, std::move(callback));
    }
    Wait& wait = m_waits[request.number];
    wait.callbacks.push_back(std::move(callback));
    if (wait.callbacks.size() == request.members.size())
    {
        const Instant end = m_clock.Now() + *time;
        wait.end =
            m_clock.Schedule(end, [this, number = request.number, end] { End(number, end); });
    }
    return {request.number};
}

void
TimedCollectives::End(std::uint64_t number, Instant at)
{
    const auto ended = m_waits.extract(number);
    for (const CollectiveCallback& callback : ended.mapped().callbacks)
    {
        callback(at, {});
    }
}

void
TimedCollectives::Cancel(CollectiveHandle collective)
{
    const auto wait = m_waits.extract(collective.number);
    if (wait.empty())
    {
        m_others->Cancel(collective);
        return;
    }
    m_clock.Cancel(wait.mapped().end);
}

} // namespace geotrain
