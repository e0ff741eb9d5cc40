// SPDX-License-Identifier: GPL-2.0-only
#include "prefill-service/free-time.h"

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
    m_longestBubble = Duration();
    for (std::uint32_t bubble = 0; bubble < spans.size(); ++bubble)
    {
        const Duration length = spans[bubble].end - spans[bubble].start;
        m_longestBubble = std::max(m_longestBubble, length);
        if (length >= shortest)
        {
            m_gaps.push_back({spans[bubble].start, spans[bubble].end, bubble});
        }
    }
}

Instant
FreeTime::Fit(Instant ready,
              const UnitWork& work,
              Instant latest,
              std::vector<FillPart>* parts) const
{
    std::uint32_t left = work.units;
    Instant end = ready;
    for (auto gap = m_gaps.begin(); left > 0 && gap != m_gaps.end(); ++gap)
    {
        const Instant start = std::max(gap->start, ready);
        if (start + work.unit > gap->end)
        {
            continue;
        }
        if (start + work.unit * left > latest)
        {
            return Instant::Never();
        }
        const std::int64_t unit = work.unit.ToNanoseconds();
        const std::int64_t room = (gap->end - start).ToNanoseconds();
        const auto units = room >= unit * left ? left : static_cast<std::uint32_t>(room / unit);
        if (parts != nullptr)
        {
            parts->push_back({start, m_bubbles[gap->bubble].end, units});
        }
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
    const bool hasBefore = before.end >= before.start + m_shortest;
    const bool hasAfter = after.end >= after.start + m_shortest;
    if (hasBefore && hasAfter)
    {
        *gap = after;
        m_gaps.insert(gap, before);
    }
    else if (hasBefore || hasAfter)
    {
        *gap = hasBefore ? before : after;
    }
    else
    {
        m_gaps.erase(gap);
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
    const auto kept = std::find_if(
        m_gaps.begin(), m_gaps.end(), [this](const Gap& gap) { return gap.bubble >= m_over; });
    m_gaps.erase(m_gaps.begin(), kept);
}

Instant
FreeTime::FirstStart() const
{
    return m_gaps.empty() ? Instant::Never() : m_gaps.front().start;
}

Duration
FreeTime::LongestBubble() const
{
    return m_longestBubble;
}

} // namespace geotrain
