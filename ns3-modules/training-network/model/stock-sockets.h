// SPDX-License-Identifier: GPL-2.0-only
// Makes ns-3's TCP sockets fit for a WAN: the one place where ns-3's defaults are overridden,
// socket by socket, unless a user has changed them. Segments fill the MTU behind IPv4 and TCP
// headers with timestamps; retransmission timeout, retries and delayed acknowledgement are Linux's.
// The window is the send buffer, as a small SO_SNDBUF would limit it, and the receiver's window is
// a little wider: ns-3 3.37 crashes under loss when what was sent fills the receiver's window to
// the byte (TcpTxBuffer::NextSeg then returns a segment of no bytes).
#pragma once

#include "bulk-tcp/model/bulk-tcp-options.h"
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
    /// TypeId; "geotrain::" or "ns3::" may be left out.
    std::string congestionControl = "geotrain::TcpCubic";
    geotrain::Bytes window =
        geotrain::Bytes::Of(1500000);                ///< most bytes in flight, one segment to 1 GB
    geotrain::Bytes mtu = geotrain::Bytes::Of(9000); ///< IP packet size, 576 to 65,535 bytes
    bool ecn = false; ///< connections ask for it; controls that need ECN do so themselves
    /// Those for which ns-3's sockets have an equal: the initial window, the least retransmission
    /// timeout, delayed acknowledgements and pacing.
    BulkTcpOverrides tcp;
};

/// StockSockets makes the sockets of the stock bearer.
class StockSockets : public StreamSockets
{
  public:
    /// The numbers of the controls' random streams derive from `name`. Throws geotrain::ConfigError
    /// for an unknown congestion control or a size out of its range.
    explicit StockSockets(const StockTransportOptions& options,
                          const std::string& name = "stock-transport");

    /// Lets all sockets of this process keep the default of an attribute, such as
    /// "ns3::TcpSocketBase::MinRto". A default that differs from ns-3's own is kept in any case.
    static void KeepDefault(const std::string& name);

    std::unique_ptr<StreamSocket> MakeSender(Ptr<Node> node,
                                             const std::string& name) const override;
    Ptr<Socket> MakeListener(Ptr<Node> node, Ipv4Address address) const override;

  private:
    Ptr<TcpSocketBase> MakeSocket(Ptr<Node> node) const;
    void SetTimers(TcpSocketBase& socket) const;
    Ptr<BoundedCongestionOps> MakeControl(std::int64_t stream) const;

    std::string m_name;
    TypeId m_controlType;
    std::uint32_t m_window;
    std::uint32_t m_segmentSize;
    bool m_ecn;
    BulkTcpOverrides m_tcp;
};

} // namespace ns3
