// SPDX-License-Identifier: GPL-2.0-only
// Decides which acknowledgements answer a train. Every second segment is acknowledged (RFC 5681,
// section 4.2), and more at the beginning and after a pause. It ignores loss, and acknowledgements
// that only announce a larger receive window.
#pragma once

#include "analytic/train.h"

#include <cstdint>

namespace geotrain
{

/// A Reception says how a receiver takes a train of its connection.
struct Reception
{
    AcknowledgedTrain train;     ///< the train without the times of its acknowledgements
    std::int64_t untilFirst = 0; ///< bytes of the train that the first acknowledgement waits for
    std::int64_t afterLast = 0;  ///< bytes at its end whose acknowledgement is held
};

/// A Receiver is the receiver of one connection. The last segment of an odd number waits for the
/// next train, for at most 40 ms, unless a message ends with it. The first segments, and those after
/// a pause, are acknowledged one by one: at most 16 and half of a window, as in Linux
/// (tcp_enter_quickack_mode).
class Receiver
{
  public:
    /// `window` is the receive window in bytes, and `roundTrip` the handshake's.
    Receiver(std::int64_t segment, std::int64_t window, Duration roundTrip);

    /// Receives the next `bytes` of the connection, at least one. `endsMessage` says that a message
    /// ends with them.
    Reception Receive(std::int64_t bytes, Instant firstSent, Instant lastSent, bool endsMessage);

    /// Notes that nothing has come for `pause`.
    void ResumeAfter(Duration pause);

    /// Returns the bytes that have come and aren't acknowledged.
    std::int64_t Held() const;

    /// Acknowledges what it has held for longer than it may. Returns the bytes of that.
    std::int64_t ReleaseHeld(Instant now);

    /// Returns the first instant at which ReleaseHeld() acknowledges what it holds; never if it
    /// holds nothing.
    Instant HoldsUntil() const;

    /// Returns how long it may keep an acknowledgement that it holds; 0 if it holds none.
    Duration LongestHold() const;

    /// Forgets what it holds.
    void Reset();

  private:
    std::int64_t m_segment; ///< bytes, positive
    std::int64_t m_window;
    Duration m_timeout;      ///< for retransmissions; a pause is longer
    std::int64_t m_oneByOne; ///< segments that are still acknowledged one by one
    bool m_isOdd = false;    ///< the next segment is acknowledged at once
    std::int64_t m_held = 0; ///< bytes of the segment that isn't acknowledged
    Instant m_heldSince;
};

} // namespace geotrain
