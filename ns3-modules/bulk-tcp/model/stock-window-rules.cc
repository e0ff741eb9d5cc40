// SPDX-License-Identifier: GPL-2.0-only
// Follows the part of ns-3 3.37's tcp-socket-base.cc that handles round trips and windows.
#include "bulk-tcp/model/stock-window-rules.h"

#include <ns3/tcp-prr-recovery.h>

#include <algorithm>

namespace ns3
{

void
StockWindowRules::Prepare(TcpSocketState& /*tcb*/) const
{
}

Ptr<TcpRecoveryOps>
StockWindowRules::MakeReduction() const
{
    return CreateObject<TcpPrrRecovery>();
}

/// Timestamps are in milliseconds. A sample of zero becomes a microsecond. The control sees the
/// smoothed value. TcpSocketBase::NewAck computes the timeout anew at each advance, measured or not.
bool
StockWindowRules::MeasureRtt(std::int64_t nowNs,
                             const Scoreboard::Progress& progress,
                             std::uint32_t echoMs,
                             RoundTripEstimator& rtt,
                             TcpSocketState& tcb) const
{
    constexpr std::int64_t nsPerUs = 1000;
    constexpr std::int64_t nsPerMs = 1000000;
    if (progress.firstSentNs >= 0)
    {
        const std::int64_t ms = nowNs / nsPerMs - echoMs;
        rtt.Measure(ms == 0 ? nsPerUs : ms * nsPerMs);
        tcb.m_lastRtt = TimeStep(static_cast<uint64_t>(rtt.SmoothedNs()));
        tcb.m_minRtt = std::min(tcb.m_lastRtt.Get(), tcb.m_minRtt);
    }
    return progress.ackedBytes > 0;
}

/// ns-3 3.37 keeps its initial window.
std::uint32_t
StockWindowRules::FirstWindowAfterLostSyn(std::uint32_t segments) const
{
    return segments;
}

std::int64_t
StockWindowRules::PacingRttNs(const RoundTripEstimator& /*rtt*/, const TcpSocketState& tcb) const
{
    return tcb.m_lastRtt.Get().GetTimeStep();
}

bool
StockWindowRules::GrowsUnused() const
{
    return true;
}

std::uint32_t
StockWindowRules::Growth(std::uint32_t segments, const TcpSocketState& /*tcb*/) const
{
    return segments;
}

std::uint32_t
StockWindowRules::WindowInUse(std::uint32_t window, std::uint64_t /*flight*/) const
{
    return window;
}

bool
StockWindowRules::ReducesByAdvance() const
{
    return true;
}

bool
StockWindowRules::SetsWindowOfAll() const
{
    return true;
}

bool
StockWindowRules::AnswersEachMark() const
{
    return true;
}

/// ns-3 3.37 counts the retransmission with the next segment that the window allows.
bool
StockWindowRules::ReducesOncePerWindow() const
{
    return false;
}

void
StockWindowRules::OnFastRetransmission(TcpSocketState& /*tcb*/, std::uint64_t /*inFlight*/) const
{
}

} // namespace ns3
