// SPDX-License-Identifier: GPL-2.0-only
// RFC 8985, sections 7.2 and 7.4.
#include "bulk-tcp/model/tail-loss-probe.h"

#include <algorithm>

namespace ns3
{

void
TailLossProbe::Arm(std::int64_t lastNs,
                   std::int64_t smoothedRttNs,
                   bool isLone,
                   std::int64_t timeoutNs)
{
    const std::int64_t waitNs = 2 * smoothedRttNs + (isLone ? m_delayedAckNs : 0);
    m_deadlineNs = std::min(lastNs + waitNs, timeoutNs);
}

bool
TailLossProbe::OnAck(const PacketRecord& ack, bool advanced)
{
    if (m_end == 0 || ack.offset < m_end)
    {
        return false;
    }
    // A repeated probe is told of by a DSACK, or by a duplicate where the peer has none; an
    // acknowledgement of what was out may still be that of the original. One of later data without
    // a DSACK says that the probe has repaired a loss.
    const bool told = (ack.flags & PacketRecord::Duplicate) != 0;
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
