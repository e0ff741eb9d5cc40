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

PathCell::PathCell(const PathParameters& path, RandomStream draws)
    : m_crossTraffic(path.crossTraffic),
      m_buffer(path.rate, path.buffer),
      m_binEnd(std::numeric_limits<std::int64_t>::max())
{
    if (path.crossTraffic.yields)
    {
        m_yielding.emplace(path.crossTraffic, path);
    }
    else if (path.network)
    {
        m_predictor = std::make_unique<WindowPredictor>(path, draws);
        const WindowNetwork& network = *path.network;
        m_binNs = network.window.ToNanoseconds() / static_cast<std::int64_t>(network.slots);
    }
    else if (!m_crossTraffic.bitsPerSecond.empty())
    {
        m_binNs = m_crossTraffic.bin.ToNanoseconds();
    }
    if (m_binNs > 0)
    {
        BeginBin();
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

/// Follows the buffer to `now`.
void
PathCell::Advance(std::int64_t now)
{
    if (m_yielding)
    {
        m_yielding->Advance(now, m_buffer);
        return;
    }
    while (m_binEnd <= now)
    {
        m_buffer.Drift(m_binEnd);
        m_binEnd += m_binNs;
        BeginBin();
    }
    m_buffer.Drift(now);
}

/// Sets the cross traffic of the bin that begins.
void
PathCell::BeginBin()
{
    if (m_predictor)
    {
        m_buffer.SetCrossTraffic(m_predictor->Next().share * m_buffer.BytesPerNs());
        return;
    }
    m_buffer.SetCrossTraffic(m_crossTraffic.bitsPerSecond[m_nextBin] / bitNsPerByteSecond);
    m_nextBin = (m_nextBin + 1) % m_crossTraffic.bitsPerSecond.size();
}

} // namespace geotrain
