#include "bulk-tcp/model/hystart-plus-plus.h"

#include <algorithm>

namespace ns3
{

namespace
{

// RFC 9406, section 4.3
constexpr std::int64_t minThresholdNs = 4000000;
constexpr std::int64_t maxThresholdNs = 16000000;
constexpr std::int64_t thresholdDivisor = 8;
constexpr std::uint32_t samplesNeeded = 8;
constexpr std::uint32_t growthDivisor = 4;
constexpr std::uint32_t conservativeRounds = 5;

} // namespace

HyStartPlusPlus::Phase
HyStartPlusPlus::OnAck(std::int64_t rttNs, std::uint64_t una, std::uint64_t highTx)
{
    if (rttNs >= 0)
    {
        m_minNs = std::min(m_minNs, rttNs);
        ++m_samples;
    }
    if (m_samples >= samplesNeeded && m_lastMinNs != s_unknown)
    {
        const std::int64_t threshold =
            std::clamp(m_lastMinNs / thresholdDivisor, minThresholdNs, maxThresholdNs);
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
    if (m_phase == Phase::Conservative && ++m_conservativeRounds > conservativeRounds)
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
    const std::uint32_t growth = m_remainder / growthDivisor;
    m_remainder %= growthDivisor;
    return growth;
}

void
HyStartPlusPlus::Restart(std::uint64_t highTx)
{
    *this = HyStartPlusPlus();
    m_roundEnd = highTx;
}

} // namespace ns3
