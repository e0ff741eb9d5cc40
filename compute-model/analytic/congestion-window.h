// SPDX-License-Identifier: GPL-2.0-only
// What a connection may have in flight, on a path without loss: as ns-3's own sockets open it
// (stock-window.h), or as bulk-tcp does (bulk-window.h). A function of what was sent and
// acknowledged.
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
    double window = 0;      ///< bytes, also where they are more than may be in flight
    double rate = 0;        ///< bytes per nanosecond; 0: no acknowledgement has come
    double roundTrip = 0;   ///< ns, smoothed
    double leftOfBurst = 0; ///< bytes
    bool hasSent = false;
};

class CongestionWindow
{
  public:
    struct Settings
    {
        std::int64_t initial = 0;     ///< bytes; 0 or above the limit: the limit
        std::int64_t limit = 0;       ///< bytes in flight at most
        std::int64_t firstFlight = 0; ///< bytes before the first acknowledgement; 0: no such limit

        /// Payload of a packet; 0: windows count to the byte, and slow start ends at the limit
        /// alone.
        std::int64_t segment = 0;
    };

    virtual ~CongestionWindow() = default;

    /// Bytes that may be in flight.
    virtual std::int64_t Size() const = 0;

    /// `train` is the oldest that was not acknowledged; `sent` bytes were given to the network
    /// since the connection opened, and `inFlight` of them are not acknowledged, this train
    /// excluded.
    virtual void
    Acknowledge(const AcknowledgedTrain& train, std::int64_t sent, std::int64_t inFlight) = 0;

    /// The connection has something to send for the first time.
    virtual void Open(Instant /*now*/)
    {
    }

    /// Everything is acknowledged, and nothing was sent for `idle`; `sent` as above.
    virtual void RestartAfter(Duration /*idle*/, std::int64_t /*sent*/)
    {
    }

    /// The last `bytes` of `sent` were given to the network at `now`; `inFlight` with them.
    virtual void NoteSent(Instant /*now*/,
                          std::int64_t /*bytes*/,
                          std::int64_t /*sent*/,
                          std::int64_t /*inFlight*/)
    {
    }

    /// Nothing is sent before.
    virtual Instant SendsFrom() const
    {
        return {};
    }

    /// None: all that the window allows goes at once.
    virtual std::optional<Pacing> GetPacing() const
    {
        return std::nullopt;
    }

    /// Times lie `by` earlier from now on: the clock was reset.
    virtual void MoveBack(Duration by) = 0;
};

} // namespace geotrain
