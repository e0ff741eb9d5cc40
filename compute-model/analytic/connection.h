// SPDX-License-Identifier: GPL-2.0-only
// A TCP connection of the analytic network. Its sender is a congestion window and a count of bytes
// in flight. Its receiver decides how trains are acknowledged.
//
// The class has no clock: time comes with each call.
#pragma once

#include "analytic/congestion-window.h"
#include "analytic/receiver.h"
#include "analytic/recovery.h"

#include <cstdint>

namespace geotrain
{

/// A Connection is one TCP connection.
class Connection
{
  public:
    /// `coarseness` is that of LongestTrain().
    Connection(const AnalyticConnection& settings, Duration roundTrip, double coarseness);

    /// Prepares for sending what the window allows. `hasData` says whether there is anything to
    /// send.
    void Wake(Instant now, bool hasData);

    /// Returns how many of `left` new bytes it may send: whole segments, or all of them; may be
    /// negative.
    std::int64_t Allowed(std::int64_t left) const;

    /// Returns how many of `left` bytes that were lost it may send again, as above.
    std::int64_t AllowedAgain(std::int64_t left) const;

    /// Returns all that its window allows; may be negative.
    std::int64_t Allowed() const;

    /// Returns the payload of a packet in bytes.
    std::int64_t Segment() const
    {
        return m_segment;
    }

    /// Returns the time before which pacing lets nothing be sent.
    Instant SendsFrom() const
    {
        return m_window.SendsFrom();
    }

    /// Returns the most bytes that go as one train if what is sent waits for `backlog` beyond a
    /// round trip.
    std::int64_t LongestTrain(Duration backlog) const;

    /// Returns for how many nanoseconds pacing spreads `bytes`.
    double PacedFor(std::int64_t bytes) const;

    /// Sends bytes. `first` and `last` are when the acknowledgements came that allowed the first
    /// and the last of them. `endsMessage` says that a message ends with them.
    Reception Send(Instant now, std::int64_t bytes, Instant first, Instant last, bool endsMessage);

    /// Sends `bytes` of a train again that were lost. Returns the train without the times of its
    /// acknowledgements.
    AcknowledgedTrain Repair(Instant now, std::int64_t bytes, const AcknowledgedTrain& lost);

    /// Notes that all of the oldest train is acknowledged, but for what was lost of it.
    void Acknowledge(const AcknowledgedTrain& train);

    /// Returns when it learns that what was lost of a train didn't come, if nothing that it sends
    /// later is acknowledged: with the acknowledgement of a probe (RFC 8985, section 7), or by the
    /// retransmission timeout where it repairs losses already.
    Instant LearnsOf(const AcknowledgedTrain& train) const;

    /// Returns whether an acknowledgement will come of what is out: of bytes that were not lost, and
    /// that the receiver doesn't hold back.
    bool WillHear() const
    {
        return m_inFlight > m_missing + m_lost + m_receiver.Held();
    }

    /// Notes that bytes of a train have not come, which it will learn.
    void Miss(const AcknowledgedTrain& train)
    {
        m_missing += train.lost;
        m_recovery.Miss(train);
    }

    /// Notes that it knows of bytes of a train that were lost, for a `share` of the connections for
    /// which this one stands.
    void Lose(const AcknowledgedTrain& train, double share);

    /// Returns whether the receiver holds an acknowledgement back.
    bool Holds() const
    {
        return m_receiver.Held() > 0;
    }

    /// Returns whether it repairs losses.
    bool Recovers() const
    {
        return m_recovery.IsActive();
    }

    /// Notes that the retransmission timeout has passed, where it repairs losses.
    void TimeOut();

    /// Returns the longest time for which the receiver may keep an acknowledgement that it holds.
    Duration LongestHold() const
    {
        return m_receiver.LongestHold();
    }

    /// Returns until when the receiver holds the acknowledgement of all that is in flight; never,
    /// if another one will come. Only a window below two segments waits for that.
    Instant WaitsForHeld() const
    {
        return m_receiver.Held() == Pipe() ? m_receiver.HoldsUntil() : Instant::Never();
    }

    /// Counts all that was sent as acknowledged, and moves stored times back by `by`.
    void Rest(Duration by);

  private:
    std::int64_t Pipe() const
    {
        return m_inFlight - m_lost;
    }

    std::int64_t InSegments(std::int64_t bytes, std::int64_t left) const;
    void BeginRecovery(double share);

    std::int64_t m_segment; ///< bytes, positive
    std::int64_t m_receiveWindow;
    double m_coarseness;
    CongestionWindow m_window;
    Receiver m_receiver;
    std::int64_t m_sent = 0;        ///< bytes sent since it opened
    std::int64_t m_transmitted = 0; ///< these and those sent again
    std::int64_t m_inFlight = 0;    ///< bytes that are not acknowledged
    std::int64_t m_missing = 0;     ///< bytes of these that are lost, as it will learn
    std::int64_t m_lost = 0; ///< bytes of these that it knows are lost, and hasn't sent again
    Instant m_lastSent;
    Instant m_lastAcknowledged;
    Recovery m_recovery;
};

} // namespace geotrain
