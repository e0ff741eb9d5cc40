// SPDX-License-Identifier: GPL-2.0-only
// Models a FIFO buffer that packets share with a fluid of cross traffic. Between two packets the
// backlog is a line that ends where the buffer is empty or full. It has no clock.
#pragma once

#include "units/bytes.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace geotrain
{

/// FifoBuffer is one buffer. Times are in ns.
class FifoBuffer
{
  public:
    FifoBuffer(BitRate rate, Bytes buffer)
        : m_bytesPerNs(static_cast<double>(rate.ToBitsPerSecond()) / 8e9),
          m_buffer(static_cast<double>(buffer.Count())),
          m_netPerNs(-m_bytesPerNs)
    {
    }

    /// Sets the cross traffic from now on, in bytes per ns.
    void SetCrossTraffic(double bytesPerNs)
    {
        m_netPerNs = bytesPerNs - m_bytesPerNs;
    }

    /// Follows the buffer to `until`, which never goes back.
    void Drift(std::int64_t until)
    {
        m_backlog += m_netPerNs * static_cast<double>(until - m_now);
        m_backlog = std::min(std::max(m_backlog, 0.0), m_buffer);
        m_now = until;
    }

    /// Returns after how many ns the last bit of a packet leaves that comes now, if it fits.
    double StayOf(double bytes) const
    {
        return (m_backlog + bytes) / m_bytesPerNs;
    }

    /// Adds a packet at the time to which the buffer was followed. Returns after how many ns its last
    /// bit leaves; nothing where it is dropped.
    std::optional<double> Offer(double bytes)
    {
        if (m_backlog + bytes > m_buffer)
        {
            return std::nullopt;
        }
        m_backlog += bytes;
        return m_backlog / m_bytesPerNs;
    }

    double BytesPerNs() const
    {
        return m_bytesPerNs;
    }

  private:
    double m_bytesPerNs; ///< rate at which it empties
    double m_buffer;     ///< bytes
    double m_netPerNs;   ///< growth of the backlog, in bytes per ns
    double m_backlog = 0;
    std::int64_t m_now = 0;
};

} // namespace geotrain
