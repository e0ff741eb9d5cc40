// SPDX-License-Identifier: GPL-2.0-only
// Describes a window of time on a path by what its sender did and what came back: the numbers that a
// network over windows reads. They are relative to the path's rate, buffer and window.
//
//     0  logarithm of one more than the packets sent
//     1  bytes sent over what the rate carries in a window
//     2  mean gap between packets over the window; 1 for fewer than two packets
//     3  mean delay in the buffer over the time in which the buffer empties
//     4  greatest such delay
//     5  share of the packets lost
//     6  share of the window in which the buffer is known to have been busy
//     7  cross traffic by conservation of bytes while it was busy, over the rate
//
// 3, 4 and 7 stay as they were in windows that say nothing of them.
#pragma once

#include "wan/learned-link.h"

#include <array>
#include <cstdint>
#include <optional>

namespace geotrain
{

/// WindowFeatures describes one window after the other.
class WindowFeatures
{
  public:
    using Values = std::array<double, windowFeatures>;

    WindowFeatures(const PathParameters& path, Duration window);

    /// Adds a packet that was sent in the present window. `stay` is its delay in ns beyond the
    /// propagation; none: it was lost.
    void Add(std::int64_t sent, double bytes, std::optional<double> stay);

    /// Returns the present window's features, and begins the next.
    const Values& Finish();

  private:
    void AddArrival(std::int64_t sent, double bytes, double stay);

    double m_bytesPerNs;
    double m_emptyingNs; ///< time in which the buffer empties
    double m_windowNs;

    // Of the present window.
    double m_packets = 0;
    double m_bytes = 0;
    double m_arrived = 0;
    double m_stayed = 0;  ///< ns, summed
    double m_longest = 0; ///< ns
    double m_busyNs = 0;
    double m_crossBytes = 0; ///< while busy
    std::int64_t m_first = 0;
    std::int64_t m_last = 0;

    // Of the arrival before, perhaps in an earlier window.
    bool m_hasBefore = false;
    std::int64_t m_sentBefore = 0;
    double m_stayBefore = 0;

    Values m_values{};
};

} // namespace geotrain
