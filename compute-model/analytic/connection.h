// SPDX-License-Identifier: GPL-2.0-only
// A TCP connection of the analytic network: its sender, which is a congestion window and what is in
// flight, and its receiver.
//
// Logic without a clock: time comes with each call.
#pragma once

#include "analytic/congestion-window.h"
#include "analytic/receiver.h"
#include "analytic/train-length.h"

#include <memory>

namespace geotrain
{

class Connection
{
  public:
    Connection(std::unique_ptr<CongestionWindow> window,
               std::unique_ptr<Receiver> receiver,
               const TrainLength& trainLength,
               std::int64_t segment);

    /// It is about to send what its window allows; `hasData`: it has something to send.
    void Wake(Instant now, bool hasData);

    /// What it may send of `left` bytes: whole segments, unless that is all of them; may be
    /// negative.
    std::int64_t Allowed(std::int64_t left) const;

    /// All that its window allows; may be negative.
    std::int64_t Allowed() const;

    /// Nothing is sent before, by its pace.
    Instant SendsFrom() const
    {
        return m_window->SendsFrom();
    }

    /// Bytes that go at once at most, where what is sent will wait for `backlog` beyond a round
    /// trip.
    std::int64_t LongestTrain(Duration backlog) const
    {
        return m_trainLength.Most(*m_window, backlog);
    }

    /// Sends bytes, of which the first and last answer acknowledgements that came then.
    Reception Send(Instant now, std::int64_t bytes, Instant first, Instant last);

    /// All of the oldest train.
    void Acknowledge(const AcknowledgedTrain& train);

    /// For how long the receiver may hold an acknowledgement that it holds.
    Duration LongestHold() const
    {
        return m_receiver->LongestHold();
    }

    /// All that it has sent is acknowledged, and times lie `by` earlier from now on.
    void Rest(Duration by);

  private:
    std::unique_ptr<CongestionWindow> m_window;
    std::unique_ptr<Receiver> m_receiver;
    TrainLength m_trainLength;
    std::int64_t m_segment;
    std::int64_t m_sent = 0; ///< since it opened
    std::int64_t m_inFlight = 0;
    Instant m_lastSent;
};

} // namespace geotrain
