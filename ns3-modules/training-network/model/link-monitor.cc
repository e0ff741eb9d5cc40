// SPDX-License-Identifier: GPL-2.0-only
#include "training-network/model/link-monitor.h"

namespace ns3
{

LinkMonitor::LinkMonitor(const WanLinks& wan)
    : m_wan(wan)
{
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
    Begin(now);
    std::vector<LinkSample> samples;
    samples.reserve(before.size());
    for (std::size_t i = 0; i < before.size(); ++i)
    {
        LinkSample sample;
        sample.at = now;
        sample.interval = interval;
        sample.link = &m_wan.LinkAt(i);
        sample.sentBytes = m_atBegin[i].sentBytes - before[i].sentBytes;
        sample.utilization =
            static_cast<double>(sample.sentBytes) * 8 /
            (static_cast<double>(sample.link->rate.ToBitsPerSecond()) * interval.ToSeconds());
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
