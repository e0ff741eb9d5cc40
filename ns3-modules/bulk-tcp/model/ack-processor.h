// SPDX-License-Identifier: GPL-2.0-only
// Defines what a sender does with an acknowledgement. The steps are in the order of ns-3's
// TcpSocketBase: scoreboard, round trip, answer to a probe, ECN, losses, growth of the window, the
// hosted control. It works on the sender's parts and has no clock. It gives a segment that must be
// sent again, even beyond the window, to a Retransmitter.
#pragma once

#include "bulk-tcp/model/congestion-states.h"
#include "bulk-tcp/model/congestion-window.h"
#include "bulk-tcp/model/loss-recovery.h"
#include "bulk-tcp/model/retransmission-timeout.h"
#include "bulk-tcp/model/tail-loss-probe.h"

#include <cstdint>

namespace ns3
{

/// An AckProcessor updates the state of one sender per acknowledgement.
class AckProcessor
{
  public:
    /// A Retransmitter sends a segment again at once.
    class Retransmitter
    {
      public:
        virtual ~Retransmitter() = default;
        virtual void Retransmit(Scoreboard::Segment& segment) = 0;
    };

    /// All arguments outlive the processor.
    AckProcessor(CongestionStates& states,
                 RetransmissionTimeout& timeout,
                 TailLossProbe& probe,
                 Retransmitter& retransmitter);

    /// Takes the acknowledgement `record`, which must not be older than an earlier one.
    void OnAck(std::int64_t nowNs, const PacketRecord& record);

    /// Takes the SACK blocks of an acknowledgement that is older than an earlier one (Linux's
    /// tcp_ack, old_ack).
    void OnOldAck(std::int64_t nowNs, const PacketRecord& record);

    /// Looks for losses again. The caller calls it at the time that LossRecovery::NextDetectionNs()
    /// gave.
    void OnReorderingTimer(std::int64_t nowNs);

    /// Returns when data was last acknowledged cumulatively.
    std::int64_t AdvancedNs() const
    {
        return m_advancedNs;
    }

  private:
    CongestionStates::Ack Take(const PacketRecord& record);
    void Repair(const CongestionStates::Ack& ack);
    std::uint64_t FindLosses();
    void RetransmitFirstLost();
    void Advance(const CongestionStates::Ack& ack);
    void RestartTimeout();

    CongestionStates& m_states;
    LossRecovery& m_losses;
    CongestionWindow& m_window;
    RetransmissionTimeout& m_timeout;
    TailLossProbe& m_probe;
    Retransmitter& m_retransmitter;

    std::int64_t m_nowNs = 0;
    std::int64_t m_advancedNs = 0;
    std::uint64_t m_lostUntold = 0;       ///< bytes found lost that the control was not told of
    bool m_hasAdvancedInRecovery = false; ///< the last acknowledgement of new data came in recovery
};

} // namespace ns3
