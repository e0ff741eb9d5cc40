// SPDX-License-Identifier: GPL-2.0-only
// Keeps the congestion window of a sender in the TcpSocketState that a hosted ns-3 TcpCongestionOps
// works on. It knows how much of the window is in use, lets the control grow it, restarts it after
// an idle time (RFC 2861), and sets the pacing rate. HyStart++ (RFC 9406) may end slow start.
// CongestionStates decides when the window is reduced.
#pragma once

#include "bulk-tcp/model/accurate-ecn.h"
#include "bulk-tcp/model/bulk-tcp-options.h"
#include "bulk-tcp/model/classic-hystart.h"
#include "bulk-tcp/model/hystart-plus-plus.h"
#include "bulk-tcp/model/loss-recovery.h"
#include "bulk-tcp/model/offload-burst.h"
#include "bulk-tcp/model/window-rules.h"

#include <ns3/tcp-congestion-ops.h>
#include <ns3/tcp-socket-state.h>

#include <cstdint>
#include <optional>

namespace ns3
{

/// CongestionWindow is the window of one sender.
class CongestionWindow
{
  public:
    /// `losses` outlives the window.
    CongestionWindow(const BulkTcpOptions& options,
                     Ptr<TcpCongestionOps> control,
                     const LossRecovery& losses,
                     const WindowRules& rules);

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
        return m_rules;
    }

    /// Returns whether the control sets window and pace by itself.
    bool HasCongControl() const
    {
        return m_hasCongControl;
    }

    /// Returns the control where it asks for AccECN; otherwise null.
    AccurateEcnListener* AccurateEcn() const
    {
        return m_accurateEcn;
    }

    /// Returns whether the window was the limit of what was sent lately.
    bool IsLimit() const;

    /// Returns whether packets leave one by one at the pacing rate, not in bursts.
    bool PacesSinglePackets() const
    {
        return m_pacesSinglePackets;
    }

    /// Returns the bytes that may be sent.
    std::uint64_t Room() const
    {
        const std::uint64_t window = m_tcb->m_cWnd.Get() + (HasBudget() ? m_beside : 0);
        return window > m_losses.InFlight() ? window - m_losses.InFlight() : 0;
    }

    /// Returns the rate in bit/s at which a sender with segmentation offload sends, or would send. BBR's
    /// is a hundredth below what it finds (bbr_pacing_margin_percent of Linux 6.18), so that its queue
    /// empties; ns3::TcpBbr has no such margin.
    std::uint64_t RateOfBursts(const RoundTripEstimator& rtt) const;

    /// Tells of the rate of a sender with segmentation offload, in bit/s. BBR then lets up to three of
    /// its bursts be on their way beside its window (bbr_quantization_budget of Linux 6.18), where
    /// ns3::TcpBbr counts three segments.
    void SetRateOfBursts(std::uint64_t bitsPerSecond)
    {
        const std::uint32_t segment = m_tcb->m_segmentSize;
        m_budget =
            m_isBbr ? 3 * segment * (OffloadBurst::SegmentsAt(bitsPerSecond, segment) - 1) : 0;
    }

    bool IsPaced() const
    {
        return m_tcb->m_pacing &&
               (m_tcb->m_paceInitialWindow || m_losses.Board().HighTx() >= InitialBytes());
    }

    /// Writes the bytes in flight to the control's state.
    void NoteInFlight()
    {
        m_tcb->m_bytesInFlight.Set(static_cast<std::uint32_t>(m_losses.InFlight()));
    }

    /// Notes that everything the window allows was sent, but for what waits for a larger burst.
    void NoteSent(bool isSomeWaiting);

    /// Takes the round-trip times that an acknowledgement gives. Returns whether they end the
    /// timeout's backing off.
    bool MeasureRtt(std::int64_t nowNs,
                    const Scoreboard::Progress& progress,
                    std::uint32_t echoMs,
                    RoundTripEstimator& rtt)
    {
        return m_rules.MeasureRtt(nowNs, progress, echoMs, rtt, *m_tcb);
    }

    /// Makes the first window smaller after a SYN was lost.
    void OnLostSyn();

    /// Grows the window for `segments` acknowledged. `rttNs` is negative if none was measured.
    void Grow(std::uint32_t segments, std::int64_t rttNs);

    /// Lets a control that sets window and pace by itself do so.
    void RunControl(const TcpRateOps::TcpRateConnection& connection,
                    const TcpRateOps::TcpRateSample& sample);

    /// Keeps the window within its 32 bits.
    void Limit();

    /// Brings a window that was not fully used near to the bytes in use. Call it before the control
    /// reduces the window.
    void ReduceToUse();

    /// Sets the window to one segment and begins slow start, after a retransmission timeout.
    void Collapse();

    /// Restarts the window for new data after a pause of `periods` retransmission timeouts. Returns
    /// whether the window has changed.
    bool RestartAfterIdle(std::int64_t periods);

    /// Updates and returns the pacing rate in bit/s. Returns none if the control sets it or nothing
    /// is paced.
    std::optional<std::uint64_t> UpdatePacingRate(const RoundTripEstimator& rtt);

    /// Returns the rate in bit/s at which a window-based control is paced, where it is.
    std::uint64_t PacingRateWanted(const RoundTripEstimator& rtt) const;

  private:
    /// BBR sets its window in full in recovery, and in ProbeRTT to its least one.
    bool HasBudget() const
    {
        return m_tcb->m_cWnd > s_leastBbrWindow * m_tcb->m_segmentSize &&
               m_tcb->m_congState < TcpSocketState::CA_CWR;
    }

    void NoteUse(std::uint64_t highTx, bool isSomeWaiting);
    void GrowBesideBbr(bool isStuck);
    std::uint32_t GrowthByHyStart(std::uint32_t segments, std::int64_t rttNs);
    bool IsInFirstSlowStart() const;

    std::uint32_t InitialBytes() const
    {
        return m_initialWindow * m_tcb->m_segmentSize;
    }

    static constexpr std::uint32_t s_leastBbrWindow = 4; ///< segments (bbr_cwnd_min_target)

    Ptr<TcpCongestionOps> m_control;
    AccurateEcnListener* m_accurateEcn; ///< the same; null: it asks for no AccECN
    Ptr<TcpSocketState> m_tcb;
    const LossRecovery& m_losses;
    WindowRules m_rules;
    HyStartPlusPlus m_hyStart;
    ClassicHyStart m_classicHyStart;
    std::uint32_t m_initialWindow; ///< segments
    bool m_usesHyStart;
    bool m_usesClassicHyStart; ///< instead of HyStart++
    bool m_pacesSinglePackets;
    bool m_restartsAfterIdle;
    bool m_hasCongControl;
    bool m_isBbr;
    bool m_growsBySegment;       ///< the control is told of each acknowledged segment by itself
    bool m_keepsEpoch;           ///< the control counts idle time as time of growth
    std::uint64_t m_budget = 0;  ///< bytes of three bursts of BBR, less three segments
    std::uint64_t m_beside = 0;  ///< of these, how many may be on their way beside the window
    bool m_isLimited = false;    ///< the window was full in the last window of data
    std::uint64_t m_mostOut = 0; ///< bytes sent and not acknowledged, at most, in that window
    std::uint64_t m_usageEnd = 0; ///< a new window of data begins when this is acknowledged
};

} // namespace ns3
