// SPDX-License-Identifier: GPL-2.0-only
#include "bulk-tcp/model/express-host.h"

#include <ns3/abort.h>

namespace ns3
{

namespace
{

template <typename End>
void
Put(std::vector<End*>& ends, FlowNumber flow, End& end)
{
    if (ends.size() <= flow)
    {
        ends.resize(flow + 1, nullptr);
    }
    ends[flow] = &end;
}

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

template <typename End>
void
Give(const std::vector<End*>& ends, const PacketRecord& record)
{
    if (record.flow >= ends.size() || !ends[record.flow])
    {
        AbortOnConnection(record.flow);
    }
    ends[record.flow]->Receive(record);
}

} // namespace

void
ExpressHost::Attach(FlowNumber flow, BulkSender& sender)
{
    Put(m_senders, flow, sender);
}

void
ExpressHost::Attach(FlowNumber flow, BulkReceiver& receiver)
{
    Put(m_receivers, flow, receiver);
}

void
ExpressHost::Receive(const PacketRecord& record)
{
    if (record.protocol != PacketRecord::s_tcp)
    {
        AbortOnProtocol(record.protocol);
    }
    // The Ack that ends a handshake goes from sender to receiver and carries no news. It arrives at
    // a host that doesn't have the sender.
    if (record.kind == PacketRecord::Kind::Data)
    {
        Give(m_receivers, record);
        return;
    }
    const bool toSender = record.kind == PacketRecord::Kind::SynAck ||
                          (record.kind == PacketRecord::Kind::Ack &&
                           record.flow < m_senders.size() && m_senders[record.flow]);
    if (toSender)
    {
        Give(m_senders, record);
    }
    else
    {
        Give(m_receivers, record);
    }
}

} // namespace ns3
