// SPDX-License-Identifier: GPL-2.0-only
// A packet train: what a connection sends at once, and the acknowledgements that answer it. The
// analytic network handles bytes in trains and not in packets.
#pragma once

#include "units/duration.h"

#include <cstdint>

namespace geotrain
{

inline double
Nanoseconds(Duration span)
{
    return static_cast<double>(span.ToNanoseconds());
}

/// Bytes of a connection that left one after another, and their acknowledgements: one for two
/// segments, the last of an odd number waits for the next train.
struct AcknowledgedTrain
{
    std::int64_t bytes = 0;
    Instant firstSent; ///< given to the network
    Instant lastSent;
    Instant firstAcknowledged;
    Instant lastAcknowledged;
    Duration pause; ///< between two of the acknowledgements, which else come evenly
    Duration held;  ///< for which the receiver held the first one's segment from before firstSent

    /// None: of one segment that was held for longest, which measures nothing.
    std::int64_t acknowledgements = 0;
};

/// A train in the queue of its pair.
struct Train
{
    std::uint32_t group = 0; ///< of connections, that sent it
    std::uint32_t message = 0;
    bool isFirst = false; ///< of its message
    bool isLast = false;
    std::int64_t bytes = 0;      ///< of all members of the group
    std::int64_t untilFirst = 0; ///< bytes of these until one is acknowledged
    std::int64_t untilLast = 0;
    AcknowledgedTrain times; ///< of a member; acknowledgements: when they leave the receiver
    Instant queued;
    double end = 0; ///< bytes queued since the start, it included
};

} // namespace geotrain
