// SPDX-License-Identifier: GPL-2.0-only
// Draws a random delay per packet: uniform or normal, drawn again where it would be below 0 (a
// truncated distribution).
#pragma once

#include "wan/link-impairments.h"

#include "units/random-stream.h"

#include <cmath>

namespace ns3
{

/// Jitter is the source of a link's random delays.
class Jitter
{
  public:
    Jitter(const geotrain::JitterSettings& settings, const geotrain::RandomStream& random)
        : m_settings(settings),
          m_random(random)
    {
    }

    /// Returns a delay of at least 0, rounded to the nanosecond.
    geotrain::Duration Draw()
    {
        const auto mean = static_cast<double>(m_settings.mean.ToNanoseconds());
        const auto deviation = static_cast<double>(m_settings.deviation.ToNanoseconds());
        double delay = mean + deviation * Deviate();
        while (delay < 0) // at least half of the draws are not, since the mean isn't
        {
            delay = mean + deviation * Deviate();
        }
        return geotrain::Duration::Nanoseconds(std::llround(delay));
    }

  private:
    double Deviate()
    {
        return m_settings.distribution == geotrain::JitterSettings::Distribution::Normal
                   ? m_random.Normal()
                   : 2 * m_random.Uniform() - 1;
    }

    geotrain::JitterSettings m_settings;
    geotrain::RandomStream m_random;
};

} // namespace ns3
