// SPDX-License-Identifier: GPL-2.0-only
// Implements the rules of Linux 6: nanosecond round trips, PRR, and windows that grow only as far
// as they are used.
#include "bulk-tcp/model/window-rules.h"

#include "bulk-tcp/model/proportional-rate-reduction.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr std::uint64_t unlimitedPacing = 10000000000000ULL; ///< bit/s: more than any link

} // namespace

void
LinuxWindowRules::Prepare(TcpSocketState& tcb) const
{
    tcb.m_maxPacingRate = DataRate(unlimitedPacing);
}

Ptr<TcpRecoveryOps>
LinuxWindowRules::MakeReduction() const
{
    return CreateObject<ProportionalRateReduction>();
}

void
LinuxWindowRules::MeasureRtt(std::int64_t nowNs,
                             const Scoreboard::Progress& progress,
                             std::uint32_t /*echoMs*/,
                             RoundTripEstimator& rtt,
                             TcpSocketState& tcb) const
{
    // The receiver may delay the acknowledgement of a lone segment. On a path of microseconds, such
    // a sample of 40 ms would make the pacing rate far too low.
    const std::int64_t leastNs = tcb.m_minRtt.GetTimeStep();
    const bool waited = progress.ackedBytes > 0 && progress.ackedBytes <= tcb.m_segmentSize &&
                        progress.rttNs - leastNs >= m_delayedAckNs;
    if (waited && rtt.HasSample())
    {
        return;
    }
    if (progress.firstSentNs >= 0)
    {
        rtt.Measure(nowNs - progress.firstSentNs);
    }
    if (progress.rttNs >= 0)
    {
        tcb.m_lastRtt.Set(TimeStep(static_cast<uint64_t>(progress.rttNs)));
        if (progress.rttNs < leastNs)
        {
            tcb.m_minRtt = tcb.m_lastRtt.Get();
        }
    }
}

std::int64_t
LinuxWindowRules::PacingRttNs(const RoundTripEstimator& rtt, const TcpSocketState& /*tcb*/) const
{
    return rtt.SmoothedNs();
}

bool
LinuxWindowRules::GrowsUnused() const
{
    return false;
}

/// Segments that were SACKed before don't count again (Linux: tcp_cong_avoid's acked_sacked).
std::uint32_t
LinuxWindowRules::Growth(std::uint32_t segments, const TcpSocketState& tcb) const
{
    const std::uint32_t length = tcb.m_segmentSize;
    return std::min(segments, (tcb.m_lastAckedSackedBytes + length - 1) / length);
}

/// Returns the value halfway between window and flight, as RFC 2861 (section 3.2) and Linux do for
/// a sender that its application limits: an unused window says nothing about the path, and a short
/// flight says little. RFC 7661 would take the most that was in flight within a second.
std::uint32_t
LinuxWindowRules::WindowInUse(std::uint32_t window, std::uint64_t flight) const
{
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(window, (window + flight) / 2));
}

bool
LinuxWindowRules::ReducesByAdvance() const
{
    return false;
}

bool
LinuxWindowRules::SetsWindowOfAll() const
{
    return false;
}

bool
LinuxWindowRules::AnswersEachMark() const
{
    return false;
}

void
LinuxWindowRules::OnFastRetransmission(TcpSocketState& tcb, std::uint64_t inFlight) const
{
    tcb.m_bytesInFlight = static_cast<std::uint32_t>(inFlight);
}

} // namespace ns3
