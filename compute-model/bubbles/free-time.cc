#include "bubbles/free-time.h"

#include <algorithm>
#include <stdexcept>

namespace geotrain
{

void
FreeTime::Set(const std::vector<UsableSpan>& spans, Duration shortest)
{
    m_gaps.clear();
    m_bubbles = spans;
    m_over = 0;
    m_shortest = shortest;
    for (std::uint32_t bubble = 0; bubble < spans.size(); ++bubble)
    {
        if (spans[bubble].end >= spans[bubble].start + shortest)
        {
            m_gaps.push_back({spans[bubble].start, spans[bubble].end, bubble});
        }
    }
}

Instant
FreeTime::Fit(Instant ready,
              const UnitWork& work,
              Instant latest,
              std::vector<FillPart>& parts) const
{
    auto gap = std::lower_bound(m_gaps.begin(),
                                m_gaps.end(),
                                ready + work.unit,
                                [](const Gap& a, Instant end) { return a.end < end; });
    std::uint32_t left = work.units;
    Instant end = ready;
    for (; left > 0 && gap != m_gaps.end(); ++gap)
    {
        const Instant start = std::max(gap->start, ready);
        if (start + work.unit * left > latest)
        {
            return Instant::Never();
        }
        if (start + work.unit > gap->end) // most gaps are too small: no division for them
        {
            continue;
        }
        const auto room = (gap->end - start).ToNanoseconds() / work.unit.ToNanoseconds();
        const auto units = static_cast<std::uint32_t>(std::min<std::int64_t>(room, left));
        parts.push_back({start, m_bubbles[gap->bubble].end, units});
        left -= units;
        end = start + work.unit * units;
    }
    return left > 0 || end > latest ? Instant::Never() : end;
}

void
FreeTime::Take(Instant start, Instant end)
{
    auto gap = std::upper_bound(
        m_gaps.begin(), m_gaps.end(), start, [](Instant at, const Gap& a) { return at < a.end; });
    if (gap == m_gaps.end() || start < gap->start || gap->end < end)
    {
        throw std::logic_error("only free time can be taken");
    }
    const Gap before{gap->start, start, gap->bubble};
    const Gap after{end, gap->end, gap->bubble};
    gap = m_gaps.erase(gap);
    if (after.end >= after.start + m_shortest)
    {
        gap = m_gaps.insert(gap, after);
    }
    if (before.end >= before.start + m_shortest)
    {
        m_gaps.insert(gap, before);
    }
}

void
FreeTime::Release(Instant start, Instant end)
{
    const auto bubble = std::find_if(m_bubbles.begin() + m_over,
                                     m_bubbles.end(),
                                     [&](const UsableSpan& span)
                                     { return span.start <= start && end <= span.end; });
    if (bubble == m_bubbles.end() || end <= start)
    {
        return;
    }
    auto gap = std::lower_bound(
        m_gaps.begin(), m_gaps.end(), start, [](const Gap& a, Instant at) { return a.end < at; });
    const auto index = static_cast<std::uint32_t>(bubble - m_bubbles.begin());
    Gap joined{start, end, index};
    while (gap != m_gaps.end() && gap->start <= end)
    {
        if (gap->bubble != index)
        {
            ++gap;
            continue;
        }
        joined.start = std::min(joined.start, gap->start);
        joined.end = std::max(joined.end, gap->end);
        gap = m_gaps.erase(gap);
    }
    if (joined.end >= joined.start + m_shortest)
    {
        gap = std::lower_bound(m_gaps.begin(),
                               m_gaps.end(),
                               joined.start,
                               [](const Gap& a, Instant at) { return a.start < at; });
        m_gaps.insert(gap, joined);
    }
}

void
FreeTime::EndBubbles(std::uint32_t position)
{
    while (m_over < m_bubbles.size() && m_bubbles[m_over].iterationsAhead == 0 &&
           m_bubbles[m_over].endsWith <= position)
    {
        ++m_over;
    }
    while (!m_gaps.empty() && m_gaps.front().bubble < m_over)
    {
        m_gaps.pop_front();
    }
}

void
FreeTime::Forget(Instant now)
{
    while (!m_gaps.empty() && m_gaps.front().end < now + m_shortest)
    {
        m_gaps.pop_front();
    }
}

Instant
FreeTime::FirstStart() const
{
    return m_gaps.empty() ? Instant::Never() : m_gaps.front().start;
}

Duration
FreeTime::LongestBubble() const
{
    Duration longest;
    for (const UsableSpan& span : m_bubbles)
    {
        longest = std::max(longest, span.end - span.start);
    }
    return longest;
}

} // namespace geotrain
