// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/light-share.h"

#include "wan-topology/model/reusable-event.h"

namespace ns3
{

LightShare::LightShare(const FlowTable& flows)
    : m_flows(flows)
{
}

void
LightShare::Add(PacketElement& next, double weight, const LinkSchedule& schedule)
{
    m_links.push_back({&next, weight, schedule});
}

const LightShare::Link*
LightShare::LinkOf(double draw, const geotrain::Instant* now) const
{
    const auto isOut = [now](const Link& link)
    { return now != nullptr && link.schedule.IsLost(*now, *now); };
    double left = 0;
    for (const Link& link : m_links)
    {
        left += isOut(link) ? 0 : draw * link.weight;
    }
    const Link* last = nullptr;
    for (const Link& link : m_links)
    {
        if (!isOut(link))
        {
            last = &link;
            left -= link.weight;
            if (left < 0)
            {
                break;
            }
        }
    }
    return last;
}

void
LightShare::Receive(const PacketRecord& record)
{
    const double draw = m_flows[record.flow].draw;
    const auto now = geotrain::Instant::FromNanoseconds(NowNs());
    const Link* link = LinkOf(draw, nullptr);
    if (link->schedule.IsLost(now, now))
    {
        const Link* other = LinkOf(draw, &now);
        link = other != nullptr ? other : link;
    }
    link->next->Receive(record);
}

} // namespace ns3
