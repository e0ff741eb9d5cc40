// SPDX-License-Identifier: GPL-2.0-only
#include "training-network/model/link-monitor.h"

#include <algorithm>

namespace ns3
{

LinkMonitor::LinkMonitor(const WanLinks& wan)
    : m_wan(wan)
{
    std::size_t direction = 0;
    for (const geotrain::WanTopology::Link& link : wan.Topology().links)
    {
        for (const bool forward : {true, false})
        {
            const geotrain::RateSchedule& rates = link.RatesOf(forward);
            if (!rates.steps.empty() || !link.outages.empty())
            {
                m_schedules.emplace(
                    direction,
                    LinkSchedule(link.RateOf(forward), rates, link.outages, wan.ScheduleBegin()));
            }
            ++direction;
        }
    }
}

/// Returns what a link can carry in the interval.
double
LinkMonitor::BitsOf(std::size_t link, geotrain::Instant until) const
{
    const auto found = m_schedules.find(link);
    return found == m_schedules.end()
               ? static_cast<double>(m_wan.LinkAt(link).rate.ToBitsPerSecond()) *
                     (until - m_begin).ToSeconds()
               : found->second.BitsIn(m_begin, until);
}

void
LinkMonitor::Begin(geotrain::Instant now)
{
    m_begin = now;
    m_atBegin.clear();
    for (std::size_t i = 0; i < m_wan.LinkCount(); ++i)
    {
        m_atBegin.push_back(m_wan.CountersAt(i));
    }
}

std::vector<LinkSample>
LinkMonitor::End(geotrain::Instant now)
{
    const std::vector<WanLinkCounters> before = std::move(m_atBegin);
    const geotrain::Duration interval = now - m_begin;
    std::vector<double> bits;
    for (std::size_t i = 0; i < before.size(); ++i)
    {
        bits.push_back(BitsOf(i, now));
    }
    Begin(now);
    std::vector<LinkSample> samples;
    samples.reserve(before.size());
    for (std::size_t i = 0; i < before.size(); ++i)
    {
        LinkSample sample;
        sample.at = now;
        sample.interval = interval;
        sample.link = &m_wan.LinkAt(i);
        // A packet that an outage loses counts as sent until its end is.
        sample.sentBytes = std::max<std::int64_t>(0, m_atBegin[i].sentBytes - before[i].sentBytes);
        sample.utilization = bits[i] > 0 ? static_cast<double>(sample.sentBytes) * 8 / bits[i] : 0;
        sample.queued = geotrain::Bytes::Of(m_atBegin[i].queuedBytes);
        const auto packets =
            static_cast<std::int64_t>(m_atBegin[i].packets - before[i].packets);
        if (packets > 0)
        {
            sample.meanQueueing = geotrain::Duration::Nanoseconds(
                (m_atBegin[i].queueingNs - before[i].queueingNs) / packets);
        }
        sample.drops = m_atBegin[i].drops - before[i].drops;
        samples.push_back(sample);
    }
    return samples;
}

} // namespace ns3
