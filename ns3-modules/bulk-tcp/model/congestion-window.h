// SPDX-License-Identifier: GPL-2.0-only
// The congestion window of a sender, in the TcpSocketState that a hosted ns-3 TcpCongestionOps
// works on: how far it is in use, how it grows by the control's word, what follows an idle time
// (RFC 2861), and the rate that it is paced out at. Slow start may leave by HyStart++ (RFC 9406).
// When it is to be reduced is CongestionStates' matter.
#pragma once

#include "bulk-tcp/model/bulk-tcp-options.h"
#include "bulk-tcp/model/hystart-plus-plus.h"
#include "bulk-tcp/model/loss-recovery.h"
#include "bulk-tcp/model/window-rules.h"

#include <ns3/tcp-congestion-ops.h>
#include <ns3/tcp-socket-state.h>

#include <cstdint>
#include <memory>
#include <optional>

namespace ns3
{

class CongestionWindow
{
  public:
    /// `losses` outlives it.
    CongestionWindow(const BulkTcpOptions& options,
                     Ptr<TcpCongestionOps> control,
                     const LossRecovery& losses,
                     std::unique_ptr<const WindowRules> rules);

    const Ptr<TcpSocketState>& State() const
    {
        return m_tcb;
    }

    const Ptr<TcpCongestionOps>& Control() const
    {
        return m_control;
    }

    const WindowRules& Rules() const
    {
        return *m_rules;
    }

    /// The control decides on window and pace by itself.
    bool HasCongControl() const
    {
        return m_hasCongControl;
    }

    /// Bytes that may be sent.
    std::uint64_t Room() const
    {
        const std::uint64_t window = m_tcb->m_cWnd.Get();
        return window > m_losses.InFlight() ? window - m_losses.InFlight() : 0;
    }

    bool IsPaced() const
    {
        return m_tcb->m_pacing &&
               (m_tcb->m_paceInitialWindow || m_losses.Board().HighTx() >= InitialBytes());
    }

    /// Tells the control's state what is in flight.
    void NoteInFlight()
    {
        m_tcb->m_bytesInFlight.Set(static_cast<std::uint32_t>(m_losses.InFlight()));
    }

    /// All that may be sent has been sent.
    void NoteSent();

    /// Takes the round-trip times that an acknowledgement tells.
    void MeasureRtt(std::int64_t nowNs,
                    const Scoreboard::Progress& progress,
                    std::uint32_t echoMs,
                    RoundTripEstimator& rtt)
    {
        m_rules->MeasureRtt(nowNs, progress, echoMs, rtt, *m_tcb);
    }

    /// `segments` were acknowledged; `rttNs` is negative where nothing was measured.
    void Grow(std::uint32_t segments, std::int64_t rttNs);

    /// Keeps the window below what its 32 bits can hold.
    void Limit();

    /// Before the control says by how much it reduces: a window that was not in use is brought near
    /// to what was.
    void ReduceToUse();

    /// After a retransmission timeout: one segment, and slow start.
    void Collapse();

    /// New data follows a pause of `periods` retransmission timeouts. True where the window has
    /// changed.
    bool RestartAfterIdle(std::int64_t periods);

    /// The rate to pace by in bit/s; none where the control sets it, or where nothing is paced.
    std::optional<std::uint64_t> UpdatePacingRate(const RoundTripEstimator& rtt);

  private:
    bool IsLimit() const;

    std::uint32_t InitialBytes() const
    {
        return m_initialWindow * m_tcb->m_segmentSize;
    }

    Ptr<TcpCongestionOps> m_control;
    Ptr<TcpSocketState> m_tcb;
    const LossRecovery& m_losses;
    std::unique_ptr<const WindowRules> m_rules;
    HyStartPlusPlus m_hyStart;
    std::uint32_t m_initialWindow; ///< segments
    bool m_usesHyStart;
    bool m_restartsAfterIdle;
    bool m_hasCongControl;
    bool m_keepsEpoch;                ///< the control counts idle time as time of growth
    std::uint64_t m_limitedUntil = 0; ///< what was sent while the congestion window was the limit
};

} // namespace ns3
