// SPDX-License-Identifier: GPL-2.0-only
// Computes when bursts and single packets may go.
#include "bulk-tcp/model/pacer.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr double burstNs = 1e6;        ///< 1 ms, for which Linux sizes a segmentation-offload burst
constexpr double largestBurst = 65536; ///< bytes: the most that Linux hands down at once
constexpr double pacerBitNsPerByteSecond = 8e9;

} // namespace

void
Pacer::OnSent(std::int64_t nowNs, std::uint32_t length)
{
    const bool passed = nowNs >= m_nextNs;
    m_nextNs = std::max(nowNs, m_nextNs) + static_cast<std::int64_t>(length * m_nsPerByte + 0.5);
    m_burstBytes = (passed ? 0 : m_burstBytes) + length;
    if (m_burstBytes >= std::max(std::min(m_bytesPerNs * burstNs, largestBurst), m_leastBurst))
    {
        m_burstEndNs = m_nextNs;
        m_burstBytes = 0;
    }
}

void
Pacer::OnSentBurst(std::int64_t nowNs, std::uint64_t length)
{
    const auto durationNs =
        static_cast<std::int64_t>(static_cast<double>(length) * m_nsPerByte + 0.5);
    const std::int64_t lateNs = std::max<std::int64_t>(nowNs - m_nextNs, 0);
    m_nextNs = std::max(nowNs, m_nextNs) + durationNs - std::min(durationNs / 2, lateNs);
    m_burstEndNs = m_nextNs;
}

void
Pacer::OnSentAlone(std::int64_t nowNs, std::uint32_t length, std::uint64_t bitsPerSecond)
{
    if (nowNs >= m_nextNs)
    {
        const double rate = static_cast<double>(bitsPerSecond) / pacerBitNsPerByteSecond;
        m_nextNs = nowNs + static_cast<std::int64_t>(length / rate + 0.5);
    }
    m_burstEndNs = m_nextNs;
}

} // namespace ns3
