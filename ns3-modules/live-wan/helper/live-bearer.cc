// SPDX-License-Identifier: GPL-2.0-only
#include "live-wan/helper/live-bearer.h"

#include "live-wan/model/wall-clock-simulator-impl.h"

#include <unistd.h>

namespace ns3
{

LiveBearer::LiveBearer(WanProcess& wan, const NodeNamespaces& nodes)
    : m_wan(wan),
      m_agents(nodes, wan.Topology().NodeCount()),
      m_wanEnd(wan.OpenEnd())
{
    WallClockSimulatorImpl::InUse().SetExpectsMore(
        [this] { return m_agents.HasOutstanding() && !m_wan.HasEnded(); });
    if (m_wanEnd >= 0)
    {
        WallClockSimulatorImpl::InUse().WatchDescriptor(m_wanEnd, [this] { OnWanEnd(); });
    }
}

LiveBearer::~LiveBearer()
{
    WallClockSimulatorImpl::InUse().SetExpectsMore({});
    ForgetWan();
}

void
LiveBearer::OnWanEnd()
{
    ForgetWan();
    m_agents.FailAll("the process of the WAN has ended");
}

void
LiveBearer::ForgetWan()
{
    if (m_wanEnd >= 0)
    {
        WallClockSimulatorImpl::InUse().ForgetDescriptor(m_wanEnd);
        close(m_wanEnd);
        m_wanEnd = -1;
    }
}

WanLinks&
LiveBearer::Links()
{
    return m_wan;
}

void
LiveBearer::SendFile(const SiteFile& file)
{
    m_wan.SendFile(file);
}

Lateness
LiveBearer::AgentLateness() const
{
    return m_agents.MessageLateness();
}

std::unique_ptr<MessageTransport>
LiveBearer::MakeTransport(const TransportOptions& options)
{
    return std::make_unique<LiveTransport>(m_agents, m_wan.Topology(), options);
}

} // namespace ns3
