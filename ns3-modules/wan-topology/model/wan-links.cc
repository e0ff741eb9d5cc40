#include "wan-topology/model/wan-links.h"

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
    counters.queueingNs = counted.queueingNs;
    return counters;
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
        }
    }
    return totals;
}

} // namespace ns3
