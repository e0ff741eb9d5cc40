// SPDX-License-Identifier: GPL-2.0-only
// Adds up what all links of a WAN have done, and begins their schedules.
#include "wan-topology/model/wan-links.h"

#include <ns3/abort.h>
#include <ns3/simulator.h>

namespace ns3
{

WanLinkCounters
CountersOf(const LinkModel& link, geotrain::Instant now)
{
    const LinkModel::Counters& counted = link.GetCounters();
    WanLinkCounters counters;
    counters.packets = counted.acceptedPackets;
    counters.sentBytes = link.SentBytes(now).Count();
    counters.queuedBytes = link.Backlog(now).Count();
    counters.drops = counted.queueDrops + counted.lostPackets;
    counters.lost = counted.lostPackets;
    counters.queueingNs = counted.queueingNs;
    return counters;
}

void
WanLinks::ObservePackets(std::size_t number, const PacketObserver& /*observer*/)
{
    NS_ABORT_MSG("packets of " << LinkAt(number).name << " can be observed on light links only");
}

LinkModel*
WanLinks::NicQueue(std::uint32_t /*node*/, bool /*sends*/)
{
    return nullptr;
}

WanLinks::Totals
WanLinks::TotalsOf(WanLinkClass linkClass) const
{
    Totals totals;
    for (std::size_t i = 0; i < LinkCount(); ++i)
    {
        if (LinkAt(i).linkClass == linkClass)
        {
            const WanLinkCounters counters = CountersAt(i);
            totals.packets += counters.packets;
            totals.bytes += counters.sentBytes;
            totals.localBytes += counters.localBytes;
            totals.drops += counters.drops;
            totals.lost += counters.lost;
        }
    }
    return totals;
}

void
WanLinks::BeginSchedules()
{
    NS_ABORT_MSG_IF(*m_scheduleBegin != geotrain::Instant::Never(),
                    "the schedules of a WAN's links begin once");
    *m_scheduleBegin = geotrain::Instant::FromNanoseconds(Simulator::Now().GetNanoSeconds());
}

std::shared_ptr<const geotrain::Instant>
WanLinks::ScheduleBegin() const
{
    return m_scheduleBegin;
}

} // namespace ns3
