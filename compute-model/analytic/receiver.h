// SPDX-License-Identifier: GPL-2.0-only
// The receiver of a connection: which acknowledgements answer a train. Every second segment is
// acknowledged (RFC 5681, section 4.2). What they ignore: loss, and acknowledgements of windows
// that grow.
#pragma once

#include "analytic/train.h"

#include <cstdint>

namespace geotrain
{

/// How a receiver takes a train of its connection.
struct Reception
{
    AcknowledgedTrain train;     ///< without the times of its acknowledgements
    std::int64_t untilFirst = 0; ///< bytes of the train that the first acknowledgement waits for
    std::int64_t afterLast = 0;  ///< bytes at its end whose acknowledgement is held
};

class Receiver
{
  public:
    virtual ~Receiver() = default;

    /// The next `bytes`, at least one, of the connection.
    virtual Reception Receive(std::int64_t bytes, Instant firstSent, Instant lastSent) = 0;

    /// Bytes that have come and aren't acknowledged.
    virtual std::int64_t Held() const
    {
        return 0;
    }

    /// Acknowledges what it has held for longer than it may, and gives how much that is.
    virtual std::int64_t ReleaseHeld(Instant /*now*/)
    {
        return 0;
    }

    /// For how long it may hold an acknowledgement that it holds; 0 if it holds none.
    Duration LongestHold() const;

    /// It holds nothing. `isNew`: nothing but the handshake has come.
    virtual void Reset(bool /*isNew*/)
    {
    }
};

/// ns-3's own sockets. The last of an odd number of segments is acknowledged with the others, which
/// is what ns-3 3.37 does in effect where trains are long.
class StockReceiver : public Receiver
{
  public:
    /// Payload of a packet; 0: the first byte is acknowledged.
    explicit StockReceiver(std::int64_t segment);
    Reception Receive(std::int64_t bytes, Instant firstSent, Instant lastSent) override;

  private:
    std::int64_t m_segment;
};

/// bulk-tcp's: the last segment of an odd number waits for the next train, for 40 ms at most. A SYN
/// counts as one.
class DelayingReceiver : public Receiver
{
  public:
    explicit DelayingReceiver(std::int64_t segment);
    Reception Receive(std::int64_t bytes, Instant firstSent, Instant lastSent) override;
    std::int64_t Held() const override;
    std::int64_t ReleaseHeld(Instant now) override;
    void Reset(bool isNew) override;

  private:
    std::int64_t m_segment;
    bool m_isOdd = true;     ///< the next segment is acknowledged at once
    std::int64_t m_held = 0; ///< bytes of the segment that isn't acknowledged
    Instant m_heldSince;
};

} // namespace geotrain
