// SPDX-License-Identifier: GPL-2.0-only
#include "bulk-tcp/helper/bulk-tcp-helper.h"

#include "bulk-tcp/model/bulk-tcp-socket-factory.h"

#include <ns3/abort.h>
#include <ns3/ipv4.h>

namespace ns3
{

BulkTcpHelper::BulkTcpHelper(const BulkTcpOptions& options)
    : m_options(options)
{
    options.Validate();
}

void
BulkTcpHelper::Install(const NodeContainer& nodes) const
{
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        NS_ABORT_MSG_IF(!(*node)->GetObject<Ipv4>(),
                        "bulk-tcp needs an IPv4 stack on node "
                            << (*node)->GetId() << ": InternetStackHelper installs one");
        NS_ABORT_MSG_IF((*node)->GetObject<BulkTcpSocketFactory>(),
                        "node " << (*node)->GetId() << " has bulk-tcp already");
        const Ptr<BulkTcpSocketFactory> factory = CreateObject<BulkTcpSocketFactory>();
        factory->Setup(*node, m_options);
        (*node)->AggregateObject(factory);
    }
}

Ptr<BulkTcpSocket>
BulkTcpHelper::CreateSocket(Ptr<Node> node) const
{
    const Ptr<BulkTcpSocket> socket = CreateObject<BulkTcpSocket>();
    socket->Setup(node, m_options);
    return socket;
}

std::string
BulkTcpHelper::SocketFactory()
{
    return BulkTcpSocketFactory::GetTypeId().GetName();
}

} // namespace ns3
