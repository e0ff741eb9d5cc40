// SPDX-License-Identifier: GPL-2.0-only
// One look-up per packet.
#include "bulk-tcp/model/bulk-tcp-protocol.h"

#include "bulk-tcp/model/log-line.h"

#include <ns3/ipv4-interface.h>
#include <ns3/ipv6-interface.h>
#include <ns3/object-vector.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(BulkTcpProtocol);

namespace
{

const LogComponent protocolLog("BulkTcpProtocol", __FILE__);

} // namespace

TypeId
BulkTcpProtocol::GetTypeId()
{
    static TypeId id =
        TypeId("geotrain::BulkTcpProtocol")
            .SetParent<IpL4Protocol>()
            .SetGroupName("BulkTcp")
            .AddConstructor<BulkTcpProtocol>()
            .AddAttribute(
                "SocketList",
                "The connections of the node, in the order in which they were made.",
                ObjectVectorValue(),
                MakeObjectVectorAccessor(&BulkTcpProtocol::SocketAt, &BulkTcpProtocol::SocketCount),
                MakeObjectVectorChecker<Socket>());
    return id;
}

Ptr<BulkTcpProtocol>
BulkTcpProtocol::Of(Ptr<Node> node)
{
    Ptr<BulkTcpProtocol> protocol = node->GetObject<BulkTcpProtocol>();
    if (!protocol)
    {
        protocol = CreateObject<BulkTcpProtocol>();
        protocol->m_stock = node->GetObject<TcpL4Protocol>();
        const Ptr<Ipv4> ipv4 = node->GetObject<Ipv4>();
        ipv4->Remove(protocol->m_stock);
        ipv4->Insert(protocol);
        node->AggregateObject(protocol);
    }
    return protocol;
}

std::string
BulkTcpProtocol::Connection::Name() const
{
    std::ostringstream name;
    name << address << ":" << port << ">" << peer << ":" << peerPort;
    return name.str();
}

BulkTcpProtocol::Key
BulkTcpProtocol::KeyOf(const Connection& connection)
{
    return {connection.peer.Get(), connection.peerPort, connection.address.Get(), connection.port};
}

void
BulkTcpProtocol::Add(const Connection& connection, Socket* socket, Receiver receive)
{
    LogLine(protocolLog,
            LOG_INFO,
            connection.address,
            ":",
            connection.port,
            " connects to ",
            connection.peer,
            ":",
            connection.peerPort);
    Remove(connection);
    m_entries[KeyOf(connection)] = {socket, std::move(receive)};
    m_list.push_back(socket);
}

void
BulkTcpProtocol::Remove(const Connection& connection)
{
    const auto found = m_entries.find(KeyOf(connection));
    if (found != m_entries.end())
    {
        m_list.erase(std::find(m_list.begin(), m_list.end(), found->second.socket));
        m_entries.erase(found);
    }
}

std::size_t
BulkTcpProtocol::SocketCount() const
{
    return m_list.size();
}

Ptr<Socket>
BulkTcpProtocol::SocketAt(std::size_t index) const
{
    return m_list[index];
}

int
BulkTcpProtocol::GetProtocolNumber() const
{
    return TcpL4Protocol::PROT_NUMBER;
}

IpL4Protocol::RxStatus
BulkTcpProtocol::Receive(Ptr<Packet> packet, const Ipv4Header& header, Ptr<Ipv4Interface> interface)
{
    std::array<std::uint8_t, 4> ports{};
    packet->CopyData(ports.data(), ports.size());
    const auto entry =
        m_entries.find(KeyOf({header.GetDestination(),
                              static_cast<std::uint16_t>(ports[2] << 8 | ports[3]),
                              header.GetSource(),
                              static_cast<std::uint16_t>(ports[0] << 8 | ports[1])}));
    if (entry == m_entries.end())
    {
        return m_stock->Receive(packet, header, interface);
    }
    const Receiver receive = entry->second.receive; // a copy, since the segment may end the entry
    return receive(packet, header) ? RX_OK : RX_CSUM_FAILED;
}

IpL4Protocol::RxStatus
BulkTcpProtocol::Receive(Ptr<Packet> packet, const Ipv6Header& header, Ptr<Ipv6Interface> interface)
{
    return m_stock->Receive(packet, header, interface);
}

void
BulkTcpProtocol::ReceiveIcmp(Ipv4Address icmpSource,
                             uint8_t icmpTtl,
                             uint8_t icmpType,
                             uint8_t icmpCode,
                             uint32_t icmpInfo,
                             Ipv4Address payloadSource,
                             Ipv4Address payloadDestination,
                             const uint8_t payload[8])
{
    m_stock->ReceiveIcmp(icmpSource,
                         icmpTtl,
                         icmpType,
                         icmpCode,
                         icmpInfo,
                         payloadSource,
                         payloadDestination,
                         payload);
}

void
BulkTcpProtocol::SetDownTarget(DownTargetCallback callback)
{
    m_stock->SetDownTarget(callback);
}

void
BulkTcpProtocol::SetDownTarget6(DownTargetCallback6 callback)
{
    m_stock->SetDownTarget6(callback);
}

IpL4Protocol::DownTargetCallback
BulkTcpProtocol::GetDownTarget() const
{
    return m_stock->GetDownTarget();
}

IpL4Protocol::DownTargetCallback6
BulkTcpProtocol::GetDownTarget6() const
{
    return m_stock->GetDownTarget6();
}

void
BulkTcpProtocol::DoDispose()
{
    m_entries.clear();
    m_list.clear();
    m_stock = nullptr;
    IpL4Protocol::DoDispose();
}

} // namespace ns3
