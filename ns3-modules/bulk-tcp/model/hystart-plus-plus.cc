// SPDX-License-Identifier: GPL-2.0-only
// Follows RFC 9406, section 4.2.
#include "bulk-tcp/model/hystart-plus-plus.h"

#include <algorithm>

namespace ns3
{

HyStartPlusPlus::Phase
HyStartPlusPlus::OnAck(std::int64_t rttNs, std::uint64_t una, std::uint64_t highTx)
{
    if (rttNs >= 0)
    {
        m_minNs = std::min(m_minNs, rttNs);
        ++m_samples;
    }
    if (m_samples >= m_constants.samples && m_lastMinNs != s_unknown)
    {
        const std::int64_t threshold = std::clamp(m_lastMinNs / m_constants.thresholdDivisor,
                                                  m_constants.minThresholdNs,
                                                  m_constants.maxThresholdNs);
        if (m_phase == Phase::SlowStart && m_minNs >= m_lastMinNs + threshold)
        {
            m_phase = Phase::Conservative;
            m_baselineNs = m_minNs;
            m_conservativeRounds = 0;
        }
        else if (m_phase == Phase::Conservative && m_minNs < m_baselineNs)
        {
            m_phase = Phase::SlowStart;
            m_baselineNs = s_unknown;
        }
    }
    if (una >= m_roundEnd)
    {
        BeginRound(highTx);
    }
    return m_phase;
}

void
HyStartPlusPlus::BeginRound(std::uint64_t highTx)
{
    m_lastMinNs = m_minNs;
    m_minNs = s_unknown;
    m_samples = 0;
    m_roundEnd = highTx;
    if (m_phase == Phase::Conservative && ++m_conservativeRounds >= m_constants.conservativeRounds)
    {
        m_phase = Phase::Done;
    }
}

std::uint32_t
HyStartPlusPlus::Growth(std::uint32_t segments)
{
    if (m_phase != Phase::Conservative)
    {
        return segments;
    }
    m_remainder += segments;
    const std::uint32_t growth = m_remainder / m_constants.growthDivisor;
    m_remainder %= m_constants.growthDivisor;
    return growth;
}

void
HyStartPlusPlus::Restart(std::uint64_t highTx)
{
    *this = HyStartPlusPlus(m_constants);
    m_roundEnd = highTx;
}

} // namespace ns3
