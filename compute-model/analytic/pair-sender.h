// SPDX-License-Identifier: GPL-2.0-only
// Carries the messages of a directed node pair over its connections and through the queue into
// which they send. There are two kinds (make-pair-sender.h). Without windows, everything goes at
// once. With windows, connections wait for acknowledgements (windowed-pair.h).
//
// The class has no clock: time comes with each call.
#pragma once

#include "analytic/connection.h"
#include "analytic/pair-queue.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace geotrain
{

/// A PairSender carries the messages of one directed node pair.
class PairSender : protected PairQueue::Listener
{
  public:
    /// An Event is what happened to a message. Messages have the caller's numbers.
    struct Event
    {
        /// Kind says what happened.
        enum class Kind
        {
            Begun, ///< its first byte is on the way
            Sent,  ///< its last byte went into the queue; without windows: has left it
            Left   ///< its last byte is on the way
        };

        Kind kind = Kind::Begun;
        std::uint32_t message = 0;
        Instant arrival; ///< at the destination, of the byte that is on the way
    };

    PairSender();
    virtual ~PairSender();
    PairSender(const PairSender&) = delete;
    PairSender& operator=(const PairSender&) = delete;

    /// Adds a message in `chunks` equal parts, each for whichever connection is free. Call
    /// Advance() afterwards.
    virtual void Stripe(std::uint32_t message, std::int64_t bytes, std::int64_t chunks) = 0;

    /// Adds a message for one connection, behind what that has to send. Call Advance() afterwards.
    virtual void Queue(std::uint32_t message, std::int64_t bytes, std::uint32_t connection) = 0;

    /// Adds a message in equal parts for all connections, behind what they have to send. Call
    /// Advance() afterwards.
    virtual void QueueForAll(std::uint32_t message, std::int64_t bytes) = 0;

    /// Advances to `now`, which is at most NextEvent(), and lets connections send.
    virtual void Advance(Instant now) = 0;

    /// Replaces `events` by what has happened since the last call, in order.
    void TakeEvents(std::vector<Event>& events);

    /// Returns the bytes that were lost and sent again since the last call.
    std::int64_t TakeRetransmitted()
    {
        return std::exchange(m_retransmitted, 0);
    }

    /// Sets the queue's rate from `now` on, in bytes per nanosecond; positive. It must be set when
    /// the first byte goes.
    virtual void SetRate(Instant now, double bytesPerNanosecond)
    {
        m_queue.SetRate(now, bytesPerNanosecond);
    }

    /// Returns when Advance() next has something to do if nothing changes; Never if nothing is
    /// under way.
    Instant NextEvent() const;

    /// Returns whether bytes wait to leave.
    bool HasQueue() const
    {
        return !m_queue.Empty();
    }

    /// Returns the longest time for which receivers may hold acknowledgements of what was sent.
    virtual Duration LongestHold() const
    {
        return {};
    }

    /// Sets the pair in the other direction, through whose queue acknowledgements go. It must live
    /// as long as this.
    virtual void SetReverse(PairSender& /*reverse*/)
    {
    }

    /// Hands the connections over, with all that they have sent acknowledged. The sender can't be
    /// used after that.
    virtual std::vector<Connection> GiveConnections()
    {
        return {};
    }

    /// Takes over the connections of a pair like this one, with their times moved back by `by`.
    virtual void TakeConnections(std::vector<Connection> /*connections*/, Duration /*by*/)
    {
    }

  protected:
    /// Returns when it next sends if nothing changes; Never if no connection has anything to send.
    virtual Instant NextSend() const
    {
        return Instant::Never();
    }

    void Tell(Event::Kind kind, std::uint32_t message, Instant arrival)
    {
        m_events.push_back({kind, message, arrival});
    }

    void NoteRetransmitted(std::int64_t bytes)
    {
        m_retransmitted += bytes;
    }

    /// Returns the queue of another pair, which then remembers for `howLong` what has left it.
    static const PairQueue& KeepingQueue(PairSender& other, Duration howLong);

    PairQueue m_queue;

  private:
    std::vector<Event> m_events;
    std::int64_t m_retransmitted = 0;
};

} // namespace geotrain
