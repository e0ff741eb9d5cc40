// SPDX-License-Identifier: GPL-2.0-only
// Follows RFC 6298, sections 2 and 5.
#include "bulk-tcp/model/retransmission-timeout.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr std::int64_t synTimeoutNs = 1000000000;   ///< RFC 6298, 2.1
constexpr std::int64_t afterLostSynNs = 3000000000; ///< RFC 6298, 5.7
constexpr std::int64_t granularityNs = 1000000;     ///< G of RFC 6298
constexpr std::uint32_t mostDoublings = 9;          ///< more would exceed the largest timeout
constexpr std::uint32_t mostSynRetries = 6;         ///< Linux's tcp_syn_retries

} // namespace

std::int64_t
RetransmissionTimeout::Ns() const
{
    std::int64_t timeout = m_firstNs;
    const std::int64_t variationNs = 4 * m_rtt.VariationNs();
    if (m_rtt.HasSample() && m_formula == Formula::Linux)
    {
        timeout = m_rtt.SmoothedNs() + std::max(variationNs, m_minNs);
    }
    else if (m_rtt.HasSample())
    {
        timeout = std::max(m_rtt.SmoothedNs() + std::max(granularityNs, variationNs), m_minNs);
    }
    return std::min(timeout << std::min(m_backoff, mostDoublings), s_mostNs);
}

bool
RetransmissionTimeout::BackOff()
{
    ++m_backoff;
    return ++m_inARow <= s_mostInARow;
}

void
RetransmissionTimeout::AwaitSynAck(std::int64_t nowNs)
{
    const auto spreadNs = static_cast<std::int64_t>(m_synSpread * synTimeoutNs);
    m_deadlineNs = nowNs + ((synTimeoutNs + spreadNs) << m_synRetries);
}

bool
RetransmissionTimeout::RetrySyn()
{
    return ++m_synRetries <= mostSynRetries;
}

void
RetransmissionTimeout::OnLostSyn()
{
    m_firstNs = m_formula == Formula::Linux ? afterLostSynNs : m_firstNs;
}

} // namespace ns3
