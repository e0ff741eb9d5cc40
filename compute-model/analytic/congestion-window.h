// SPDX-License-Identifier: GPL-2.0-only
// Says how much a connection may have in flight. The window opens as ns-3's
// own sockets open it (stock-window.h) or as bulk-tcp does (bulk-window.h). It is a function of
// what was sent and acknowledged.
#pragma once

#include "analytic/train.h"

#include <cstdint>
#include <optional>

namespace geotrain
{

constexpr double roundTripGain = 0.125; ///< of the smoothed round trip (RFC 6298, alpha)

/// How a window that is paced goes on.
struct Pacing
{
    double window = 0;      ///< bytes of the window, even beyond what may be in flight
    double rate = 0;        ///< bytes per nanosecond; 0: no acknowledgement has come
    double roundTrip = 0;   ///< smoothed round trip in ns
    double leftOfBurst = 0; ///< bytes left of the burst in progress
    bool hasSent = false;
};

/// A CongestionWindow is the window of one connection.
class CongestionWindow
{
  public:
    /// Settings are the limits of a window.
    struct Settings
    {
        std::int64_t initial = 0;     ///< initial bytes; 0 or above the limit: the limit
        std::int64_t limit = 0;       ///< most bytes in flight
        std::int64_t firstFlight = 0; ///< most bytes before the first acknowledgement; 0: no limit

        /// Payload per packet. 0: windows count to the byte, and slow start ends only at the limit.
        std::int64_t segment = 0;
    };

    virtual ~CongestionWindow() = default;

    /// Returns the bytes that may be in flight.
    virtual std::int64_t Size() const = 0;

    /// Notes that a train is acknowledged, the oldest that was not. `sent` bytes were given to the
    /// network since the connection opened. `inFlight` of them are not acknowledged, without this
    /// train. `grows` is false where the window is being reduced.
    virtual void Acknowledge(const AcknowledgedTrain& train,
                             std::int64_t sent,
                             std::int64_t inFlight,
                             bool grows) = 0;

    /// Notes that the connection has something to send for the first time.
    virtual void Open(Instant /*now*/)
    {
    }

    /// Notes that everything is acknowledged and nothing was sent for `idle`. `sent` is as above.
    virtual void RestartAfter(Duration /*idle*/, std::int64_t /*sent*/)
    {
    }

    /// Notes that the last `bytes` of `sent` went to the network at `now`; `inFlight` includes
    /// them.
    virtual void NoteSent(Instant /*now*/,
                          std::int64_t /*bytes*/,
                          std::int64_t /*sent*/,
                          std::int64_t /*inFlight*/)
    {
    }

    /// Reduces the window after a loss, for a `share` of the connections for which it stands.
    /// `inFlight` bytes are not acknowledged.
    virtual void Reduce(double share, std::int64_t inFlight) = 0;

    /// Reduces the window to a segment after a retransmission timeout, and what slow start grows it
    /// to remains.
    virtual void Collapse() = 0;

    /// Returns how long a connection waits for an acknowledgement before it sends everything again.
    virtual Duration Timeout() const = 0;

    /// Returns how long it waits before it probes for the loss of the last that it sent.
    virtual Duration ProbeTimeout() const
    {
        return Timeout();
    }

    /// Returns the time before which nothing may be sent.
    virtual Instant SendsFrom() const
    {
        return {};
    }

    /// Returns the state of pacing; nullopt where all that the window allows goes at once.
    virtual std::optional<Pacing> GetPacing() const
    {
        return std::nullopt;
    }

    /// Moves all stored times back by `by`, since the clock was reset.
    virtual void MoveBack(Duration by) = 0;
};

} // namespace geotrain
