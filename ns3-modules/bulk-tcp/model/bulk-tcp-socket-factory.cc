// SPDX-License-Identifier: GPL-2.0-only
#include "bulk-tcp/model/bulk-tcp-socket-factory.h"

#include "bulk-tcp/model/bulk-tcp-socket.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(BulkTcpSocketFactory);

TypeId
BulkTcpSocketFactory::GetTypeId()
{
    static TypeId id = TypeId("geotrain::BulkTcpSocketFactory")
                           .SetParent<SocketFactory>()
                           .SetGroupName("BulkTcp")
                           .AddConstructor<BulkTcpSocketFactory>();
    return id;
}

void
BulkTcpSocketFactory::Setup(Ptr<Node> node, const BulkTcpOptions& options)
{
    m_node = node;
    m_options = options;
}

Ptr<Socket>
BulkTcpSocketFactory::CreateSocket()
{
    const Ptr<BulkTcpSocket> socket = CreateObject<BulkTcpSocket>();
    socket->Setup(m_node, m_options);
    return socket;
}

void
BulkTcpSocketFactory::DoDispose()
{
    m_node = nullptr;
    SocketFactory::DoDispose();
}

} // namespace ns3
