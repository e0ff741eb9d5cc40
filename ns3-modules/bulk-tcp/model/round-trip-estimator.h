// SPDX-License-Identifier: GPL-2.0-only
// Computes the smoothed round-trip time and its variation (RFC 6298, section 2). It gives the
// numbers of ns-3's RttMeanDeviation with that class's default gains, in the same integer
// arithmetic.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace ns3
{

/// RoundTripEstimator holds the estimates of one connection.
class RoundTripEstimator
{
  public:
    /// Takes a measured round trip of at least 1 ns.
    void Measure(std::int64_t rttNs)
    {
        if (!HasSample())
        {
            m_smoothedNs = rttNs;
            m_variationNs = rttNs / 2;
            return;
        }
        const std::int64_t error = rttNs - m_smoothedNs;
        m_smoothedNs = (m_smoothedNs * 8 + error) >> 3; // alpha = 1/8
        const std::int64_t deviation = std::abs(error) - m_variationNs;
        m_variationNs = (m_variationNs * 4 + deviation) >> 2; // beta = 1/4
    }

    bool HasSample() const
    {
        return m_smoothedNs > 0;
    }

    std::int64_t SmoothedNs() const
    {
        return m_smoothedNs;
    }

    std::int64_t VariationNs() const
    {
        return m_variationNs;
    }

  private:
    std::int64_t m_smoothedNs = 0;
    std::int64_t m_variationNs = 0;
};

} // namespace ns3
