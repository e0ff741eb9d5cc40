// SPDX-License-Identifier: GPL-2.0-only
#include "live-wan/helper/live-bearer.h"

#include "live-wan/model/wall-clock-simulator-impl.h"

namespace ns3
{

LiveBearer::LiveBearer(WanProcess& wan, const NodeNamespaces& nodes)
    : m_wan(wan),
      m_agents(nodes, wan.Topology().NodeCount())
{
    WallClockSimulatorImpl::InUse().SetExpectsMore(
        [this] { return m_agents.HasOutstanding() && !m_wan.HasEnded(); });
}

LiveBearer::~LiveBearer()
{
    WallClockSimulatorImpl::InUse().SetExpectsMore({});
}

WanLinks&
LiveBearer::Links()
{
    return m_wan;
}

std::unique_ptr<MessageTransport>
LiveBearer::MakeTransport(const TransportOptions& options)
{
    return std::make_unique<LiveTransport>(m_agents, options);
}

} // namespace ns3
