// SPDX-License-Identifier: GPL-2.0-only
// Runs a bulk transfer without a scenario: messages from one site to another over a single link.
// The sites' NICs are ten times as fast as the link, so that the link is the bottleneck.
#pragma once

#include "loader/run-settings.h"
#include "runner/run-watch.h"
#include "units/bytes.h"
#include "units/duration.h"
#include "wan/wan-topology.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// TransferSettings describe the link, the connections and the messages.
struct TransferSettings : TransportSettings
{
    TransferSettings()
    {
        congestionControl = "TcpCubic";
        window = Bytes::Of(64000000);
        chunk = Bytes::Of(256000);
    }

    Bytes size;                         ///< size of a message, at least 1 byte
    BitRate rate;                       ///< rate of the link per direction
    Duration roundTrip;                 ///< propagation there and back, positive
    LinkImpairments impairments;        ///< impairments of the link per direction
    WanQueueSize queue;                 ///< queue of the link per direction
    Bytes mtu = Bytes::Of(1500);        ///< size of an IP packet
    std::uint32_t messages = 1;         ///< number of messages
    Duration gap;                       ///< time from a delivery to the start of the next message
    std::uint32_t seed = 1;
};

/// TransferResult is what the messages took.
struct TransferResult
{
    std::vector<double> completionSeconds; ///< per message; the first one opens the connections
    Bytes retransmitted;
    std::uint64_t packets = 0; ///< data packets and acknowledgements that were given to the link
    std::uint64_t drops = 0;   ///< packets dropped at queues or lost
    double simulatedSeconds = 0;
};

/// Runs the transfer. A process can run only one. `progress` is called with the share of the bytes
/// that the link has carried, when `early` reports what is done. Throws ConfigError for a setting
/// that is out of range, and UnfinishedRun where a connection gives up or `early` has come.
TransferResult
RunTransfer(const TransferSettings& settings, EarlyEnd& early, const ProgressCallback& progress);

} // namespace geotrain
