// SPDX-License-Identifier: GPL-2.0-only
// Models the congestion states of ns-3's TcpSocketBase, which are Linux's: open, disorder, CWR,
// recovery, loss. It calls the hosted control in the order in which TcpSocketBase does. ECN is that
// of RFC 3168. It sends nothing: a function that returns true asks that a lost segment be sent
// again, even beyond the window (RFC 6675, 4.3).
#pragma once

#include "bulk-tcp/model/congestion-window.h"
#include "bulk-tcp/model/loss-recovery.h"
#include "bulk-tcp/model/proportional-rate-reduction.h"
#include "bulk-tcp/model/reduction-undo.h"
#include "wan-topology/model/packet-record.h"

#include <ns3/tcp-recovery-ops.h>

#include <cstdint>

namespace ns3
{

/// CongestionStates is the state machine of one sender.
class CongestionStates
{
  public:
    /// Ack is an acknowledgement with what the scoreboard learned from it.
    struct Ack
    {
        const PacketRecord& record;
        Scoreboard::Progress progress;
        std::uint32_t delivered;         ///< bytes that it newly delivers
        std::uint64_t inFlightBefore;    ///< bytes
        std::uint64_t notRepairedBefore; ///< bytes
        std::uint32_t duplicatesBefore;  ///< acknowledgements in a row that only SACK
    };

    /// Both arguments outlive this.
    CongestionStates(CongestionWindow& window, LossRecovery& losses);

    CongestionWindow& Window()
    {
        return m_window;
    }

    LossRecovery& Losses()
    {
        return m_losses;
    }

    bool IsInRecovery() const
    {
        return m_tcb.m_congState == TcpSocketState::CA_RECOVERY ||
               m_tcb.m_congState == TcpSocketState::CA_LOSS;
    }

    std::uint32_t Duplicates() const
    {
        return m_duplicates;
    }

    /// Returns the number of fast recoveries and ECN reductions.
    std::uint64_t Recoveries() const
    {
        return m_recoveries;
    }

    /// Returns how many recoveries and timeouts turned out to be spurious and were undone.
    std::uint64_t Undos() const
    {
        return m_undo.Count();
    }

    /// Begins in the open state. The caller calls it when the handshake is done, with whether the
    /// other end counts marks (RFC 9768).
    void Establish(bool countsMarks = false);

    // The caller calls these per acknowledgement, in this order. OnAdvance() is for an
    // acknowledgement of new data (cumulative), and OnNoAdvance() for any other. For one below the
    // highest acknowledgement it calls Note(), TryUndo() and HandleLosses() alone.
    void Note(const Ack& ack);
    void OnProbeRepairedLoss(const Ack& ack);
    void HandleEcn(const Ack& ack);

    /// Undoes the last reduction if the acknowledgement shows that it was spurious. Returns whether
    /// that is so.
    bool TryUndo(const Ack& ack)
    {
        return m_undo.IsWatching() && UndoIfSpurious(ack);
    }

    /// `lost` bytes were found lost with the acknowledgement.
    bool HandleLosses(const Ack& ack, std::uint64_t lost);
    bool OnAdvance(const Ack& ack);
    void OnNoAdvance(const Ack& ack);
    void RunControl(const Ack& ack, std::uint64_t lost);

    /// Enters recovery after losses were found. `delivered` bytes were acknowledged with them.
    void EnterRecovery(std::uint32_t delivered);

    /// Notes that the segment went out for which a function returned true.
    void OnFastRetransmission();

    void OnTimeout();

    /// Returns what is known of a spurious reduction.
    ReductionUndo& Undo()
    {
        return m_undo;
    }

    /// Notes that data goes out while nothing is in flight.
    void OnSendingBegins();

    /// Returns the ECN flags of a data segment that goes out.
    std::uint8_t TakeEcnFlags(bool again)
    {
        return m_tcb.m_ecnState == TcpSocketState::ECN_DISABLED ? std::uint8_t{0}
                                                                : TakeFlags(again);
    }

    /// Notes that a data segment of `length` bytes went out.
    void OnTransmit(std::uint32_t length)
    {
        const TcpSocketState::TcpCongState_t state = m_tcb.m_congState;
        if (state == TcpSocketState::CA_RECOVERY || state == TcpSocketState::CA_CWR)
        {
            m_reduction->UpdateBytesSent(length);
        }
    }

  private:
    std::uint8_t TakeFlags(bool again);
    void TellOfMarks(const Ack& ack);
    bool UndoIfSpurious(const Ack& ack);
    void SetState(TcpSocketState::TcpCongState_t state);
    void OnDuplicate();
    void EnterCwr(std::uint32_t delivered);
    void LeaveCwr();
    void LeaveRecovery();
    bool IsReducedInThisWindow() const;
    void GoOnReducing(std::uint32_t delivered);
    void BeginReduction(std::uint32_t delivered);
    std::uint32_t CountSegments(std::uint32_t bytes);
    std::uint32_t SegmentsOf(const Ack& ack) const;
    bool AdvanceInRecovery(const Ack& ack, std::uint32_t segments, bool isComplete);
    bool AdvanceInLoss(const Ack& ack, std::uint32_t segments, bool isComplete);
    bool GrowOrRecoverAgain(const Ack& ack, std::uint32_t segments);
    void AdvanceInDisorder(const Ack& ack, std::uint32_t segments);
    void GrowInDisorder(const Ack& ack, std::uint32_t segments);
    void AdvanceInCwr(const Ack& ack, std::uint32_t segments);
    void Reduce(const Ack& ack);
    void PassAcked(std::uint32_t segments);
    std::uint32_t InFlight() const;

    CongestionWindow& m_window;
    LossRecovery& m_losses;
    Ptr<TcpSocketState> m_state;
    TcpSocketState& m_tcb; ///< what m_state points to
    Ptr<TcpCongestionOps> m_control;
    Ptr<TcpRecoveryOps> m_reduction; ///< leads the window down in recovery and CWR
    ProportionalRateReduction* m_proportional; ///< the same; null where it is ns-3's
    ReductionUndo m_undo;

    std::uint64_t m_recover = 0; ///< recovery ends when this is acknowledged
    bool m_hasEntered = false;   ///< the current acknowledgement has begun recovery or CWR
    std::uint32_t m_duplicates = 0;
    std::uint32_t m_bytesNotCounted = 0; ///< acknowledged bytes, less than a segment
    std::uint64_t m_echoedUntil = 0;     ///< marks up to here have been answered
    bool m_announcesReduction = false;   ///< CWR is to be set on new data
    std::uint64_t m_recoveries = 0;
    bool m_countsMarks = false; ///< AccECN in the place of the echo
    AceReader m_aceReader;
};

} // namespace ns3
