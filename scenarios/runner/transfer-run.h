// SPDX-License-Identifier: GPL-2.0-only
// A bulk transfer without a scenario: two sites, a link between them, and messages from one to the
// other. The sites' NICs are ten times as fast as the link, so that it is the bottleneck.
#pragma once

#include "bulk-tcp/model/bulk-tcp-options.h"
#include "units/bytes.h"
#include "units/duration.h"
#include "wan/wan-topology.h"

#include <cstdint>
#include <string>
#include <vector>

namespace geotrain
{

struct TransferSettings
{
    Bytes size;                  ///< of a message, at least 1 byte
    BitRate rate;                ///< of the link
    Duration roundTrip;          ///< propagation there and back, positive
    LinkImpairments impairments; ///< of the link, both ways
    WanQueueSize queue;          ///< of the link, both ways
    Bytes mtu = Bytes::Of(1500);
    Bytes window = Bytes::Of(64000000); ///< of a connection
    Bytes chunk = Bytes::Of(
        256000); ///< what a connection takes of a message at a time, where there are several
    std::string congestionControl = "TcpCubic";
    std::uint32_t connections = 1;
    std::uint32_t messages = 1;
    Duration gap;                   ///< from the delivery of a message to the beginning of the next
    std::string bearer = "express"; ///< of ns3::BearerKinds()
    bool slowStartAfterIdle = true;
    ns3::BulkTcpOverrides tcp; ///< of bulk-tcp
    std::uint32_t seed = 1;
};

struct TransferResult
{
    std::vector<double> completionSeconds; ///< of each message; the first one opens the connections
    Bytes retransmitted;
    std::uint64_t packets = 0; ///< data and acknowledgements, given to the link
    std::uint64_t drops = 0;   ///< at queues and by loss
    double simulatedSeconds = 0;
};

/// One a process. Throws ConfigError for what is out of its range, and UnfinishedRun if a
/// connection is given up.
TransferResult RunTransfer(const TransferSettings& settings);

} // namespace geotrain
