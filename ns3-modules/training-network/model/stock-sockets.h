// SPDX-License-Identifier: GPL-2.0-only
// Makes ns-3's TCP sockets fit for a WAN. This is the only place where ns-3's defaults are
// overridden, socket by socket. Segments fill the MTU behind IPv4 and TCP headers with timestamps.
// Retransmission timeout, retries and delayed acknowledgement are Linux's. The window is the send
// buffer, as a small SO_SNDBUF would limit it. The receiver's window is a little wider: ns-3 3.37
// crashes under loss when the bytes sent fill the receiver's window exactly (TcpTxBuffer::NextSeg
// then returns a segment of no bytes).
#pragma once

#include "training-network/model/bounded-congestion-ops.h"
#include "training-network/model/stream-sockets.h"
#include "units/bytes.h"

#include "ns3/tcp-socket-base.h"

#include <string>

namespace ns3
{

/// StockTransportOptions are the options of ns-3's own TCP.
struct StockTransportOptions
{
    std::string congestionControl = "ns3::TcpCubic"; ///< TypeId; "ns3::" may be left out
    geotrain::Bytes window =
        geotrain::Bytes::Of(1500000);                ///< most bytes in flight, one segment to 1 GB
    geotrain::Bytes mtu = geotrain::Bytes::Of(9000); ///< IP packet size, 576 to 65,535 bytes
};

/// StockSockets makes the sockets of the stock bearer.
class StockSockets : public StreamSockets
{
  public:
    /// Throws geotrain::ConfigError for an unknown congestion control or a size out of its range.
    explicit StockSockets(const StockTransportOptions& options);

    std::unique_ptr<StreamSocket> MakeSender(Ptr<Node> node,
                                             const std::string& name) const override;
    Ptr<Socket> MakeListener(Ptr<Node> node, Ipv4Address address) const override;

  private:
    Ptr<TcpSocketBase> MakeSocket(Ptr<Node> node) const;
    Ptr<BoundedCongestionOps> MakeControl(std::int64_t stream) const;

    TypeId m_controlType;
    std::uint32_t m_window;
    std::uint32_t m_segmentSize;
};

} // namespace ns3
