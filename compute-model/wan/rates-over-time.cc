// SPDX-License-Identifier: GPL-2.0-only
#include "wan/rates-over-time.h"

#include <algorithm>
#include <set>

namespace geotrain
{

namespace
{

constexpr std::size_t mostChanges = 20000;
const Duration longestTime = Duration::Seconds(3600); // of schedules that don't repeat together

bool
IsOut(const WanTopology::Link& link, Duration time)
{
    return std::any_of(link.outages.begin(),
                       link.outages.end(),
                       [time](const Outage& outage)
                       { return outage.begin <= time && time < outage.end; });
}

} // namespace

RatesOverTime::RatesOverTime(const WanTopology& topology)
    : m_topology(topology),
      m_now(topology)
{
    for (WanTopology::Link& link : m_now.links)
    {
        link.rates = RateSchedule();
        link.ratesBack.reset();
        link.outages.clear();
    }
    FindChanges();
}

void
RatesOverTime::FindChanges()
{
    std::set<std::int64_t> changes{0};
    std::set<std::int64_t> periods;
    for (const WanTopology::Link& link : m_topology.links)
    {
        for (const Outage& outage : link.outages)
        {
            changes.insert({outage.begin.ToNanoseconds(), outage.end.ToNanoseconds()});
        }
        for (const bool forward : {true, false})
        {
            const RateSchedule& rates = link.RatesOf(forward);
            if (rates.period > Duration())
            {
                periods.insert(rates.period.ToNanoseconds());
            }
            else if (!rates.steps.empty())
            {
                rates.AddChanges(rates.steps.back().at, changes);
            }
        }
    }
    const bool isRepeated = changes.size() == 1 && periods.size() == 1;
    m_period = Duration::Nanoseconds(isRepeated ? *periods.begin() : 0);
    const Duration end = isRepeated ? m_period : longestTime;
    for (const WanTopology::Link& link : m_topology.links)
    {
        for (const bool forward : {true, false})
        {
            if (link.RatesOf(forward).period > Duration())
            {
                link.RatesOf(forward).AddChanges(end - Duration::Nanoseconds(1), changes);
            }
        }
    }
    for (const std::int64_t change : changes)
    {
        m_changes.push_back(Duration::Nanoseconds(change));
    }
    if (m_changes.size() > mostChanges)
    {
        m_period = m_period > Duration() ? m_changes[mostChanges] : m_period;
        m_changes.resize(mostChanges);
    }
    if (m_changes.size() == 1)
    {
        m_changes.clear();
    }
}

const std::vector<Duration>&
RatesOverTime::Changes() const
{
    return m_changes;
}

Duration
RatesOverTime::Period() const
{
    return m_period;
}

const WanTopology&
RatesOverTime::At(Duration time)
{
    for (std::size_t i = 0; i < m_now.links.size(); ++i)
    {
        const WanTopology::Link& link = m_topology.links[i];
        const auto rateOf = [&](bool forward)
        {
            return IsOut(link, time) ? BitRate()
                                     : link.RatesOf(forward).RateAt(time, link.RateOf(forward));
        };
        m_now.links[i].rate = rateOf(true);
        m_now.links[i].rateBack = rateOf(false);
    }
    return m_now;
}

} // namespace geotrain
