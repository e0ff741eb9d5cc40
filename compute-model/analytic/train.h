// SPDX-License-Identifier: GPL-2.0-only
// A packet train is what a connection sends at once, with the acknowledgements that answer it. The
// analytic network handles bytes in trains instead of packets.
#pragma once

#include "units/duration.h"

#include <algorithm>
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
    Instant firstSent; ///< when the first byte was given to the network
    Instant lastSent;  ///< when the last byte was given to the network
    Instant firstAcknowledged;
    Instant lastAcknowledged;
    /// Time before firstSent for which the receiver held a segment that the first acknowledgement
    /// also answers.
    Duration held;

    /// Number of acknowledgements. 0: the train is one segment whose acknowledgement was held for
    /// the longest time, and measures nothing.
    std::int64_t acknowledgements = 0;
    std::int64_t lost = 0;      ///< bytes that were lost; not in `bytes`
    std::int64_t sentUntil = 0; ///< bytes that the connection had sent with it, at first
    std::int64_t order = 0;     ///< bytes that it had sent with it, those sent again included
    bool isRepair = false;      ///< it was sent again, since it was lost
};

/// A Train is a train in the queue of its pair.
struct Train
{
    std::uint32_t group = 0; ///< connection group that sent it
    std::uint32_t message = 0;
    bool isFirst = false;        ///< it is the first train of its message
    bool isLast = false;         ///< it is the last train of its message
    std::int64_t bytes = 0;      ///< bytes of all members of the group
    std::int64_t untilFirst = 0; ///< bytes of these up to the first acknowledgement
    std::int64_t untilLast = 0;  ///< bytes of these up to the last acknowledgement
    std::int64_t lost = 0;       ///< bytes of all members that were lost; not in `bytes`
    bool endsLost = false;       ///< its last byte is among these
    std::uint32_t members = 1;   ///< members of the group that send it
    AcknowledgedTrain times; ///< times of a member; its acknowledgements leave the receiver then
    Instant queued;
    double end = 0; ///< bytes queued since the start, including this train

    /// Takes bytes out that were lost, at its end or anywhere.
    void Lose(std::int64_t count, bool atEnd)
    {
        bytes -= count;
        lost += count;
        endsLost = endsLost || (atEnd && count > 0) || bytes == 0;
    }

    /// Returns a member's bytes and times, of which its share of the losses was taken out.
    AcknowledgedTrain TimesOfMember() const
    {
        AcknowledgedTrain ofMember = times;
        ofMember.lost = std::min(times.bytes, (lost + members - 1) / members);
        ofMember.bytes -= ofMember.lost;
        return ofMember;
    }
};

} // namespace geotrain
