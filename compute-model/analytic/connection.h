// SPDX-License-Identifier: GPL-2.0-only
// A TCP connection of the analytic network. Its sender is a congestion window and a count of bytes
// in flight. Its receiver decides how trains are acknowledged.
//
// The class has no clock: time comes with each call.
#pragma once

#include "analytic/congestion-window.h"
#include "analytic/receiver.h"
#include "analytic/train-length.h"

#include <memory>

namespace geotrain
{

/// A Connection is one TCP connection.
class Connection
{
  public:
    Connection(std::unique_ptr<CongestionWindow> window,
               std::unique_ptr<Receiver> receiver,
               const TrainLength& trainLength,
               std::int64_t segment);

    /// Prepares for sending what the window allows. `hasData` says whether there is anything to
    /// send.
    void Wake(Instant now, bool hasData);

    /// Returns how many of `left` bytes it may send: whole segments, or all of them; may be
    /// negative.
    std::int64_t Allowed(std::int64_t left) const;

    /// Returns all that its window allows; may be negative.
    std::int64_t Allowed() const;

    /// Returns the time before which pacing lets nothing be sent.
    Instant SendsFrom() const
    {
        return m_window->SendsFrom();
    }

    /// Returns the most bytes that go as one train if what is sent waits for `backlog` beyond a
    /// round trip.
    std::int64_t LongestTrain(Duration backlog) const
    {
        return m_trainLength.Most(*m_window, backlog);
    }

    /// Sends bytes. `first` and `last` are when the acknowledgements came that allowed the first
    /// and the last of them. `endsMessage` says that a message ends with them.
    Reception Send(Instant now, std::int64_t bytes, Instant first, Instant last, bool endsMessage);

    /// Notes that all of the oldest train is acknowledged, but for what was lost of it.
    void Acknowledge(const AcknowledgedTrain& train);

    /// Notes that bytes of a train were lost, for a `share` of the connections for which this one
    /// stands. They stay in flight, since they are sent again at once.
    void Lose(const AcknowledgedTrain& train, double share)
    {
        m_window->Lose(train, share, m_sent);
    }

    /// Returns the bytes sent since it opened.
    std::int64_t Sent() const
    {
        return m_sent;
    }

    /// Returns the longest time for which the receiver may keep an acknowledgement that it holds.
    Duration LongestHold() const
    {
        return m_receiver->LongestHold();
    }

    /// Returns until when the receiver holds the acknowledgement of all that is in flight; never,
    /// if another one will come. Only a window below two segments waits for that.
    Instant WaitsForHeld() const
    {
        return m_receiver->Held() == m_inFlight ? m_receiver->HoldsUntil() : Instant::Never();
    }

    /// Counts all that was sent as acknowledged, and moves stored times back by `by`.
    void Rest(Duration by);

  private:
    std::unique_ptr<CongestionWindow> m_window;
    std::unique_ptr<Receiver> m_receiver;
    TrainLength m_trainLength;
    std::int64_t m_segment;
    std::int64_t m_sent = 0; ///< bytes sent since it opened
    std::int64_t m_inFlight = 0;
    Instant m_lastSent;
};

} // namespace geotrain
