// SPDX-License-Identifier: GPL-2.0-only
// Implements the rules of Linux 6: nanosecond round trips, PRR, and windows that grow only as far
// as they are used.
#include "bulk-tcp/model/window-rules.h"

#include "bulk-tcp/model/proportional-rate-reduction.h"
#include "bulk-tcp/model/timestamp.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr std::uint64_t unlimitedPacing = 10000000000000ULL; ///< bit/s: more than any link

/// Returns the round trip that the echo of a timestamp gives, at least a tick of its clock; -1
/// without an echo.
std::int64_t
EchoedRttNs(std::int64_t nowNs, std::uint32_t echoMs)
{
    constexpr std::int64_t nsPerMs = 1000000;
    const std::uint32_t ms = TimestampMs(nowNs) - echoMs; // wraps as the clock does
    return echoMs == 0 ? -1 : std::max<std::int64_t>(1, ms) * nsPerMs;
}

/// Returns the round trip for the estimator; -1 if the acknowledgement gives none.
std::int64_t
SampleNs(std::int64_t nowNs, const Scoreboard::Progress& progress, std::uint32_t echoMs)
{
    if (progress.ackedBytes == 0)
    {
        return progress.rttNs; // of SACKed data, or of a SYN
    }
    const bool isAmbiguous = progress.retransmissionAcked || progress.firstSentNs < 0;
    return isAmbiguous ? EchoedRttNs(nowNs, echoMs) : nowNs - progress.firstSentNs;
}

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

/// The estimator takes each valid sample, those of delayed acknowledgements too (Linux's
/// tcp_ack_update_rtt). Sending times are more precise than timestamps, which serve only where
/// retransmitted data is acknowledged (RFC 7323, section 4).
bool
LinuxWindowRules::MeasureRtt(std::int64_t nowNs,
                             const Scoreboard::Progress& progress,
                             std::uint32_t echoMs,
                             RoundTripEstimator& rtt,
                             TcpSocketState& tcb) const
{
    if (progress.rttNs >= 0)
    {
        tcb.m_lastRtt.Set(TimeStep(static_cast<uint64_t>(progress.rttNs)));
        if (progress.rttNs < tcb.m_minRtt.GetTimeStep())
        {
            tcb.m_minRtt = tcb.m_lastRtt.Get();
        }
    }
    const std::int64_t sampleNs = SampleNs(nowNs, progress, echoMs);
    if (sampleNs > 0)
    {
        rtt.Measure(sampleNs);
    }
    return sampleNs > 0;
}

/// RFC 5681, 3.1: one segment. Linux cuts the window after two lost SYNs only.
std::uint32_t
LinuxWindowRules::FirstWindowAfterLostSyn(std::uint32_t /*segments*/) const
{
    return 1;
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

bool
LinuxWindowRules::ReducesOncePerWindow() const
{
    return true;
}

void
LinuxWindowRules::OnFastRetransmission(TcpSocketState& tcb, std::uint64_t inFlight) const
{
    tcb.m_bytesInFlight = static_cast<std::uint32_t>(inFlight);
}

} // namespace ns3
