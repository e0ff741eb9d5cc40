// SPDX-License-Identifier: GPL-2.0-only
// Models one end of an in-network optimizer's streams: the full-duplex push and pull engines of a
// worker's smart NIC towards one server, or those of a server. Push and pull are two FIFO streams
// that do not wait for each other.
#pragma once

#include "in-network-optimizer/model/window-receiver.h"
#include "in-network-optimizer/model/window-sender.h"
#include "in-network/stream-end.h"

namespace ns3
{

/// AggregationEndPoint sends what is pushed and receives what is pulled.
class AggregationEndPoint : public PacketElement, public geotrain::StreamEnd
{
  public:
    /// `acknowledgers` says how many children acknowledge to it: 1 where the switch does it for all.
    /// What the port refers to and `values` outlive the end point.
    AggregationEndPoint(const geotrain::AggregationSettings& settings,
                        const StreamPort& port,
                        std::uint32_t acknowledgers,
                        const PayloadValues& values);

    void Push(geotrain::Bytes length, std::function<void()> done) override;
    void Pull(geotrain::Bytes length, std::function<void()> done) override;
    void Receive(const PacketRecord& record) override;

    WindowSender& Sender();
    WindowReceiver& Receiver();
    const WindowSender& Sender() const;
    const WindowReceiver& Receiver() const;
    std::int64_t HeartbeatsReceived() const;

  private:
    const bool m_isResultAck; ///< whether results acknowledge themselves
    const std::int64_t m_windowPackets;
    geotrain::LeastHeartbeat m_acknowledged;
    WindowSender m_sender;
    WindowReceiver m_receiver;
    std::int64_t m_heartbeatsReceived = 0;
};

} // namespace ns3
