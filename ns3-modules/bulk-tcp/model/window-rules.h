// SPDX-License-Identifier: GPL-2.0-only
// How a sender measures round trips and moves its window around what the hosted congestion control
// decides. LinuxWindowRules are those of a modern TCP; StockWindowRules (stock-window-rules.h) are
// those of ns-3's sockets and serve comparison with them. They hold no state of a connection.
#pragma once

#include "bulk-tcp/model/round-trip-estimator.h"
#include "bulk-tcp/model/scoreboard.h"

#include <ns3/tcp-recovery-ops.h>
#include <ns3/tcp-socket-state.h>

#include <cstdint>

namespace ns3
{

class WindowRules
{
  public:
    virtual ~WindowRules() = default;

    /// Before the control's Init().
    virtual void Prepare(TcpSocketState& tcb) const = 0;

    /// What leads the window down to the threshold in a recovery.
    virtual Ptr<TcpRecoveryOps> MakeReduction() const = 0;

    /// Takes the round-trip times that an acknowledgement tells into `rtt` and `tcb`; `echoMs` is
    /// its timestamp.
    virtual void MeasureRtt(std::int64_t nowNs,
                            const Scoreboard::Progress& progress,
                            std::uint32_t echoMs,
                            RoundTripEstimator& rtt,
                            TcpSocketState& tcb) const = 0;

    /// The round-trip time in which a window is paced out.
    virtual std::int64_t PacingRttNs(const RoundTripEstimator& rtt,
                                     const TcpSocketState& tcb) const = 0;

    /// Whether a window grows that was not the limit of what was sent.
    virtual bool GrowsUnused() const = 0;

    /// How many of `segments` acknowledged cumulatively count for growth.
    virtual std::uint32_t Growth(std::uint32_t segments, const TcpSocketState& tcb) const = 0;

    /// The window that a reduction starts from, where `window` was not the limit and `flight` bytes
    /// were out.
    virtual std::uint32_t WindowInUse(std::uint32_t window, std::uint64_t flight) const = 0;

    /// Whether each cumulative acknowledgement reduces the window in a recovery, and sends the next
    /// lost segment again.
    virtual bool ReducesByAdvance() const = 0;

    /// Whether the end of a recovery sets the window also of a control that decides on it by
    /// itself.
    virtual bool SetsWindowOfAll() const = 0;

    /// Whether CWR (RFC 3168) answers each mark; else each reduction.
    virtual bool AnswersEachMark() const = 0;

    /// A fast retransmission went out and left `inFlight` bytes on the way.
    virtual void OnFastRetransmission(TcpSocketState& tcb, std::uint64_t inFlight) const = 0;
};

class LinuxWindowRules final : public WindowRules
{
  public:
    /// `delayedAckNs` is how long a receiver may keep an acknowledgement back.
    explicit LinuxWindowRules(std::int64_t delayedAckNs)
        : m_delayedAckNs(delayedAckNs)
    {
    }

    void Prepare(TcpSocketState& tcb) const override;
    Ptr<TcpRecoveryOps> MakeReduction() const override;
    void MeasureRtt(std::int64_t nowNs,
                    const Scoreboard::Progress& progress,
                    std::uint32_t echoMs,
                    RoundTripEstimator& rtt,
                    TcpSocketState& tcb) const override;
    std::int64_t PacingRttNs(const RoundTripEstimator& rtt,
                             const TcpSocketState& tcb) const override;
    bool GrowsUnused() const override;
    std::uint32_t Growth(std::uint32_t segments, const TcpSocketState& tcb) const override;
    std::uint32_t WindowInUse(std::uint32_t window, std::uint64_t flight) const override;
    bool ReducesByAdvance() const override;
    bool SetsWindowOfAll() const override;
    bool AnswersEachMark() const override;
    void OnFastRetransmission(TcpSocketState& tcb, std::uint64_t inFlight) const override;

  private:
    std::int64_t m_delayedAckNs;
};

} // namespace ns3
