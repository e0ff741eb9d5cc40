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
    : m_settings(settings),
      m_tail(settings.limit, settings.segment),
      m_random(settings.seed, "analytic-loss", settings.name)
{
    if (settings.lossRate > 0)
    {
        m_untilLoss = NextLoss();
    }
}

/// Draws how many packets pass until one is lost.
double
LinkQueue::NextLoss()
{
    return std::log(m_random.Uniform()) / std::log1p(-m_settings.lossRate);
}

std::int64_t
LinkQueue::LostAtRandom(std::int64_t bytes)
{
    std::int64_t lost = 0;
    m_untilLoss -= std::ceil(static_cast<double>(bytes) / static_cast<double>(m_settings.segment));
    while (m_untilLoss < 0)
    {
        lost += m_settings.segment;
        m_untilLoss += 1 + NextLoss();
    }
    return std::min(lost, bytes);
}

void
LinkQueue::KeepFor(Duration howLong)
{
    m_kept = std::max(m_kept, howLong);
}

LinkQueue::Departure
LinkQueue::Enter(const Passage& in, std::int64_t bytes)
{
    const double first = SinceStart(in.first);
    const double last = SinceStart(in.last);
    m_busyUntil = std::max(m_busyUntil, first) + static_cast<double>(bytes) / m_settings.rate;
    const double over = (m_busyUntil - last) * m_settings.rate - m_settings.limit;
    const TailDrop::Drop dropped = m_tail.Of(over, bytes);
    std::int64_t lost = dropped.bytes;
    m_busyUntil -= static_cast<double>(lost) / m_settings.rate;
    Note(in.last);
    const double work = static_cast<double>(bytes - lost) / m_settings.rate;
    lost += LostAtRandom(bytes - lost);
    const double leaves = std::max(m_busyUntil, last);
    const double begins = std::max(first, leaves - std::max(work, last - first));
    return {{AfterStart(begins), AfterStart(leaves)}, lost, dropped.isEnd};
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
    const auto later =
        std::upper_bound(m_levels.begin(),
                         m_levels.end(),
                         at,
                         [](Instant moment, const Level& level) { return moment < level.at; });
    return std::max(at, std::prev(later)->busyUntil);
}

Duration
LinkQueue::LongestWait() const
{
    return std::isfinite(m_settings.limit)
               ? Duration::Nanoseconds(std::llround(m_settings.limit / m_settings.rate))
               : Duration();
}

} // namespace geotrain
