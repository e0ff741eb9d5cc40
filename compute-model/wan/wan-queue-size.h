// SPDX-License-Identifier: GPL-2.0-only
// The size of a queue, or of a threshold in it, as a scenario gives it.
#pragma once

#include "units/bytes.h"

namespace geotrain
{

/// WanQueueSize says how much a queue holds. The builder resolves a fraction of the bandwidth-delay
/// product with the rate of the queue's own link or cap and the round-trip time of the path that it
/// serves.
struct WanQueueSize
{
    enum class Unit
    {
        Packets,
        Bytes,
        BandwidthDelayProducts
    };

    Unit unit = Unit::BandwidthDelayProducts;
    double value = 1; ///< positive

    static WanQueueSize OfBytes(geotrain::Bytes size)
    {
        return {Unit::Bytes, static_cast<double>(size.Count())};
    }
};

} // namespace geotrain
