// SPDX-License-Identifier: GPL-2.0-only
// The queue is known by when it will have sent all that has come so far. Trains overlap as they
// come in, so that a train leaves when both its last byte has come and the link has sent all that
// came before it. Of several ranks, each has such an instant, which those below it move too.
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

/// Returns the index of a rank, which it adds with what is above it.
std::size_t
LinkQueue::IndexOf(int rank)
{
    std::size_t index = 0;
    while (index < m_backlogs.size() && m_backlogs[index].rank < rank)
    {
        ++index;
    }
    if (index == m_backlogs.size() || m_backlogs[index].rank != rank)
    {
        Backlog added{rank, 0, 0, {}, TailDrop(m_settings.limit, m_settings.segment)};
        if (index < m_backlogs.size())
        {
            added.busyUntil = m_backlogs[index].busyUntil;
            added.levels = m_backlogs[index].levels;
        }
        m_backlogs.insert(m_backlogs.begin() + static_cast<std::ptrdiff_t>(index), added);
    }
    return index;
}

LinkQueue::Departure
LinkQueue::Enter(const Passage& in, std::int64_t bytes, int rank)
{
    const double first = SinceStart(in.first);
    const double last = SinceStart(in.last);
    const std::size_t index = IndexOf(rank);
    for (std::size_t i = 0; i <= index; ++i)
    {
        double& busyUntil = m_backlogs[i].busyUntil;
        busyUntil = std::max(busyUntil, first) + static_cast<double>(bytes) / m_settings.rate;
    }
    const bool isTop = index + 1 == m_backlogs.size();
    const double turn = isTop ? last : std::max(last, m_backlogs[index + 1].busyUntil);
    const double over = (m_backlogs[index].busyUntil - turn) * m_settings.rate - m_settings.limit;
    const TailDrop::Drop dropped = m_backlogs[index].tail.Of(over, bytes);
    std::int64_t lost = dropped.bytes;
    const double work = static_cast<double>(bytes - lost) / m_settings.rate;
    for (std::size_t i = 0; i <= index; ++i)
    {
        m_backlogs[i].busyUntil -= static_cast<double>(lost) / m_settings.rate;
        m_backlogs[i].above += i < index ? work : 0;
        Note(m_backlogs[i], in.last);
    }
    lost += LostAtRandom(bytes - lost);
    const double leaves = std::max(m_backlogs[index].busyUntil, last);
    const double begins = std::max(first, leaves - std::max(work, last - first));
    return {{AfterStart(begins), AfterStart(leaves)}, lost, dropped.isEnd};
}

double
LinkQueue::WorkAbove(int rank) const
{
    const auto found = std::find_if(m_backlogs.begin(),
                                    m_backlogs.end(),
                                    [rank](const Backlog& one) { return one.rank >= rank; });
    return found == m_backlogs.end() ? 0 : found->above;
}

void
LinkQueue::Note(Backlog& backlog, Instant at) const
{
    auto& levels = backlog.levels;
    const Instant latest = levels.Empty() ? at : std::max(at, levels.Back().at);
    levels.PushBack({latest, AfterStart(backlog.busyUntil)});
    while (levels.Front().busyUntil + m_kept < latest && levels.Size() > 1)
    {
        levels.PopFront();
    }
}

Instant
LinkQueue::LeavesAfter(Instant at, int rank) const
{
    const auto found = std::find_if(m_backlogs.begin(),
                                    m_backlogs.end(),
                                    [rank](const Backlog& one) { return one.rank >= rank; });
    if (found == m_backlogs.end() || found->levels.Empty() || found->levels.Front().at > at)
    {
        return at;
    }
    const auto& levels = found->levels;
    if (levels.Back().at <= at)
    {
        return std::max(at, levels.Back().busyUntil);
    }
    const auto later =
        std::upper_bound(levels.begin(),
                         levels.end(),
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
