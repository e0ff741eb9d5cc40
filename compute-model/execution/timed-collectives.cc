// SPDX-License-Identifier: GPL-2.0-only
#include "execution/timed-collectives.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

constexpr double mostAlone = 1 + 1e-9; ///< load up to which nothing is shared, but for rounding

} // namespace

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
    const auto demand = m_timeOf(request);
    if (!demand)
    {
        return m_others->Join(request, member, std::move(callback));
    }
    Wait& wait = m_waits[request.number];
    wait.callbacks.push_back(std::move(callback));
    if (wait.callbacks.size() == request.members.size())
    {
        wait.demand = demand;
        wait.left = demand->alone;
        wait.counted = m_clock.Now();
        Load(*demand, 1);
        SetSpeed(request.number, wait);
    }
    return {request.number};
}

void
TimedCollectives::End(std::uint64_t number, Instant at)
{
    const auto ended = m_waits.extract(number);
    Load(*ended.mapped().demand, -1);
    for (const CollectiveCallback& callback : ended.mapped().callbacks)
    {
        callback(at, {});
    }
}

/// Adds a demand, or takes it off, and sets the speed of those in progress that share with it.
void
TimedCollectives::Load(const CollectiveDemand& demand, double sign)
{
    bool isShared = false;
    for (const auto& [resource, share] : demand.shareOf)
    {
        double& load = m_loads[resource];
        isShared = isShared || std::max(load, load + sign * share) > mostAlone;
        load += sign * share;
    }
    for (auto wait = m_waits.begin(); isShared && wait != m_waits.end(); ++wait)
    {
        if (wait->second.speed > 0)
        {
            SetSpeed(wait->first, wait->second);
        }
    }
}

/// Schedules the end of a collective at the speed that its NICs and links leave it, if that is new.
void
TimedCollectives::SetSpeed(std::uint64_t number, Wait& wait)
{
    double most = 0;
    for (const auto& [resource, share] : wait.demand->shareOf)
    {
        most = std::max(most, m_loads.at(resource));
    }
    const double speed = most > mostAlone ? 1 / most : 1;
    if (speed == wait.speed)
    {
        return;
    }
    const Instant now = m_clock.Now();
    wait.left = wait.left - Duration::Seconds((now - wait.counted).ToSeconds() * wait.speed);
    wait.left = std::max(Duration(), wait.left);
    wait.counted = now;
    wait.speed = speed;
    m_clock.Cancel(wait.end);
    const Instant end =
        now + (speed == 1 ? wait.left : Duration::Seconds(wait.left.ToSeconds() / speed));
    wait.end = m_clock.Schedule(end, [this, number, end] { End(number, end); });
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
    if (wait.mapped().demand)
    {
        Load(*wait.mapped().demand, -1);
    }
}

} // namespace geotrain
