// SPDX-License-Identifier: GPL-2.0-only
#include "prefill-service/request-generator.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

RequestGenerator::RequestGenerator(GeneratorOptions options, std::uint64_t seed)
    : m_options(options),
      m_arrivals(seed, "request-generator", "arrivals"),
      m_lengths(seed, "request-generator", "prompt lengths")
{
}

/// Draws an interval in seconds. With p = (1 + sqrt((c^2-1) / (c^2+1))) / 2 the rates are 2 p r and
/// 2 (1-p) r, which give the mean 1/r and the variation c.
double
RequestGenerator::Interval()
{
    const double square = m_options.burstiness * m_options.burstiness;
    const double p = (1 + std::sqrt((square - 1) / (square + 1))) / 2;
    const double share = m_arrivals.Uniform() < p ? p : 1 - p;
    return -std::log(m_arrivals.Uniform()) / (2 * share * m_options.requestsPerSecond);
}

std::optional<PrefillRequest>
RequestGenerator::Next()
{
    if (m_options.most > 0 && m_given == m_options.most)
    {
        return std::nullopt;
    }
    m_seconds += Interval();
    const double tokens =
        std::round(m_options.medianTokens * std::exp(m_options.sigma * m_lengths.Normal()));
    const double cut = std::clamp(tokens, 1.0, static_cast<double>(m_options.mostTokens));
    return PrefillRequest{
        ++m_given, Instant() + Duration::Seconds(m_seconds), static_cast<std::uint32_t>(cut)};
}

} // namespace geotrain
