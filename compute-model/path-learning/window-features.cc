// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/window-features.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

WindowFeatures::WindowFeatures(const PathParameters& path, Duration window)
    : m_bytesPerNs(static_cast<double>(path.rate.ToBitsPerSecond()) / 8e9),
      m_emptyingNs(static_cast<double>(path.buffer.Count()) / m_bytesPerNs),
      m_windowNs(static_cast<double>(window.ToNanoseconds()))
{
}

void
WindowFeatures::Add(std::int64_t sent, double bytes, std::optional<double> stay)
{
    if (m_packets == 0)
    {
        m_first = sent;
    }
    m_last = sent;
    m_packets += 1;
    m_bytes += bytes;
    if (stay)
    {
        AddArrival(sent, bytes, *stay);
    }
}

/// The buffer was busy all the time since the arrival before if that was still in it.
void
WindowFeatures::AddArrival(std::int64_t sent, double bytes, double stay)
{
    m_arrived += 1;
    m_stayed += stay;
    m_longest = std::max(m_longest, stay);
    const auto gap = static_cast<double>(sent - m_sentBefore);
    if (m_hasBefore && m_stayBefore >= gap)
    {
        m_busyNs += gap;
        m_crossBytes += m_bytesPerNs * (stay - m_stayBefore + gap) - bytes;
    }
    m_hasBefore = true;
    m_sentBefore = sent;
    m_stayBefore = stay;
}

const WindowFeatures::Values&
WindowFeatures::Finish()
{
    const double gap = static_cast<double>(m_last - m_first) / std::max(1.0, m_packets - 1);
    m_values[0] = std::log1p(m_packets);
    m_values[1] = m_bytes / (m_bytesPerNs * m_windowNs);
    m_values[2] = m_packets < 2 ? 1 : gap / m_windowNs;
    if (m_arrived > 0)
    {
        m_values[3] = m_stayed / m_arrived / m_emptyingNs;
        m_values[4] = m_longest / m_emptyingNs;
    }
    m_values[5] = m_packets > 0 ? 1 - m_arrived / m_packets : 0;
    m_values[6] = m_busyNs / m_windowNs;
    if (m_busyNs > 0)
    {
        m_values[7] = m_crossBytes / (m_bytesPerNs * m_busyNs);
    }
    m_packets = m_bytes = m_arrived = m_stayed = m_longest = m_busyNs = m_crossBytes = 0;
    return m_values;
}

} // namespace geotrain
