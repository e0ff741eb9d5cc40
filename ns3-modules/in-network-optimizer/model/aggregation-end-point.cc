// SPDX-License-Identifier: GPL-2.0-only
#include "in-network-optimizer/model/aggregation-end-point.h"

#include <utility>

namespace ns3
{

using geotrain::Bytes;

AggregationEndPoint::AggregationEndPoint(const geotrain::AggregationSettings& settings,
                                         const StreamPort& port,
                                         std::uint32_t acknowledgers,
                                         const PayloadValues& values)
    : m_isResultAck(settings.acknowledgement ==
                    geotrain::AggregationSettings::Acknowledgement::Result),
      m_windowPackets(settings.WindowPackets()),
      m_acknowledged(acknowledgers),
      m_sender(settings, port, values),
      m_receiver(settings, port)
{
}

void
AggregationEndPoint::Push(Bytes length, std::function<void()> done)
{
    m_sender.Append(length, std::move(done));
    if (m_isResultAck) // the first window needs no result before it
    {
        m_sender.OnHeartbeat({m_sender.Acknowledged(), m_sender.Acknowledged() + m_windowPackets});
    }
}

void
AggregationEndPoint::Pull(Bytes length, std::function<void()> done)
{
    m_receiver.Expect(length, std::move(done));
}

void
AggregationEndPoint::Receive(const PacketRecord& record)
{
    if (record.kind == PacketRecord::Kind::Data)
    {
        m_receiver.OnData(record);
        if (m_isResultAck)
        {
            const std::int64_t next = m_receiver.Current().ack;
            m_sender.OnHeartbeat({next, next + m_windowPackets});
        }
        return;
    }
    ++m_heartbeatsReceived;
    m_acknowledged.Set(record.aggregation.child, HeartbeatOf(record));
    if (const auto least = m_acknowledged.Least())
    {
        m_sender.OnHeartbeat(*least);
    }
}

WindowSender&
AggregationEndPoint::Sender()
{
    return m_sender;
}

WindowReceiver&
AggregationEndPoint::Receiver()
{
    return m_receiver;
}

const WindowSender&
AggregationEndPoint::Sender() const
{
    return m_sender;
}

const WindowReceiver&
AggregationEndPoint::Receiver() const
{
    return m_receiver;
}

std::int64_t
AggregationEndPoint::HeartbeatsReceived() const
{
    return m_heartbeatsReceived;
}

} // namespace ns3
