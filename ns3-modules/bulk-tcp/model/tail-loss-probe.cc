// SPDX-License-Identifier: GPL-2.0-only
// Follows RFC 8985, sections 7.2 and 7.4, with the floor of Linux's tcp_schedule_loss_probe.
#include "bulk-tcp/model/tail-loss-probe.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr std::int64_t leastExtraNs = 2000000; ///< Linux's TCP_TIMEOUT_MIN_US

} // namespace

void
TailLossProbe::Arm(std::int64_t lastNs,
                   std::int64_t smoothedRttNs,
                   std::uint64_t segments,
                   std::int64_t timeoutNs)
{
    const bool mayWait = segments < m_delayedAckCount;
    const std::int64_t waitNs = 2 * smoothedRttNs + (mayWait ? m_minRtoNs : leastExtraNs);
    m_deadlineNs = std::min(lastNs + waitNs, timeoutNs);
}

/// The probe repeats the last segment, so that its DSACK ends where the probe did (Linux's
/// FLAG_DSACK_TLP). A DSACK of other data says nothing of the probe.
bool
TailLossProbe::IsReported(const PacketRecord& ack) const
{
    const auto end = static_cast<std::int32_t>(ack.sack[0].end);
    return (ack.flags & PacketRecord::Duplicate) != 0 &&
           ack.offset + static_cast<std::uint64_t>(end) == m_end;
}

bool
TailLossProbe::OnAck(const PacketRecord& ack, bool advanced)
{
    if (m_end == 0 || ack.offset < m_end)
    {
        return false;
    }
    // A peer that gets a segment twice sends a DSACK, or a duplicate acknowledgement if it has no
    // DSACK. An acknowledgement up to m_end may still be that of the original. An acknowledgement
    // of later data without a DSACK shows that the probe has repaired a loss.
    const bool told = IsReported(ack);
    const bool bare = !advanced && ack.sackBlocks == 0;
    const bool repaired = m_isRetransmission && !told && ack.offset > m_end;
    if (m_isRetransmission && !told && !repaired && !bare)
    {
        return false;
    }
    m_end = 0;
    return repaired;
}

} // namespace ns3
