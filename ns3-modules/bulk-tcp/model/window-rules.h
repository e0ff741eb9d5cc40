// SPDX-License-Identifier: GPL-2.0-only
// Defines how a sender measures round trips, and how it moves its window beside the decisions of
// the hosted congestion control. LinuxWindowRules are those of a modern TCP. StockWindowRules
// (stock-window-rules.h) are those of ns-3's sockets and serve comparison with them. They hold no
// state of a connection.
#pragma once

#include "bulk-tcp/model/round-trip-estimator.h"
#include "bulk-tcp/model/scoreboard.h"

#include <ns3/tcp-recovery-ops.h>
#include <ns3/tcp-socket-state.h>

#include <cstdint>

namespace ns3
{

/// WindowRules is the interface.
class WindowRules
{
  public:
    virtual ~WindowRules() = default;

    /// Prepares the state before the control's Init().
    virtual void Prepare(TcpSocketState& tcb) const = 0;

    /// Makes the object that leads the window down to the threshold in a recovery.
    virtual Ptr<TcpRecoveryOps> MakeReduction() const = 0;

    /// Writes the round-trip times that an acknowledgement gives to `rtt` and `tcb`. `echoMs` is
    /// the timestamp that it echoes. Returns whether it ends the timeout's backing off.
    virtual bool MeasureRtt(std::int64_t nowNs,
                            const Scoreboard::Progress& progress,
                            std::uint32_t echoMs,
                            RoundTripEstimator& rtt,
                            TcpSocketState& tcb) const = 0;

    /// Returns how many segments a new connection may send after a SYN was lost, which without the
    /// loss could send `segments`.
    virtual std::uint32_t FirstWindowAfterLostSyn(std::uint32_t segments) const = 0;

    /// Returns the round-trip time over which a window is paced.
    virtual std::int64_t PacingRttNs(const RoundTripEstimator& rtt,
                                     const TcpSocketState& tcb) const = 0;

    /// Returns whether a window grows although it was not the limit.
    virtual bool GrowsUnused() const = 0;

    /// Returns how many of the cumulatively acknowledged `segments` count for growth.
    virtual std::uint32_t Growth(std::uint32_t segments, const TcpSocketState& tcb) const = 0;

    /// Returns the window from which a reduction starts if `window` was not the limit and `flight`
    /// bytes were out.
    virtual std::uint32_t WindowInUse(std::uint32_t window, std::uint64_t flight) const = 0;

    /// Returns whether each cumulative acknowledgement in a recovery reduces the window and sends
    /// the next lost segment again.
    virtual bool ReducesByAdvance() const = 0;

    /// Returns whether the end of a recovery also sets the window of a control that decides on it
    /// by itself.
    virtual bool SetsWindowOfAll() const = 0;

    /// Returns whether CWR (RFC 3168) answers each mark; otherwise it answers each reduction.
    virtual bool AnswersEachMark() const = 0;

    /// Returns whether a recovery or timeout that follows a reduction in the same window of data
    /// leaves the threshold as it is.
    virtual bool ReducesOncePerWindow() const = 0;

    /// Notes that a fast retransmission went out, with `inFlight` bytes on the way after it.
    virtual void OnFastRetransmission(TcpSocketState& tcb, std::uint64_t inFlight) const = 0;
};

/// LinuxWindowRules are the rules of a modern TCP.
class LinuxWindowRules final : public WindowRules
{
  public:
    void Prepare(TcpSocketState& tcb) const override;
    Ptr<TcpRecoveryOps> MakeReduction() const override;
    bool MeasureRtt(std::int64_t nowNs,
                    const Scoreboard::Progress& progress,
                    std::uint32_t echoMs,
                    RoundTripEstimator& rtt,
                    TcpSocketState& tcb) const override;
    std::uint32_t FirstWindowAfterLostSyn(std::uint32_t segments) const override;
    std::int64_t PacingRttNs(const RoundTripEstimator& rtt,
                             const TcpSocketState& tcb) const override;
    bool GrowsUnused() const override;
    std::uint32_t Growth(std::uint32_t segments, const TcpSocketState& tcb) const override;
    std::uint32_t WindowInUse(std::uint32_t window, std::uint64_t flight) const override;
    bool ReducesByAdvance() const override;
    bool SetsWindowOfAll() const override;
    bool AnswersEachMark() const override;
    bool ReducesOncePerWindow() const override;
    void OnFastRetransmission(TcpSocketState& tcb, std::uint64_t inFlight) const override;
};

} // namespace ns3
