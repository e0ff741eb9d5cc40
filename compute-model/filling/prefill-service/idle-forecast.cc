// SPDX-License-Identifier: GPL-2.0-only
#include "prefill-service/idle-forecast.h"

#include <algorithm>

namespace geotrain
{

void
IdleForecast::Set(const std::vector<Bubble>& bubbles, Duration period)
{
    m_spans.clear();
    m_idle = m_idlePerPeriod = Duration();
    m_period = period;
    for (const Bubble& bubble : bubbles)
    {
        const Instant start = std::min(bubble.latestStart, bubble.earliestEnd);
        const Duration length = bubble.earliestEnd - start;
        m_spans.push_back(
            {start, bubble.earliestEnd, m_idle, bubble.iterationsAhead, bubble.endsWith});
        m_idle += length;
        m_idlePerPeriod += bubble.iterationsAhead > 0 ? length : Duration();
    }
}

Instant
IdleForecast::EndOf(Instant from, Duration work) const
{
    if (m_spans.empty())
    {
        return from + work;
    }
    // Bring `from` into the spans, and what is needed beyond them back by whole periods.
    std::int64_t periods = 0;
    if (from > m_spans.back().end && m_period > Duration())
    {
        const Duration beyond = from - m_spans.back().end;
        periods =
            (beyond.ToNanoseconds() + m_period.ToNanoseconds() - 1) / m_period.ToNanoseconds();
    }
    Duration needed = IdleUntil(from - m_period * periods) + work;
    if (needed > m_idle)
    {
        if (!(m_idlePerPeriod > Duration()))
        {
            return Instant::Never();
        }
        const std::int64_t idle = m_idlePerPeriod.ToNanoseconds();
        const std::int64_t more = ((needed - m_idle).ToNanoseconds() + idle - 1) / idle;
        needed = needed - m_idlePerPeriod * more;
        periods += more;
    }
    return std::max(from, WhenIdleFor(needed) + m_period * periods);
}

std::optional<Instant>
IdleForecast::EarliestEnd(std::uint32_t position) const
{
    const auto found =
        std::find_if(m_spans.begin(),
                     m_spans.end(),
                     [position](const Span& span)
                     { return span.iterationsAhead == 0 && span.endsWith == position; });
    return found == m_spans.end() ? std::nullopt : std::optional(found->end);
}

Duration
IdleForecast::Longest() const
{
    Duration longest;
    for (const Span& span : m_spans)
    {
        longest = std::max(longest, span.end - span.start);
    }
    return longest;
}

/// Returns the idle time of the spans up to `at`.
Duration
IdleForecast::IdleUntil(Instant at) const
{
    const auto next =
        std::upper_bound(m_spans.begin(),
                         m_spans.end(),
                         at,
                         [](Instant when, const Span& span) { return when < span.start; });
    if (next == m_spans.begin())
    {
        return Duration();
    }
    const Span& span = *(next - 1);
    return span.before + (std::min(at, span.end) - span.start);
}

/// Returns the instant up to which the spans have `idle`, at most all of them together.
Instant
IdleForecast::WhenIdleFor(Duration idle) const
{
    const auto next = std::lower_bound(m_spans.begin(),
                                       m_spans.end(),
                                       idle,
                                       [](const Span& span, Duration needed)
                                       { return span.before + (span.end - span.start) < needed; });
    return next->start + (idle - next->before);
}

} // namespace geotrain
