// SPDX-License-Identifier: GPL-2.0-only
// Follows Linux's tcp_may_undo and the F-RTO part of tcp_process_loss.
#include "bulk-tcp/model/spurious-loss-detector.h"

namespace ns3
{

void
SpuriousLossDetector::Begin(std::uint64_t una, std::uint64_t repeatsOut)
{
    m_isWatching = true;
    m_forward = Forward::Off;
    m_una = una;
    m_notReported = repeatsOut;
    m_hasRepeated = repeatsOut > 0;
    m_hasFirst = m_hasFirst && repeatsOut > 0;
}

void
SpuriousLossDetector::OnRetransmitted(std::uint32_t nowMs, std::uint32_t length)
{
    m_firstMs = m_hasFirst ? m_firstMs : nowMs;
    m_hasFirst = true;
    m_hasRepeated = true;
    m_notReported += length;
}

void
SpuriousLossDetector::OnDuplicate(std::uint64_t end, std::uint64_t length)
{
    if (end > m_una)
    {
        m_notReported -= std::min(m_notReported, length);
    }
}

bool
SpuriousLossDetector::IsForwardSpurious(const Scoreboard::Progress& progress,
                                        std::uint64_t una,
                                        std::uint64_t highTx)
{
    if (m_forward == Forward::Off)
    {
        return false;
    }
    if (progress.originalEnd <= m_forwardEnd)
    {
        return true; // step 3b: what was sent once has arrived
    }
    const bool advances = progress.ackedBytes > 0;
    if (highTx > m_forwardEnd)
    {
        const bool isReal = progress.sackedBytes > 0 || !advances; // step 3a
        m_forward = isReal ? Forward::Off : Forward::HasSent;
    }
    else if (advances && una < m_forwardEnd)
    {
        m_forward = Forward::Sends; // step 2b
    }
    return false;
}

bool
SpuriousLossDetector::PutsNewDataFirst(bool hasNewData)
{
    if (m_forward != Forward::Sends)
    {
        return false;
    }
    m_forward = hasNewData ? Forward::Sends : Forward::Off;
    return hasNewData;
}

} // namespace ns3
