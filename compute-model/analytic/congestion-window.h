// What a connection may have in flight, on a path without loss: as ns-3's own sockets open it (stock-window.h), or as bulk-tcp
// does (bulk-window.h). A function of what was sent and acknowledged.
#pragma once

#include "units/bytes.h"
#include "units/duration.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace geotrain
{

/// Bytes of a connection that left one after another, and their acknowledgements: one for two segments, the last of an
/// odd number waits for the next train.
struct AcknowledgedTrain
{
    std::int64_t bytes = 0;
    Instant firstSent; ///< given to the network
    Instant lastSent;
    Instant firstAcknowledged;
    Instant lastAcknowledged;
    Duration pause; ///< between two of the acknowledgements, which else come evenly
    Duration held;  ///< for which the receiver held the first one's segment from before firstSent
    std::int64_t acknowledgements =
        0; ///< none: of one segment that was held for longest, which measures nothing
};

class CongestionWindow
{
  public:
    struct Settings
    {
        std::int64_t initial = 0; ///< bytes; 0 or above the limit: the limit
        std::int64_t limit = 0;   ///< bytes in flight at most; 0: none
        std::int64_t firstFlight =
            0; ///< bytes before the first acknowledgement at most; 0: no such limit
        std::int64_t segment =
            0; ///< payload of a packet; 0: to the byte, and slow start ends at the limit alone
        bool isBulkTcp = false;         ///< else ns-3's own socket
        bool restartsAfterIdle = false; ///< RFC 2861; bulk-tcp alone
        Duration handshake;             ///< before the first byte; bulk-tcp alone
        double coarseness = 1;          ///< longer trains save time; bulk-tcp alone
    };

    static std::unique_ptr<CongestionWindow> Make(const Settings& settings);

    virtual ~CongestionWindow() = default;

    /// Bytes that may be in flight.
    virtual std::int64_t Size() const = 0;

    /// `train` is the oldest that was not acknowledged; `sent` bytes were given to the network since the connection opened,
    /// and `inFlight` of them are not acknowledged, this train excluded.
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

    /// Bytes that go at once at most, where what is sent will wait for `backlog` anyway; none: what the window allows.
    virtual std::optional<std::int64_t> Burst(Duration /*backlog*/) const
    {
        return std::nullopt;
    }

    /// Times lie `by` earlier from now on: the clock was reset.
    virtual void MoveBack(Duration by) = 0;
};

} // namespace geotrain
