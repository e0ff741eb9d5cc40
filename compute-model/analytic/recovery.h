// SPDX-License-Identifier: GPL-2.0-only
// Says how much a connection may have on the way while it repairs losses: proportional rate
// reduction (RFC 6937). A recovery begins with a loss, reduces the window once, and ends when all that was
// sent before it is acknowledged, as in bulk-tcp and RFC 6675, section 5. After a retransmission timeout the
// window of slow start decides instead (RFC 5681, section 3.1).
#pragma once

#include "analytic/holes.h"
#include "analytic/train.h"

#include <cstdint>

namespace geotrain
{

/// A Recovery belongs to one connection. Sizes are in bytes.
class Recovery
{
  public:
    /// `segment` is the payload of a packet, positive.
    explicit Recovery(std::int64_t segment);

    /// Returns whether a recovery is in progress, during which further losses reduce nothing.
    bool IsActive() const
    {
        return m_isActive;
    }

    /// Returns whether Window() limits what is on the way, and the congestion window does not grow.
    bool IsProportional() const
    {
        return m_isActive && !m_isTimedOut;
    }

    /// Returns what may be on the way, where that is proportional.
    std::int64_t Window() const
    {
        return m_window;
    }

    /// Begins a recovery of what was sent until now, `sent` bytes since the connection opened.
    /// `unacknowledged` bytes of these are not acknowledged, `pipe` are on the way, and the window
    /// will be `threshold`.
    void Begin(std::int64_t sent,
               std::int64_t unacknowledged,
               std::int64_t pipe,
               std::int64_t threshold);

    /// Notes that the retransmission timeout has passed.
    void TimeOut();

    /// Returns how many timeouts have passed since something was last acknowledged.
    int TimeoutsInARow() const
    {
        return m_timeouts;
    }

    /// Notes that bytes of a train have not come. They are not acknowledged until they were sent
    /// again.
    void Miss(const AcknowledgedTrain& train);

    /// Notes that a train is acknowledged, after which `pipe` bytes are on the way.
    void Acknowledge(const AcknowledgedTrain& train, std::int64_t pipe);

    /// Notes that bytes were sent.
    void NoteSent(std::int64_t bytes)
    {
        m_out += bytes;
    }

    /// Returns up to which byte all has come, as far as bytes are missing; otherwise the most that
    /// is possible.
    std::int64_t InOrderUntil() const
    {
        return m_missing.FirstByte();
    }

    /// Forgets what is missing.
    void Reset();

  private:
    void Deliver(std::int64_t bytes, std::int64_t extra, std::int64_t pipe);

    std::int64_t m_segment;
    bool m_isActive = false;
    bool m_isTimedOut = false;
    int m_timeouts = 0;
    std::int64_t m_until = 0;             ///< bytes sent when it began
    std::int64_t m_acknowledgedUntil = 0; ///< bytes sent with the last train that is acknowledged
    Holes m_missing;
    std::int64_t m_threshold = 0; ///< RFC 6937: ssthresh
    std::int64_t m_flight = 1;    ///< RFC 6937: RecoverFS
    std::int64_t m_delivered = 0; ///< RFC 6937: prr_delivered
    std::int64_t m_out = 0;       ///< RFC 6937: prr_out
    std::int64_t m_window = 0;
};

} // namespace geotrain
