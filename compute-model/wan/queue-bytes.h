// SPDX-License-Identifier: GPL-2.0-only
// Says how many bytes a drop-tail queue holds, once its rate and round trip are known.
#pragma once

#include "units/bytes.h"
#include "units/duration.h"
#include "wan/wan-queue-size.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace geotrain
{

/// Returns what a queue of `size` holds behind the packet being sent; a number of packets counts as
/// that of `mtu`. It is never less than two packets where it isn't given in packets: a shorter queue
/// would drop one of every two packets that come together.
inline Bytes
QueueBytes(const WanQueueSize& size, BitRate rate, Duration roundTrip, Bytes mtu)
{
    if (size.unit == WanQueueSize::Unit::Packets)
    {
        return mtu * std::max<std::int64_t>(1, std::llround(size.value));
    }
    double bytes = size.value;
    if (size.unit == WanQueueSize::Unit::BandwidthDelayProducts)
    {
        bytes *= static_cast<double>(rate.In(roundTrip).Count());
    }
    return Bytes::Of(std::max<std::int64_t>(std::llround(bytes), 2 * mtu.Count()));
}

} // namespace geotrain
