// SPDX-License-Identifier: GPL-2.0-only
// Follows RFC 6298, sections 2 and 5.
#include "bulk-tcp/model/retransmission-timeout.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr std::int64_t initialRtoNs = 1000000000; ///< RFC 6298, 2.1
constexpr std::int64_t granularityNs = 1000000;   ///< G of RFC 6298
constexpr std::uint32_t mostDoublings = 9;        ///< more would exceed the largest timeout
constexpr std::uint32_t mostSynRetries = 6;       ///< Linux's tcp_syn_retries

} // namespace

std::int64_t
RetransmissionTimeout::Ns() const
{
    std::int64_t timeout = initialRtoNs;
    if (m_rtt.HasSample())
    {
        timeout = std::max(m_rtt.SmoothedNs() + std::max(granularityNs, 4 * m_rtt.VariationNs()),
                           m_minNs);
    }
    return std::min(timeout << std::min(m_backoff, mostDoublings), s_mostNs);
}

bool
RetransmissionTimeout::BackOff()
{
    return ++m_backoff <= s_mostInARow;
}

void
RetransmissionTimeout::AwaitSynAck(std::int64_t nowNs)
{
    m_deadlineNs = nowNs + (initialRtoNs << m_synRetries);
}

bool
RetransmissionTimeout::RetrySyn()
{
    return ++m_synRetries <= mostSynRetries;
}

} // namespace ns3
