// SPDX-License-Identifier: GPL-2.0-only
#include "timing/compute-jitter.h"

#include "units/random-stream.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace geotrain
{

ComputeJitter::ComputeJitter(std::uint64_t seed, double relativeDeviation)
    : m_seed(seed),
      m_relativeDeviation(relativeDeviation)
{
    if (!(relativeDeviation >= 0) || !std::isfinite(relativeDeviation))
    {
        throw std::invalid_argument("relativeDeviation must be a number of at least 0");
    }
}

Duration
ComputeJitter::Apply(std::uint32_t worker,
                     std::uint32_t iteration,
                     std::uint64_t position,
                     Duration duration) const
{
    if (m_relativeDeviation == 0)
    {
        return duration;
    }
    constexpr double leastFactor = 0.1; // keeps durations positive
    const std::string entity =
        std::to_string(worker) + "/" + std::to_string(iteration) + "/" + std::to_string(position);
    const double deviation = RandomStream(m_seed, "compute-jitter", entity).Normal();
    const double factor = std::max(leastFactor, 1 + m_relativeDeviation * deviation);
    return Duration::Nanoseconds(
        std::llround(static_cast<double>(duration.ToNanoseconds()) * factor));
}

Duration
BreakTie(std::uint32_t worker,
         std::uint32_t /*iteration*/,
         std::uint64_t position,
         Duration duration)
{
    constexpr std::int64_t steps = 16; // ns; a millionth of what a stage usually computes
    const std::string entity = std::to_string(worker) + "/" + std::to_string(position);
    return duration + Duration::Nanoseconds(StreamNumber("ties", entity) % steps);
}

} // namespace geotrain
