// SPDX-License-Identifier: GPL-2.0-only
// Says how many packets Linux hands down at once for segmentation offload, which leave back to back,
// and when it waits for more room in the window so that they fit: tcp_tso_autosize and
// tcp_tso_should_defer of Linux 6.18.
#pragma once

#include <algorithm>
#include <cstdint>

namespace ns3
{

/// OffloadBurst forms the bursts of one connection.
class OffloadBurst
{
  public:
    /// A View is what a sender knows when it could send a packet of new data.
    struct View
    {
        std::int64_t nowNs;
        std::int64_t lastSentNs;
        std::int64_t firstSentNs; ///< of the first packet that is not acknowledged
        std::int64_t roundTripNs; ///< smoothed
        std::uint64_t room;       ///< bytes that both windows have room for, a packet or more
        std::uint64_t window;     ///< bytes, the smaller of both windows
        std::uint32_t segmentSize;
    };

    /// Sets the rate at which a pacing sender sends, or would send, in bit/s. Bursts are larger over
    /// a path whose least round trip is a few milliseconds (tcp_tso_rtt_log); INT64_MAX: not here.
    void SetRate(std::uint64_t bitsPerSecond, std::int64_t leastRoundTripNs = INT64_MAX)
    {
        const std::int64_t halvings = leastRoundTripNs / 1000 / s_roundTripUs;
        const std::uint64_t more = halvings < s_mostHalvings ? s_mostBytes >> halvings : 0;
        m_bytes = std::min(bitsPerSecond / 8 / s_burstsPerSecond + more, s_mostBytes);
    }

    /// Returns the packets of a burst at a rate in bit/s over a long path, as BBR counts them
    /// (bbr_tso_segs_goal).
    static std::uint64_t SegmentsAt(std::uint64_t bitsPerSecond, std::uint32_t segmentSize)
    {
        const std::uint64_t bytes = std::min(bitsPerSecond / 8 / s_burstsPerSecond, s_mostBytes);
        return std::max(bytes / segmentSize, s_leastSegments);
    }

    /// Returns the packets of a burst.
    std::uint64_t Segments(std::uint32_t segmentSize) const
    {
        return std::max(m_bytes / segmentSize, s_leastSegments);
    }

    /// Begins a moment at which packets can be sent: what was begun is forgotten.
    void Restart()
    {
        m_left = 0;
    }

    /// Returns whether to wait for the next acknowledgement. If not, begins a burst or goes on with
    /// one.
    bool Waits(const View& view)
    {
        if (m_left > 0)
        {
            return false;
        }
        const std::uint64_t wanted = Segments(view.segmentSize);
        const std::uint64_t possible = view.room / view.segmentSize;
        if (possible < wanted && IsWorthWaiting(view))
        {
            return true;
        }
        m_left = std::min(possible, wanted);
        return false;
    }

    void OnSent()
    {
        m_left -= m_left > 0 ? 1 : 0;
    }

  private:
    /// Returns whether an acknowledgement is due soon, after which more would leave at once.
    static bool IsWorthWaiting(const View& view)
    {
        const std::int64_t untilAckNs = view.firstSentNs + view.roundTripNs - view.nowNs;
        return view.nowNs - view.lastSentNs <= s_soonNs && view.room < view.window / s_divisor &&
               untilAckNs <= std::min(view.roundTripNs / 2, s_soonNs);
    }

    static constexpr std::uint64_t s_burstsPerSecond = 1024; ///< sk_pacing_shift of 10
    static constexpr std::uint64_t s_mostBytes = 65215;      ///< 65,536 less the room for headers
    static constexpr std::uint64_t s_leastSegments = 2;      ///< tcp_min_tso_segs
    static constexpr std::uint64_t s_divisor = 3;            ///< tcp_tso_win_divisor
    static constexpr std::int64_t s_soonNs = 1000000;
    static constexpr std::int64_t s_roundTripUs = 512; ///< tcp_tso_rtt_log of 9
    static constexpr std::int64_t s_mostHalvings = 32; ///< bits of sk_gso_max_size

    std::uint64_t m_bytes = 0; ///< of a burst; the first are as small as they may be
    std::uint64_t m_left = 0;  ///< packets of the burst
};

} // namespace ns3
