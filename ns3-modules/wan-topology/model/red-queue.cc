// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/red-queue.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3
{

using geotrain::Bytes;
using geotrain::Duration;

RedQueue::RedQueue(const geotrain::RedSettings& settings,
                   Bytes meanPacket,
                   geotrain::BitRate rate,
                   std::function<double()> uniform)
    : m_settings(settings),
      m_min(settings.minThreshold.value),
      m_max(settings.maxThreshold.value),
      m_meanPacket(meanPacket.Count()),
      m_packetsPerSecond(static_cast<double>(rate.ToBitsPerSecond()) /
                         (8.0 * static_cast<double>(meanPacket.Count()))),
      m_uniform(std::move(uniform))
{
}

AqmVerdict
RedQueue::Decide(std::optional<Duration> idle, Bytes queued, Bytes size, bool ecnCapable)
{
    Average(idle, queued);
    m_bytesSinceDrop += size.Count();
    if (m_average < m_min || queued <= Bytes::Of(1))
    {
        m_above = false;
        return AqmVerdict::Pass;
    }
    if (m_average >= (m_settings.gentle ? 2 * m_max : m_max))
    {
        return AqmVerdict::Drop;
    }
    if (!m_above)
    {
        m_above = true;
        m_bytesSinceDrop = size.Count();
        return AqmVerdict::Pass;
    }
    if (!DropsEarly(size))
    {
        return AqmVerdict::Pass;
    }
    m_bytesSinceDrop = 0;
    return m_settings.ecn && ecnCapable ? AqmVerdict::Mark : AqmVerdict::Drop;
}

/// Updates the average: avg <- (1 - w)^(m + 1) avg + w q, where m packets could have been sent
/// while the link was idle.
void
RedQueue::Average(std::optional<Duration> idle, Bytes queued)
{
    const double weight = m_settings.weight;
    double keep = 1 - weight;
    if (idle)
    {
        keep = std::pow(keep, std::floor(m_packetsPerSecond * idle->ToSeconds()) + 1);
    }
    m_average = m_average * keep + weight * static_cast<double>(queued.Count());
}

/// Computes p_b from the average, and p_a = p_b / (1 - count p_b), times the packet's share of a
/// mean one (section 4).
bool
RedQueue::DropsEarly(Bytes size)
{
    const double base = BaseProbability();
    const auto count = static_cast<double>(m_bytesSinceDrop / m_meanPacket);
    double probability = count * base < 1 ? base / (1 - count * base) : 1;
    if (probability < 1)
    {
        probability =
            probability * static_cast<double>(size.Count()) / static_cast<double>(m_meanPacket);
    }
    return m_uniform() <= probability;
}

double
RedQueue::BaseProbability() const
{
    const double greatest = m_settings.maxProbability;
    if (m_average >= m_max)
    {
        return std::min(1.0, greatest + (1 - greatest) * (m_average - m_max) / m_max);
    }
    return greatest * (m_average - m_min) / (m_max - m_min);
}

} // namespace ns3
