// SPDX-License-Identifier: GPL-2.0-only
#include "training-network/model/bulk-transport.h"

#include "bulk-tcp/model/congestion-control-types.h"
#include "training-network/model/bulk-flow-state.h"
#include "units/random-stream.h"

#include "ns3/abort.h"

namespace ns3
{

BulkTransport::BulkTransport(ExpressWan& wan,
                             const BulkTcpOptions& options,
                             const std::string& name,
                             geotrain::Duration extraRoundTrip)
    : m_wan(wan),
      m_options(options),
      m_name(name),
      m_extraRoundTrip(extraRoundTrip),
      m_control(FindCongestionControl(options.congestionControl))
{
    m_options.mtu = wan.Links().Topology().mtu;
    m_options.Validate();
}

void
BulkTransport::SetObserver(TransportObserver& observer)
{
    m_observer = &observer;
}

ConnectionNumber
BulkTransport::Open(geotrain::NodeIndex source,
                    geotrain::NodeIndex destination,
                    std::uint32_t trafficClass)
{
    NS_ABORT_MSG_IF(!m_observer, "a transport needs an observer before its first connection");
    const std::uint32_t ofPair = m_opened[{source, destination}]++;
    const std::string name =
        std::to_string(source) + "-" + std::to_string(destination) + "/" + std::to_string(ofPair);
    const auto stream = geotrain::StreamNumber(m_name, name);
    BulkTcpOptions options = m_options;
    options.synSpread = BulkTcpOptions::SynSpreadOf(name);
    const geotrain::WanTopology& topology = m_wan.Links().Topology();
    if (topology.SiteOf(source) == topology.SiteOf(destination))
    {
        options.mostPacingRate.reset(); // it is of connections over the WAN
    }
    FlowEnds ends{source, destination, trafficClass};
    ends.extraRoundTrip = m_extraRoundTrip;
    const FlowNumber flow =
        m_wan.Open(ends, options, MakeCongestionControl(m_control, stream), {*this, *this});
    const auto connection = static_cast<ConnectionNumber>(m_flows.size());
    m_flows.push_back(flow);
    m_connections[flow] = connection;
    return connection;
}

void
BulkTransport::Send(ConnectionNumber connection, MessageNumber message, geotrain::Bytes size)
{
    NS_ABORT_MSG_IF(size.Count() < 1, "message " << message << " is empty");
    m_wan.Send(m_flows.at(connection), message, static_cast<std::uint64_t>(size.Count()));
}

FlowState
BulkTransport::State(ConnectionNumber connection) const
{
    const BulkSender& sender = std::as_const(m_wan).Flows().Sender(m_flows.at(connection));
    FlowState flow = FlowStateOf(sender);
    flow.outstanding = sender.Outstanding();
    flow.failed = sender.Failed();
    return flow;
}

void
BulkTransport::CheckConservation() const
{
    m_wan.Flows().CheckConservation();
}

void
BulkTransport::OnSent(std::uint64_t message)
{
    m_observer->OnSent(message);
}

void
BulkTransport::OnDrained(FlowNumber flow)
{
    m_observer->OnDrained(m_connections.at(flow));
}

void
BulkTransport::OnFailed(FlowNumber flow, std::uint64_t message)
{
    m_observer->OnFailed(m_connections.at(flow), message, "the other end does not answer");
}

void
BulkTransport::OnFirstByte(std::uint64_t message)
{
    m_observer->OnFirstByte(message);
}

void
BulkTransport::OnDelivered(std::uint64_t message)
{
    m_observer->OnDelivered(message);
}

} // namespace ns3
