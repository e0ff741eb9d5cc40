// SPDX-License-Identifier: GPL-2.0-only
// Parses the size of a queue as people write it: "1bdp", "0.5bdp", "500packets", "4MB".
#pragma once

#include <string>

namespace geotrain
{

/// A QueueSize is a positive number of a unit.
struct QueueSize
{
    /// Unit says what the number counts.
    enum class Unit
    {
        BandwidthDelayProducts,
        Packets,
        Bytes
    };

    Unit unit = Unit::BandwidthDelayProducts;
    double value = 1; ///< number of units, positive
};

/// Parses `text`. Throws std::invalid_argument whose text is the rule that was broken.
QueueSize ParseQueueSize(const std::string& text);

} // namespace geotrain
