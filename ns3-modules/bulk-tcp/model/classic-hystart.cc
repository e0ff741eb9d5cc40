// SPDX-License-Identifier: GPL-2.0-only
#include "bulk-tcp/model/classic-hystart.h"

#include <algorithm>

namespace ns3
{

namespace
{

// The values of Linux's tcp_cubic.c.
constexpr std::uint32_t LEAST_WINDOW = 16; ///< segments
constexpr std::uint32_t DELAY_SAMPLES = 8;
constexpr std::int64_t TRAIN_GAP_NS = 2000000;
constexpr std::int64_t LEAST_RISE_NS = 4000000;
constexpr std::int64_t MOST_RISE_NS = 16000000;
constexpr std::int64_t AGGREGATION_NS = 1000000; ///< of rates below 2 Gbit/s

} // namespace

bool
ClassicHyStart::OnAck(const Ack& ack)
{
    if (ack.rttNs < 0)
    {
        return false;
    }
    m_leastNs = std::min(m_leastNs, ack.rttNs);
    if (ack.una > m_roundEnd)
    {
        BeginRound(ack);
    }
    if (ack.window < LEAST_WINDOW)
    {
        return false;
    }
    const bool isLongTrain = IsLongTrain(ack);
    return HasDelay(ack.rttNs) || isLongTrain;
}

void
ClassicHyStart::BeginRound(const Ack& ack)
{
    m_roundBeginNs = ack.nowNs;
    m_lastAckNs = ack.nowNs;
    m_roundEnd = ack.highTx;
    m_roundLeastNs = s_unknown;
    m_samples = 0;
}

bool
ClassicHyStart::IsLongTrain(const Ack& ack)
{
    if (ack.nowNs - m_lastAckNs > TRAIN_GAP_NS)
    {
        return false;
    }
    m_lastAckNs = ack.nowNs;
    const std::int64_t threshold = m_leastNs + AGGREGATION_NS;
    return ack.nowNs - m_roundBeginNs > (ack.isPaced ? threshold : threshold / 2);
}

bool
ClassicHyStart::HasDelay(std::int64_t rttNs)
{
    m_roundLeastNs = std::min(m_roundLeastNs, rttNs);
    if (m_samples < DELAY_SAMPLES)
    {
        ++m_samples;
        return false;
    }
    return m_roundLeastNs > m_leastNs + std::clamp(m_leastNs / 8, LEAST_RISE_NS, MOST_RISE_NS);
}

} // namespace ns3
