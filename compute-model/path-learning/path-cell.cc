// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/path-cell.h"

#include <cmath>
#include <limits>

namespace geotrain
{

namespace
{

constexpr double bitNsPerByteSecond = 8e9; // bit/s over bytes/ns

} // namespace

PathCell::PathCell(const PathParameters& parameters, RandomStream draws)
    : m_crossTraffic(parameters.crossTraffic),
      m_buffer(parameters.rate, parameters.buffer),
      m_binEnd(std::numeric_limits<std::int64_t>::max())
{
    if (parameters.network)
    {
        m_predictor = std::make_unique<WindowPredictor>(parameters, draws);
        const WindowNetwork& network = *parameters.network;
        m_binNs = network.window.ToNanoseconds() / static_cast<std::int64_t>(network.slots);
    }
    else if (!m_crossTraffic.bitsPerSecond.empty())
    {
        m_binNs = m_crossTraffic.bin.ToNanoseconds();
    }
    if (m_binNs > 0)
    {
        m_buffer.SetCrossTraffic(NextCrossTraffic());
        m_binEnd = m_binNs;
    }
}

std::optional<Duration>
PathCell::Offer(Instant now, Bytes size)
{
    Advance(now.ToNanoseconds());
    const auto bytes = static_cast<double>(size.Count());
    const std::optional<double> stay = m_buffer.Offer(bytes);
    if (m_predictor)
    {
        m_predictor->Add(now.ToNanoseconds(), bytes, stay);
    }
    return stay ? std::optional(Duration::Nanoseconds(std::llround(*stay))) : std::nullopt;
}

double
PathCell::Backlog() const
{
    return m_buffer.Backlog();
}

/// Follows the buffer to `now`.
void
PathCell::Advance(std::int64_t now)
{
    while (m_binEnd <= now)
    {
        m_buffer.Drift(m_binEnd);
        m_binEnd += m_binNs;
        m_buffer.SetCrossTraffic(NextCrossTraffic());
    }
    m_buffer.Drift(now);
}

/// Returns the rate of cross traffic in the bin that begins, in bytes per ns.
double
PathCell::NextCrossTraffic()
{
    if (m_predictor)
    {
        return m_predictor->Next().shares.front() * m_buffer.BytesPerNs();
    }
    const double next = m_crossTraffic.bitsPerSecond[m_nextBin];
    m_nextBin = (m_nextBin + 1) % m_crossTraffic.bitsPerSecond.size();
    return next / bitNsPerByteSecond;
}

} // namespace geotrain
