// SPDX-License-Identifier: GPL-2.0-only
// Says when a receiver acknowledges segments one by one, although acknowledgements are delayed: at
// the beginning of a connection, after a pause and after a copy. The sender's window is small
// then, and the last segment of an odd number would wait for the timer of delayed
// acknowledgements. RFC 5681, section 4.2, allows it; the rules are Linux's quick acknowledgements
// (net/ipv4/tcp_input.c, tcp_enter_quickack_mode and tcp_event_data_recv).
#pragma once

#include <algorithm>
#include <cstdint>

namespace ns3
{

/// QuickAcks counts the acknowledgements that are still to be sent one by one.
class QuickAcks
{
  public:
    /// At most `most` of them in a row; 0: none.
    explicit QuickAcks(std::uint32_t most)
        : m_most(most)
    {
    }

    /// Sets the retransmission timeout of the receiver's own end. A pause is longer.
    void SetRetransmissionTimeout(std::int64_t timeoutNs)
    {
        m_timeoutNs = timeoutNs;
    }

    /// Takes a segment of at most `segmentSize` bytes that has come into an advertised window of
    /// `window` bytes.
    void OnData(std::int64_t nowNs, std::uint64_t window, std::uint32_t segmentSize)
    {
        if (m_lastNs < 0 || nowNs - m_lastNs > m_timeoutNs)
        {
            Begin(window, segmentSize);
        }
        m_lastNs = nowNs;
    }

    /// Begins a row, after a copy of what had come before too. A row covers half of the window.
    void Begin(std::uint64_t window, std::uint32_t segmentSize)
    {
        const std::uint64_t half = std::max<std::uint64_t>(2, window / (2 * segmentSize));
        m_left =
            std::max(m_left, static_cast<std::uint32_t>(std::min<std::uint64_t>(half, m_most)));
    }

    void OnAcknowledged()
    {
        m_left -= m_left > 0 ? 1 : 0;
    }

    /// Returns whether the next segment is acknowledged at once.
    bool IsOn() const
    {
        return m_left > 0;
    }

  private:
    std::uint32_t m_most;
    std::uint32_t m_left = 0;
    std::int64_t m_timeoutNs = 1000000000; ///< before a measurement (RFC 6298, section 2.1)
    std::int64_t m_lastNs = -1;            ///< when data came last
};

} // namespace ns3
