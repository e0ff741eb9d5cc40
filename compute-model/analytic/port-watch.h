// SPDX-License-Identifier: GPL-2.0-only
// Watches what would wait at a node's port. Several nodes that send to one bring more than its NIC
// takes, and what the port's queue has no room for is lost. Over the WAN that leaves small windows for
// long. The analytic network shares the NIC fairly instead and loses nothing there, so it only watches.
//
// A sender's bytes come to the port at the sender's own rate, and leave it at the NIC's. Where the others
// fit in without some senders, what waits is at most the windows w of these and what the others send
// meanwhile: x = w + x others / NIC. Delays, and that a sender may be busy with other nodes, are left out.
//
// The class has no clock: time comes with each call.
#pragma once

#include "units/duration.h"

#include <cstddef>
#include <vector>

namespace geotrain
{

/// A PortWatch is the port of one node.
class PortWatch
{
  public:
    /// `rate` is the NIC's in payload bytes per nanosecond, `room` the payload that the port holds.
    PortWatch(double rate, double room);

    /// Adds a sender of this rate in bytes per nanosecond, positive, that has at most `window` bytes in
    /// flight. Returns its number.
    std::size_t AddSender(double rate, double window);

    /// Tells that a sender has sent `bytes` in all until `now`, which is not before the last call's.
    void Note(Instant now, std::size_t sender, double bytes);

    /// Returns the most bytes beyond the room that waited.
    double MostBeyond() const
    {
        return m_mostBeyond;
    }

  private:
    struct Sender
    {
        double rate = 0;
        double window = 0;
        double sent = 0;    ///< bytes in all
        double waiting = 0; ///< of these, not yet at the port
    };

    double MostOf(double comes) const;
    void Pass(double nanoseconds);

    double m_rate;
    double m_room;
    std::vector<Sender> m_senders;
    std::vector<std::size_t> m_byWindow; ///< numbers of the senders, the smallest window first
    Instant m_now;
    double m_waiting = 0; ///< bytes at the port
    double m_mostBeyond = 0;
};

} // namespace geotrain
