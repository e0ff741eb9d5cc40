// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/path-cell.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{

using geotrain::Bytes;
using geotrain::Duration;
using geotrain::Instant;

namespace
{

constexpr double bitNsPerByteSecond = 8e9; // bit/s over bytes/ns

} // namespace

PathCell::PathCell(const geotrain::PathParameters& parameters)
    : m_crossTraffic(parameters.crossTraffic),
      m_bytesPerNs(static_cast<double>(parameters.rate.ToBitsPerSecond()) / bitNsPerByteSecond),
      m_buffer(static_cast<double>(parameters.buffer.Count())),
      m_netPerNs(-m_bytesPerNs),
      m_binEnd(std::numeric_limits<std::int64_t>::max())
{
    if (!m_crossTraffic.bitsPerSecond.empty())
    {
        m_netPerNs += m_crossTraffic.bitsPerSecond.front() / bitNsPerByteSecond;
        m_binEnd = m_crossTraffic.bin.ToNanoseconds();
    }
}

std::optional<Duration>
PathCell::Offer(Instant now, Bytes size)
{
    Advance(now.ToNanoseconds());
    const double backlog = m_backlog + static_cast<double>(size.Count());
    if (backlog > m_buffer)
    {
        return std::nullopt;
    }
    m_backlog = backlog;
    return Duration::Nanoseconds(std::llround(backlog / m_bytesPerNs));
}

double
PathCell::Backlog() const
{
    return m_backlog;
}

/// Follows the buffer to `now`.
void
PathCell::Advance(std::int64_t now)
{
    while (m_binEnd <= now)
    {
        Drift(m_binEnd);
        m_bin = (m_bin + 1) % m_crossTraffic.bitsPerSecond.size();
        m_binEnd += m_crossTraffic.bin.ToNanoseconds();
        m_netPerNs = m_crossTraffic.bitsPerSecond[m_bin] / bitNsPerByteSecond - m_bytesPerNs;
    }
    Drift(now);
}

/// Follows the buffer within a bin: a line that ends where the buffer is empty or full.
void
PathCell::Drift(std::int64_t until)
{
    m_backlog += m_netPerNs * static_cast<double>(until - m_now);
    m_backlog = std::min(std::max(m_backlog, 0.0), m_buffer);
    m_now = until;
}

} // namespace ns3
