// SPDX-License-Identifier: GPL-2.0-only
// What carries the messages of a directed node pair: its connections and the queue that they send
// into. One of two kinds, made by MakePairSender: without windows all goes at once, and
// with them connections wait for acknowledgements (windowed-pair.h).
//
// Logic without a clock: time comes with each call.
#pragma once

#include "analytic/analytic-path.h"
#include "analytic/connection.h"
#include "analytic/pair-queue.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace geotrain
{

class PairSender : protected PairQueue::Listener
{
  public:
    /// What happened to a message, which has the caller's number.
    struct Event
    {
        enum class Kind
        {
            Begun, ///< its first byte leaves the queue
            Sent,  ///< its last byte went into the queue; without windows: left it
            Left   ///< its last byte has left the queue
        };

        Kind kind = Kind::Begun;
        std::uint32_t message = 0;
    };

    PairSender();
    virtual ~PairSender();
    PairSender(const PairSender&) = delete;
    PairSender& operator=(const PairSender&) = delete;

    /// A message in `chunks` equal parts for whatever connection is free. Then call Advance.
    virtual void Stripe(std::uint32_t message, std::int64_t bytes, std::int64_t chunks) = 0;

    /// A message for one connection, after what that has to send. Then call Advance.
    virtual void Queue(std::uint32_t message, std::int64_t bytes, std::uint32_t connection) = 0;

    /// A message in equal parts for all connections, after what they have to send. Then call
    /// Advance.
    virtual void QueueForAll(std::uint32_t message, std::int64_t bytes) = 0;

    /// Goes on to `now`, which is NextEvent() at most, and lets connections send.
    virtual void Advance(Instant now) = 0;

    /// What happened since it was last asked, in order, in place of what is in `events`.
    void TakeEvents(std::vector<Event>& events);

    /// The queue's rate from `now` on, in bytes per nanosecond; positive. Set when the first byte
    /// goes.
    virtual void SetRate(Instant now, double bytesPerNanosecond)
    {
        m_queue.SetRate(now, bytesPerNanosecond);
    }

    /// When Advance has something to do if nothing changes; Never if nothing is under way.
    Instant NextEvent() const;

    /// Whether bytes wait to leave.
    bool HasQueue() const
    {
        return !m_queue.Empty();
    }

    /// For how long receivers may hold the acknowledgements of what was sent.
    virtual Duration LongestHold() const
    {
        return {};
    }

    /// Acknowledgements go through the queue of the pair the other way, which must live as long as
    /// this.
    virtual void SetReverse(PairSender& /*reverse*/)
    {
    }

    /// Its connections once all that they have sent is acknowledged; it can't be used after that.
    virtual std::vector<Connection> GiveConnections()
    {
        return {};
    }

    /// Goes on with connections of a pair like this one, with their times moved back.
    virtual void TakeConnections(std::vector<Connection> /*connections*/, Duration /*by*/)
    {
    }

  protected:
    /// When it next sends if nothing changes; Never if no connection has anything to send.
    virtual Instant NextSend() const
    {
        return Instant::Never();
    }

    void Tell(Event::Kind kind, std::uint32_t message)
    {
        m_events.push_back({kind, message});
    }

    /// The queue of another pair, which remembers what has left it for so long.
    static const PairQueue& KeepingQueue(PairSender& other, Duration howLong);

    PairQueue m_queue;

  private:
    std::vector<Event> m_events;
};

/// What carries messages over a path, by the rules of its TCP.
std::unique_ptr<PairSender> MakePairSender(const AnalyticPath& path);

} // namespace geotrain
