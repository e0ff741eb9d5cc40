// SPDX-License-Identifier: GPL-2.0-only
// Leaves slow start before the queue overflows, when the round-trip time rises (RFC 9406). A
// function of acknowledgements; ignores the limit L on growth an acknowledgement, since delayed
// acknowledgements cover two segments.
#pragma once

#include <cstdint>

namespace ns3
{

class HyStartPlusPlus
{
  public:
    enum class Phase
    {
        SlowStart,
        Conservative, ///< CSS: growth is a quarter
        Done          ///< congestion avoidance: ssthresh is to be cwnd
    };

    /// The constants of RFC 9406, section 4.3.
    struct Constants
    {
        std::int64_t minThresholdNs =
            4000000; ///< MIN_RTT_THRESH: the least rise of the round trip that counts
        std::int64_t maxThresholdNs = 16000000; ///< MAX_RTT_THRESH: a rise that counts in any case
        std::int64_t thresholdDivisor = 8;    ///< MIN_RTT_DIVISOR: else that part of the round trip
        std::uint32_t samples = 8;            ///< N_RTT_SAMPLE: measurements that a round needs
        std::uint32_t growthDivisor = 4;      ///< CSS_GROWTH_DIVISOR
        std::uint32_t conservativeRounds = 5; ///< CSS_ROUNDS
    };

    HyStartPlusPlus() = default;

    explicit HyStartPlusPlus(const Constants& constants)
        : m_constants(constants)
    {
    }

    /// `una` and `highTx` after the acknowledgement; `rttNs` negative: none measured.
    Phase OnAck(std::int64_t rttNs, std::uint64_t una, std::uint64_t highTx);

    /// How many of `segments` the window may grow by.
    std::uint32_t Growth(std::uint32_t segments);

    /// Slow start begins again (after a timeout or an idle time).
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
