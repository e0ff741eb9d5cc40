// SPDX-License-Identifier: GPL-2.0-only
// Remembers which bytes a sender has sent again lately, so that a DSACK (RFC 2883) can be
// attributed: to a retransmission, to a tail loss probe, or to a copy that the network has made
// (RFC 3708, section 3). Bytes are forgotten between one and two windows after their
// retransmission, within which a DSACK arrives.
#pragma once

#include "bulk-tcp/model/byte-ranges.h"

#include <cstdint>

namespace ns3
{

/// RetransmissionHistory is that of one sender.
class RetransmissionHistory
{
  public:
    /// Origin is what made the copy that a DSACK reports.
    enum class Origin
    {
        Network,
        Probe,
        Retransmission
    };

    /// Notes that `bytes` are sent again while those from `una` to `highTx` are not acknowledged.
    void OnRetransmitted(const ByteRanges::Range& bytes, std::uint64_t una, std::uint64_t highTx)
    {
        if (una >= m_epochEnd)
        {
            m_again.EraseBelow(m_epochBegin);
            m_epochBegin = una;
            m_epochEnd = highTx;
        }
        m_again.Insert(bytes.first, bytes.second, [](std::uint64_t, std::uint64_t) {});
    }

    /// Notes that `bytes` are sent again as a tail loss probe.
    void OnProbe(const ByteRanges::Range& bytes)
    {
        m_probe = bytes;
    }

    /// Returns the origin of a copy of the bytes `reported`. The copy of a probe is reported once.
    Origin TakeOrigin(const ByteRanges::Range& reported)
    {
        if (m_probe.first < m_probe.second && m_probe.first <= reported.first &&
            reported.second <= m_probe.second)
        {
            m_probe = {};
            return Origin::Probe;
        }
        return m_again.Find(reported.first) ? Origin::Retransmission : Origin::Network;
    }

  private:
    ByteRanges m_again; ///< sent again in this epoch or the one before
    ByteRanges::Range m_probe{};
    std::uint64_t m_epochBegin = 0; ///< the first byte not acknowledged when the epoch began
    std::uint64_t m_epochEnd = 0;   ///< the next epoch begins when this is acknowledged
};

} // namespace ns3
