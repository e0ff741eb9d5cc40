// SPDX-License-Identifier: GPL-2.0-only
// Implements HyStart++ (RFC 9406), which leaves slow start when the round-trip time rises, before
// the queue overflows. It is a function of acknowledgements. It ignores the limit L on growth per
// acknowledgement, since delayed acknowledgements cover two segments.
#pragma once

#include <cstdint>

namespace ns3
{

/// HyStartPlusPlus is the state of one connection.
class HyStartPlusPlus
{
  public:
    enum class Phase
    {
        SlowStart,
        Conservative, ///< CSS: growth is divided by growthDivisor
        Done          ///< congestion avoidance: the caller sets ssthresh to cwnd
    };

    /// Constants are those of RFC 9406, section 4.3.
    struct Constants
    {
        std::int64_t minThresholdNs =
            4000000; ///< MIN_RTT_THRESH: least threshold on the rise of the round trip
        std::int64_t maxThresholdNs = 16000000; ///< MAX_RTT_THRESH: greatest threshold
        /// MIN_RTT_DIVISOR: between them, the threshold is the round trip divided by this.
        std::int64_t thresholdDivisor = 8;
        std::uint32_t samples = 8;            ///< N_RTT_SAMPLE: measurements that a round needs
        std::uint32_t growthDivisor = 4;      ///< CSS_GROWTH_DIVISOR
        /// CSS_ROUNDS; the round in which conservative slow start begins counts (section 4.2).
        std::uint32_t conservativeRounds = 5;
    };

    HyStartPlusPlus() = default;

    explicit HyStartPlusPlus(const Constants& constants)
        : m_constants(constants)
    {
    }

    /// Takes an acknowledgement. `una` and `highTx` are the values after it. `rttNs` is negative if
    /// none was measured.
    Phase OnAck(std::int64_t rttNs, std::uint64_t una, std::uint64_t highTx);

    /// Returns by how many of `segments` the window may grow.
    std::uint32_t Growth(std::uint32_t segments);

    /// Begins the measurements again, after an idle time.
    void Restart(std::uint64_t highTx);

  private:
    void BeginRound(std::uint64_t highTx);

    static constexpr std::int64_t s_unknown = INT64_MAX;

    Constants m_constants;
    Phase m_phase = Phase::SlowStart;
    std::uint64_t m_roundEnd = 0;
    std::int64_t m_lastMinNs = s_unknown;
    std::int64_t m_minNs = s_unknown;
    std::int64_t m_baselineNs = s_unknown;
    std::uint32_t m_samples = 0;
    std::uint32_t m_conservativeRounds = 0;
    std::uint32_t m_remainder = 0;
};

} // namespace ns3
