// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/plain-path.h"

#include <algorithm>

namespace geotrain
{

namespace
{

constexpr double longestStay = 3.6e12; // an hour, in ns, whatever a model file holds

} // namespace

PlainPath::PlainPath(const PathParameters& path, RandomStream draws, RandomStream losses)
    : m_predictor(path, draws),
      m_losses(losses),
      m_emptyingNs(8e9 * static_cast<double>(path.buffer.Count()) /
                   static_cast<double>(path.rate.ToBitsPerSecond())),
      m_windowNs(path.network->window.ToNanoseconds())
{
}

std::optional<Duration>
PlainPath::Offer(Instant now, Bytes size)
{
    const std::int64_t sent = now.ToNanoseconds();
    while (m_windowEnd <= sent)
    {
        m_prediction = m_predictor.Next();
        m_windowEnd += m_windowNs;
    }
    const auto bytes = static_cast<double>(size.Count());
    if (m_losses.Uniform() < m_prediction.loss)
    {
        m_predictor.Add(sent, bytes, std::nullopt);
        return std::nullopt;
    }
    const double stay = std::min(m_prediction.share * m_emptyingNs, longestStay);
    m_lastDeparture = std::max(m_lastDeparture, sent + static_cast<std::int64_t>(stay));
    m_predictor.Add(sent, bytes, static_cast<double>(m_lastDeparture - sent));
    return Duration::Nanoseconds(m_lastDeparture - sent);
}

} // namespace geotrain
