// SPDX-License-Identifier: GPL-2.0-only
// What a full queue drops. Packets of trains that come at once drop alike, since they mix: each train loses the same
// share, which grows from none to all over the last packets of the queue. Whole packets are dropped.
#pragma once

#include <cstdint>

namespace geotrain
{

/// A TailDrop belongs to one queue.
class TailDrop
{
  public:
    /// A Drop is what a train loses.
    struct Drop
    {
        std::int64_t bytes = 0;
        bool isEnd = false; ///< its last byte is among these
    };

    /// `limit` is in bytes, positive; `segment` is the payload of a packet, positive. The first drop
    /// comes `phase` of a packet early.
    TailDrop(double limit, std::int64_t segment, double phase = 0.5);

    /// Returns what is dropped of a train of `bytes`, for whose last byte `over` bytes too few have
    /// room.
    Drop Of(double over, std::int64_t bytes);

  private:
    double m_ramp;
    std::int64_t m_segment;
    double m_carried; ///< bytes of a packet that are still to be dropped
};

} // namespace geotrain
