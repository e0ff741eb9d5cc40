// SPDX-License-Identifier: GPL-2.0-only
// What an acknowledgement does to a sender, in the order of ns-3's TcpSocketBase: books, round
// trip, probe's answer, ECN, losses, growth, the hosted control. It works on the sender's parts and
// has no clock; a segment that must be sent again whatever the window says is given to a
// Retransmitter.
#pragma once

#include "bulk-tcp/model/congestion-states.h"
#include "bulk-tcp/model/congestion-window.h"
#include "bulk-tcp/model/loss-recovery.h"
#include "bulk-tcp/model/retransmission-timeout.h"
#include "bulk-tcp/model/tail-loss-probe.h"

#include <cstdint>

namespace ns3
{

class AckProcessor
{
  public:
    class Retransmitter
    {
      public:
        virtual ~Retransmitter() = default;
        virtual void Retransmit(Scoreboard::Segment& segment) = 0;
    };

    /// All of them outlive it.
    AckProcessor(LossRecovery& losses,
                 CongestionWindow& window,
                 CongestionStates& states,
                 RetransmissionTimeout& timeout,
                 TailLossProbe& probe,
                 Retransmitter& retransmitter);

    /// `record` is not older than what was acknowledged before.
    void OnAck(std::int64_t nowNs, const PacketRecord& record);

    /// The time has come that LossRecovery::NextDetectionNs() gave.
    void OnReorderingTimer(std::int64_t nowNs);

    /// When data was acknowledged cumulatively for the last time.
    std::int64_t AdvancedNs() const
    {
        return m_advancedNs;
    }

  private:
    CongestionStates::Ack Take(const PacketRecord& record);
    std::uint64_t FindLosses();
    void RetransmitFirstLost();
    void Advance(const CongestionStates::Ack& ack);
    void RestartTimeout();

    LossRecovery& m_losses;
    CongestionWindow& m_window;
    CongestionStates& m_states;
    RetransmissionTimeout& m_timeout;
    TailLossProbe& m_probe;
    Retransmitter& m_retransmitter;

    std::int64_t m_nowNs = 0;
    std::int64_t m_advancedNs = 0;
    std::uint64_t m_lostByTimer = 0;      ///< bytes found lost since the last acknowledgement
    bool m_hasAdvancedInRecovery = false; ///< the last acknowledgement of new data came in recovery
};

} // namespace ns3
