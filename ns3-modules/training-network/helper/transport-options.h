// SPDX-License-Identifier: GPL-2.0-only
// Defines the options of a run's TCP connections, whichever TCP carries them.
#pragma once

#include "bulk-tcp/model/bulk-tcp-attributes.h"
#include "training-network/model/stock-sockets.h"

#include <string>

namespace ns3
{

/// TransportOptions are options of both TCPs. A comment says where only bulk-tcp has one.
struct TransportOptions
{
    /// TypeId; "geotrain::" or "ns3::" may be left out.
    std::string congestionControl = "geotrain::TcpCubic";
    geotrain::Bytes window = geotrain::Bytes::Of(1500000); ///< most bytes in flight per connection
    bool slowStartAfterIdle = true;                        ///< bulk-tcp (RFC 2861)
    bool ecn = false;                                      ///< RFC 3168
    /// Options that are not set are left to the attributes of geotrain::BulkTcp or of ns-3's
    /// sockets.
    BulkTcpOverrides tcp;
    geotrain::Duration
        extraRoundTrip; ///< of each connection, beyond the path's; BearerFeature::OwnPaths

    /// Names the random streams of controls, for several transports that share a WAN; empty: the
    /// bearer's own name.
    std::string streamName;

    BulkTcpOptions ForBulkTcp(geotrain::Bytes mtu) const
    {
        BulkTcpOptions options = BulkTcp::DefaultOptions(tcp.preset);
        tcp.ApplyTo(options);
        options.congestionControl = congestionControl;
        options.window = window;
        options.slowStartAfterIdle = slowStartAfterIdle;
        options.ecn = ecn;
        options.mtu = mtu;
        return options;
    }

    StockTransportOptions ForStock(geotrain::Bytes mtu) const
    {
        return {congestionControl, window, mtu, ecn, tcp};
    }
};

} // namespace ns3
