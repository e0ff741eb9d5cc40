// SPDX-License-Identifier: GPL-2.0-only
// The queue is known by when it will have sent all that has come so far. Trains overlap as they
// come in, so that a train leaves when both its last byte has come and the link has sent all that
// came before it.
#include "analytic/link-queue.h"

#include "analytic/train.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace geotrain
{

namespace
{

double
SinceStart(Instant at)
{
    return Nanoseconds(at - Instant());
}

Instant
AfterStart(double nanoseconds)
{
    return Instant::FromNanoseconds(std::llround(nanoseconds));
}

} // namespace

LinkQueue::LinkQueue(const Settings& settings)
    : m_settings(settings)
{
}

void
LinkQueue::KeepFor(Duration howLong)
{
    m_kept = std::max(m_kept, howLong);
}

Passage
LinkQueue::Enter(const Passage& in, std::int64_t bytes)
{
    const double work = static_cast<double>(bytes) / m_settings.rate;
    const double first = SinceStart(in.first);
    const double last = SinceStart(in.last);
    m_busyUntil = std::max(m_busyUntil, first) + work;
    Note(in.last);
    const double leaves = std::max(m_busyUntil, last);
    return {AfterStart(std::max(first, leaves - std::max(work, last - first))), AfterStart(leaves)};
}

void
LinkQueue::Note(Instant at)
{
    const Instant latest = m_levels.Empty() ? at : std::max(at, m_levels.Back().at);
    m_levels.PushBack({latest, AfterStart(m_busyUntil)});
    while (m_levels.Front().busyUntil + m_kept < latest && m_levels.Size() > 1)
    {
        m_levels.PopFront();
    }
}

Instant
LinkQueue::LeavesAfter(Instant at) const
{
    if (m_levels.Empty() || m_levels.Front().at > at)
    {
        return at;
    }
    if (m_levels.Back().at <= at)
    {
        return std::max(at, m_levels.Back().busyUntil);
    }
    const auto later = std::upper_bound(m_levels.begin(),
                                        m_levels.end(),
                                        at,
                                        [](Instant instant, const Level& level)
                                        { return instant < level.at; });
    return std::max(at, std::prev(later)->busyUntil);
}

Duration
LinkQueue::LongestWait() const
{
    return std::isfinite(m_settings.limit) ? Duration::Nanoseconds(std::llround(
                                                 m_settings.limit / m_settings.rate))
                                           : Duration();
}

} // namespace geotrain
