// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/codel-queue.h"

#include <cmath>

namespace ns3
{

using geotrain::Duration;
using geotrain::Instant;

CoDelQueue::CoDelQueue(const geotrain::CoDelSettings& settings)
    : m_settings(settings)
{
}

AqmVerdict
CoDelQueue::Decide(Instant now, Duration sojourn, bool isStanding, bool ecnCapable)
{
    const bool mayDrop = MayDrop(now, sojourn, isStanding);
    const Previous previous = m_previous;
    m_previous = Previous::Left;
    if (previous == Previous::FirstDrop)
    {
        return AqmVerdict::Pass;
    }
    if (m_isDropping && !mayDrop)
    {
        m_isDropping = false;
        return AqmVerdict::Pass;
    }
    if (previous == Previous::LaterDrop)
    {
        m_dropNext = ControlLaw(m_dropNext);
    }
    if (m_isDropping)
    {
        return GoOnDropping(now, ecnCapable);
    }
    return mayDrop ? BeginDropping(now, ecnCapable) : AqmVerdict::Pass;
}

bool
CoDelQueue::MayDrop(Instant now, Duration sojourn, bool isStanding)
{
    if (sojourn < m_settings.target || !isStanding)
    {
        m_firstAbove.reset();
        return false;
    }
    if (!m_firstAbove)
    {
        m_firstAbove = now + m_settings.interval;
        return false;
    }
    return now >= *m_firstAbove;
}

AqmVerdict
CoDelQueue::GoOnDropping(Instant now, bool ecnCapable)
{
    if (now < m_dropNext)
    {
        return AqmVerdict::Pass;
    }
    ++m_count;
    if (m_settings.ecn && ecnCapable)
    {
        m_dropNext = ControlLaw(m_dropNext);
        return AqmVerdict::Mark;
    }
    m_previous = Previous::LaterDrop;
    return AqmVerdict::Drop;
}

AqmVerdict
CoDelQueue::BeginDropping(Instant now, bool ecnCapable)
{
    // Where the last time is not long ago, the drop rate that was enough then is a good start.
    const std::int64_t grown = m_count - m_lastCount;
    const bool isRecent = now - m_dropNext < m_settings.interval * 16;
    m_count = grown > 1 && isRecent ? grown : 1;
    m_lastCount = m_count;
    m_isDropping = true;
    m_dropNext = ControlLaw(now);
    if (m_settings.ecn && ecnCapable)
    {
        return AqmVerdict::Mark;
    }
    m_previous = Previous::FirstDrop;
    return AqmVerdict::Drop;
}

Instant
CoDelQueue::ControlLaw(Instant from) const
{
    const double interval = static_cast<double>(m_settings.interval.ToNanoseconds());
    return from +
           Duration::Nanoseconds(std::llround(interval / std::sqrt(static_cast<double>(m_count))));
}

} // namespace ns3
