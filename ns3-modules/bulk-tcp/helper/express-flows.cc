// SPDX-License-Identifier: GPL-2.0-only
// Makes the two ends of a connection, and compares what they have counted.
#include "bulk-tcp/helper/express-flows.h"

#include "bulk-tcp/model/congestion-control-types.h"

#include <ns3/abort.h>

namespace ns3
{

ExpressFlows::ExpressFlows(std::size_t hosts)
    : m_hosts(hosts)
{
}

PacketElement&
ExpressFlows::Host(std::uint32_t number)
{
    return m_hosts.at(number);
}

std::vector<PacketElement*>
ExpressFlows::Hosts()
{
    std::vector<PacketElement*> hosts;
    for (ExpressHost& host : m_hosts)
    {
        hosts.push_back(&host);
    }
    return hosts;
}

void
ExpressFlows::Open(FlowNumber flow,
                   const FlowPath& path,
                   const BulkTcpOptions& options,
                   Ptr<TcpCongestionOps> control,
                   const FlowEvents& events)
{
    if (m_connections.size() <= flow)
    {
        m_connections.resize(flow + 1);
    }
    const std::uint32_t source = path.ends.source;
    const std::uint32_t destination = path.ends.destination;
    Connection& connection = m_connections[flow];
    BulkTcpOptions used = options;
    used.offloads = options.offloads && GoesWithOffloads(*control);
    connection.sender =
        std::make_unique<BulkSender>(FlowExit{flow, destination, path.fromSource, path.ends.dscp},
                                     used,
                                     control,
                                     events.ofSender);
    connection.receiver = std::make_unique<BulkReceiver>(
        FlowExit{flow, source, path.fromDestination, path.ends.dscp}, used, events.ofReceiver);
    m_hosts.at(source).Attach(flow, *connection.sender);
    m_hosts.at(destination).Attach(flow, *connection.receiver);
}

BulkSender&
ExpressFlows::Sender(FlowNumber flow)
{
    return *m_connections.at(flow).sender;
}

const BulkSender&
ExpressFlows::Sender(FlowNumber flow) const
{
    return *m_connections.at(flow).sender;
}

const BulkReceiver&
ExpressFlows::Receiver(FlowNumber flow) const
{
    return *m_connections.at(flow).receiver;
}

void
ExpressFlows::CheckConservation() const
{
    for (std::size_t i = 0; i < m_connections.size(); ++i)
    {
        const auto& [sender, receiver] = m_connections[i];
        if (!sender)
        {
            continue;
        }
        const std::uint64_t sent = sender->GetCounters().sentBytes;
        const std::uint64_t received = receiver->GetCounters().inOrderBytes;
        const bool isDone = !sender->Outstanding() && !sender->Failed();
        NS_ABORT_MSG_IF(received > sent || (isDone && received != sent),
                        "connection " << i << ": " << sent << " bytes were sent and " << received
                                      << " received");
    }
}

} // namespace ns3
