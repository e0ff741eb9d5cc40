// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/scheduled-clock.h"

#include <algorithm>

namespace ns3
{

using geotrain::Bytes;
using geotrain::Instant;
using geotrain::WideInteger;

namespace
{

constexpr std::int64_t byteNs = 8LL * 1000000000; ///< work per byte: 8 bits, in billionths of a bit

} // namespace

ScheduledClock::ScheduledClock(const LinkSchedule& schedule)
    : m_schedule(schedule),
      m_begin(schedule.Begin())
{
}

const LinkSchedule&
ScheduledClock::Schedule() const
{
    return m_schedule;
}

Instant
ScheduledClock::FreeAt() const
{
    return Instant::FromNanoseconds(m_wholeNs + (m_fraction > 0 ? 1 : 0));
}

Instant
ScheduledClock::Send(Instant earliest, Bytes size)
{
    if (m_schedule.Begin() != m_begin) // the fraction is one of the rate before
    {
        m_wholeNs = FreeAt().ToNanoseconds();
        m_fraction = 0;
        m_begin = m_schedule.Begin();
    }
    if (earliest.ToNanoseconds() > m_wholeNs)
    {
        m_wholeNs = earliest.ToNanoseconds();
        m_fraction = 0;
    }
    // A fraction is left only within a span, so that its unit is still that of the rate here.
    std::int64_t work = size.Count() * byteNs + m_fraction;
    LinkSchedule::Span span = m_schedule.SpanAt(m_wholeNs);
    WideInteger room = static_cast<WideInteger>(span.endNs - m_wholeNs) * span.bitsPerSecond;
    while (work > room)
    {
        work -= static_cast<std::int64_t>(room);
        m_wholeNs = span.endNs;
        span = m_schedule.SpanAt(m_wholeNs);
        room = static_cast<WideInteger>(span.endNs - m_wholeNs) * span.bitsPerSecond;
    }
    m_wholeNs += work / span.bitsPerSecond;
    m_fraction = work % span.bitsPerSecond;
    return FreeAt();
}

Bytes
ScheduledClock::Backlog(Instant now) const
{
    std::int64_t atNs = now.ToNanoseconds();
    if (m_wholeNs < atNs)
    {
        return Bytes();
    }
    WideInteger work = m_fraction;
    while (atNs < m_wholeNs)
    {
        const LinkSchedule::Span span = m_schedule.SpanAt(atNs);
        const std::int64_t endNs = std::min(span.endNs, m_wholeNs);
        work += static_cast<WideInteger>(endNs - atNs) * span.bitsPerSecond;
        atNs = endNs;
    }
    return Bytes::Of(static_cast<std::int64_t>((work + byteNs - 1) / byteNs));
}

} // namespace ns3
