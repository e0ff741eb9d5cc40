// SPDX-License-Identifier: GPL-2.0-only
#include "bulk-tcp/model/window-rules.h"

#include "bulk-tcp/model/timestamp.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr std::int64_t nsOfTimestamp = 1000000; ///< a tick of the timestamps' clock

/// Returns the round trip that the echo of a timestamp gives, at least a tick of its clock; -1
/// without an echo.
std::int64_t
EchoedRttNs(std::int64_t nowNs, std::uint32_t echoMs)
{
    const std::uint32_t ms = TimestampMs(nowNs) - echoMs; // wraps as the clock does
    return echoMs == 0 ? -1 : std::max<std::int64_t>(1, ms) * nsOfTimestamp;
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

/// Measures as ns-3 3.37: a sample of zero becomes a microsecond, and the control sees the smoothed
/// value. TcpSocketBase::NewAck computes the timeout anew at each advance, measured or not.
bool
MeasureTimestamp(std::int64_t ms,
                 const Scoreboard::Progress& progress,
                 RoundTripEstimator& rtt,
                 TcpSocketState& tcb)
{
    constexpr std::int64_t nsPerUs = 1000;
    if (progress.firstSentNs >= 0)
    {
        rtt.Measure(ms == 0 ? nsPerUs : ms * nsOfTimestamp);
        tcb.m_lastRtt = TimeStep(static_cast<uint64_t>(rtt.SmoothedNs()));
        tcb.m_minRtt = std::min(tcb.m_lastRtt.Get(), tcb.m_minRtt);
    }
    return progress.ackedBytes > 0;
}

} // namespace

/// The estimator takes each valid sample, those of delayed acknowledgements too (Linux's
/// tcp_ack_update_rtt). Sending times are more precise than timestamps, which serve only where
/// retransmitted data is acknowledged (RFC 7323, section 4).
bool
WindowRules::MeasureRtt(std::int64_t nowNs,
                        const Scoreboard::Progress& progress,
                        std::uint32_t echoMs,
                        RoundTripEstimator& rtt,
                        TcpSocketState& tcb) const
{
    if (measuresTimestamps)
    {
        return MeasureTimestamp(nowNs / nsOfTimestamp - echoMs, progress, rtt, tcb);
    }
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

} // namespace ns3
