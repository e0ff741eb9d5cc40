// SPDX-License-Identifier: GPL-2.0-only
// Makes the two ends of a connection, and compares what they have counted.
#include "bulk-tcp/helper/express-flows.h"

#include "bulk-tcp/model/congestion-control-types.h"

#include <ns3/abort.h>

namespace ns3
{

namespace
{

[[noreturn]] void
AbortOnProtocol(int protocol)
{
    NS_ABORT_MSG("a packet of protocol " << protocol << " came to a host of TCP");
}

[[noreturn]] void
AbortOnConnection(FlowNumber flow)
{
    NS_ABORT_MSG("a packet of connection " << flow << " came to a host that is no end of it");
}

} // namespace

void
ExpressFlows::LocalHost::Receive(const PacketRecord& record)
{
    if (record.protocol != PacketRecord::s_tcp)
    {
        AbortOnProtocol(record.protocol);
    }
    if (record.flow >= m_connections.size())
    {
        AbortOnConnection(record.flow);
    }
    // The Ack that ends a handshake goes to the receiver too. It carries no news.
    const Connection& connection = m_connections[record.flow];
    if (connection.receiver && connection.destination == m_number)
    {
        connection.receiver->Receive(record);
    }
    else if (connection.sender && connection.source == m_number)
    {
        connection.sender->Receive(record);
    }
    else
    {
        AbortOnConnection(record.flow);
    }
}

ExpressFlows::ExpressFlows(std::size_t hosts)
{
    for (std::uint32_t number = 0; number < hosts; ++number)
    {
        m_hosts.emplace_back(number, m_connections);
    }
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
    for (LocalHost& host : m_hosts)
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
    used.sackCompression = options.sackCompression && !AsksForAccurateEcn(*control);
    connection.sender = std::make_unique<BulkSender>(
        FlowExit{flow, destination, path.fromSource, path.ends.dscp, path.takesBursts},
        used,
        control,
        events.ofSender);
    connection.receiver = std::make_unique<BulkReceiver>(
        FlowExit{flow, source, path.fromDestination, path.ends.dscp}, used, events.ofReceiver);
    connection.source = source;
    connection.destination = destination;
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
        const auto& sender = m_connections[i].sender;
        const auto& receiver = m_connections[i].receiver;
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
