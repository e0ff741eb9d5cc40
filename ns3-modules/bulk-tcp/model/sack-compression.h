// SPDX-License-Identifier: GPL-2.0-only
// Says which acknowledgements of segments behind a gap wait for the next ones. RFC 5681, section
// 4.2, wants each at once. Linux's receiver sends the first three at once and then one about a
// millisecond (net/ipv4/tcp_input.c, __tcp_ack_snd_check), so that a sender that is not paced
// recovers in bursts. So that no SACK block is lost, what is held goes out before a third block
// changes (tcp_sack_new_ofo_skb).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ns3
{

/// SackCompression counts the acknowledgements that are held back.
class SackCompression
{
  public:
    explicit SackCompression(bool isOn)
        : m_isOn(isOn)
    {
    }

    /// Sets the round trip of the handshake. Before it nothing waits.
    void SetRoundTrip(std::int64_t roundTripNs)
    {
        m_delayNs = std::min(s_longestNs, roundTripNs / s_perRoundTrip) + s_slackNs;
    }

    /// Takes a segment that leaves a gap open, where all bytes before `next` are here. Returns
    /// whether its acknowledgement waits.
    bool Holds(std::uint64_t next)
    {
        if (!m_isOn || m_delayNs == 0 || m_held >= s_mostHeld)
        {
            return false;
        }
        if (m_next != next)
        {
            m_next = next;
            m_sentAtOnce = 0;
        }
        if (m_sentAtOnce < s_atOnce)
        {
            ++m_sentAtOnce;
            return false;
        }
        ++m_held;
        return true;
    }

    /// Returns how long the first of them waits.
    std::int64_t DelayNs() const
    {
        return m_delayNs;
    }

    /// Returns whether what is held goes out before a segment behind a gap is stored, which extends
    /// SACK block number `block`, the most recent one being 0, or begins one behind `block` others.
    bool GivesWay(std::size_t block) const
    {
        return m_held > 0 && block >= s_blocksExpected;
    }

    void OnAcknowledged()
    {
        m_held = 0;
    }

  private:
    static constexpr std::uint32_t s_atOnce = 3;         ///< TCP_FASTRETRANS_THRESH
    static constexpr std::uint32_t s_mostHeld = 44;      ///< net.ipv4.tcp_comp_sack_nr
    static constexpr std::size_t s_blocksExpected = 2;   ///< TCP_SACK_BLOCKS_EXPECTED
    static constexpr std::int64_t s_perRoundTrip = 20;   ///< a wait is 5 % of the round trip
    static constexpr std::int64_t s_longestNs = 1000000; ///< net.ipv4.tcp_comp_sack_delay_ns
    static constexpr std::int64_t s_slackNs = 100000;    ///< net.ipv4.tcp_comp_sack_slack_ns

    bool m_isOn;
    std::int64_t m_delayNs = 0;
    std::uint64_t m_next = 0;
    std::uint32_t m_sentAtOnce = 0; ///< since m_next was the first missing byte
    std::uint32_t m_held = 0;
};

} // namespace ns3
