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

PathCell::PathCell(const geotrain::PathParameters& parameters, geotrain::RandomStream draws)
    : m_crossTraffic(parameters.crossTraffic),
      m_bytesPerNs(static_cast<double>(parameters.rate.ToBitsPerSecond()) / bitNsPerByteSecond),
      m_buffer(static_cast<double>(parameters.buffer.Count())),
      m_netPerNs(-m_bytesPerNs),
      m_binEnd(std::numeric_limits<std::int64_t>::max())
{
    if (parameters.network)
    {
        m_predictor = std::make_unique<WindowPredictor>(parameters, draws);
        m_binNs = parameters.network->window.ToNanoseconds();
    }
    else if (!m_crossTraffic.bitsPerSecond.empty())
    {
        m_binNs = m_crossTraffic.bin.ToNanoseconds();
    }
    if (m_binNs > 0)
    {
        m_netPerNs = NextCrossTraffic() - m_bytesPerNs;
        m_binEnd = m_binNs;
    }
}

std::optional<Duration>
PathCell::Offer(Instant now, Bytes size)
{
    Advance(now.ToNanoseconds());
    const auto bytes = static_cast<double>(size.Count());
    const bool fits = m_backlog + bytes <= m_buffer;
    m_backlog += fits ? bytes : 0;
    std::optional<double> stay;
    if (fits)
    {
        stay = m_backlog / m_bytesPerNs;
    }
    if (m_predictor)
    {
        m_predictor->Add(m_now, bytes, stay);
    }
    return stay ? std::optional(Duration::Nanoseconds(std::llround(*stay))) : std::nullopt;
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
        m_binEnd += m_binNs;
        m_netPerNs = NextCrossTraffic() - m_bytesPerNs;
    }
    Drift(now);
}

/// Returns the rate of cross traffic in the bin that begins, in bytes per ns.
double
PathCell::NextCrossTraffic()
{
    if (m_predictor)
    {
        return m_predictor->Next().share * m_bytesPerNs;
    }
    const double next = m_crossTraffic.bitsPerSecond[m_nextBin];
    m_nextBin = (m_nextBin + 1) % m_crossTraffic.bitsPerSecond.size();
    return next / bitNsPerByteSecond;
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
