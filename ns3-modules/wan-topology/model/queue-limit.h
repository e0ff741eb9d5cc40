// SPDX-License-Identifier: GPL-2.0-only
// Says how much a drop-tail queue holds, once its rate and round-trip time are known.
#pragma once

#include "wan/wan-topology.h"

#include <cstdint>
#include <limits>

namespace ns3
{

/// A QueueLimit is a limit in packets and one in bytes; both hold, for what waits behind the packet
/// being sent.
struct QueueLimit
{
    std::int64_t packets = std::numeric_limits<std::int64_t>::max();
    geotrain::Bytes bytes = geotrain::Bytes::Of(std::numeric_limits<std::int64_t>::max() / 2);

    static QueueLimit Packets(std::int64_t count);
    static QueueLimit OfBytes(geotrain::Bytes size);
};

/// Resolves `size` at `rate` and `roundTrip`. A limit in bytes is never less than two packets of
/// `mtu`: a shorter queue would drop one of every two packets that come together.
QueueLimit ResolveQueue(const geotrain::WanQueueSize& size,
                        geotrain::BitRate rate,
                        geotrain::Duration roundTrip,
                        geotrain::Bytes mtu);

} // namespace ns3
