// SPDX-License-Identifier: GPL-2.0-only
#include "training-network/model/stream-receiver.h"

#include "ns3/abort.h"

#include <algorithm>
#include <limits>

namespace ns3
{

StreamReceiver::StreamReceiver(Ptr<Socket> socket, TransportObserver& observer)
    : m_socket(socket),
      m_observer(observer)
{
    m_socket->SetRecvCallback(MakeCallback(&StreamReceiver::OnReadable, this));
}

StreamReceiver::~StreamReceiver()
{
    m_socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
}

ConnectionNumber
StreamReceiver::Connection() const
{
    return m_message.connection;
}

std::uint64_t
StreamReceiver::Stream() const
{
    return m_stream;
}

std::uint64_t
StreamReceiver::Payload() const
{
    return m_payload;
}

void
StreamReceiver::OnReadable(Ptr<Socket> socket)
{
    while (const auto packet = socket->Recv(std::numeric_limits<std::uint32_t>::max(), 0))
    {
        Take(*packet);
    }
}

void
StreamReceiver::Take(const Packet& packet)
{
    const std::uint32_t size = packet.GetSize();
    for (std::uint32_t start = 0; start < size;)
    {
        start += m_payloadLeft == 0 ? TakeHeader(packet, start) : TakePayload(size - start);
    }
}

std::uint32_t
StreamReceiver::TakeHeader(const Packet& packet, std::uint32_t start)
{
    const std::uint32_t taken =
        std::min(FrameHeader::SIZE - m_headerFill, packet.GetSize() - start);
    packet.CreateFragment(start, taken)->CopyData(&m_headerBytes[m_headerFill], taken);
    m_headerFill += taken;
    m_stream += taken;
    if (m_headerFill == FrameHeader::SIZE)
    {
        BeginMessage();
    }
    return taken;
}

void
StreamReceiver::BeginMessage()
{
    const FrameHeader header = FrameHeader::Parse(m_headerBytes);
    NS_ABORT_MSG_IF(m_begun && header.connection != m_message.connection,
                    "a message of connection " << header.connection << " came over connection "
                                               << m_message.connection);
    NS_ABORT_MSG_IF(header.offset + FrameHeader::SIZE != m_stream,
                    "connection " << header.connection << ": the header at byte " << header.offset
                                  << " came at byte " << m_stream - FrameHeader::SIZE);
    NS_ABORT_MSG_IF(header.length == 0, "message " << header.message << " is empty");
    m_message = header;
    m_begun = true;
    m_headerFill = 0;
    m_payloadLeft = header.length;
}

std::uint32_t
StreamReceiver::TakePayload(std::uint32_t available)
{
    const bool first = m_payloadLeft == m_message.length;
    const auto taken =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(m_payloadLeft, available));
    m_payloadLeft -= taken;
    m_payload += taken;
    m_stream += taken;
    if (first)
    {
        m_observer.OnFirstByte(m_message.message);
    }
    if (m_payloadLeft == 0)
    {
        m_observer.OnDelivered(m_message.message);
    }
    return taken;
}

} // namespace ns3
