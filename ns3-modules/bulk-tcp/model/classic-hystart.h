// SPDX-License-Identifier: GPL-2.0-only
// Implements HyStart as Linux's CUBIC does (Ha, Rhee, Computer Networks 55(9), 2011): slow start ends at
// once, where HyStart++ (RFC 9406) slows down first. It is a function of acknowledgements.
#pragma once

#include <cstdint>

namespace ns3
{

/// ClassicHyStart is the state of one connection.
class ClassicHyStart
{
  public:
    /// An Ack is an acknowledgement. `una` and `highTx` are the values after it.
    struct Ack
    {
        std::int64_t nowNs;
        std::int64_t rttNs; ///< negative: none was measured
        std::uint64_t una;
        std::uint64_t highTx;
        std::uint32_t window; ///< segments
        bool isPaced;
    };

    /// Returns whether slow start is over: acknowledgements have come in a train, at most 2 ms apart,
    /// for half of the least round trip (all of it where the sender is paced) and the aggregation that
    /// an offload may cause, or the least round trip of eight of this round exceeds the least of all by an
    /// eighth, 4 to 16 ms.
    bool OnAck(const Ack& ack);

  private:
    void BeginRound(const Ack& ack);
    bool IsLongTrain(const Ack& ack);
    bool HasDelay(std::int64_t rttNs);

    static constexpr std::int64_t s_unknown = INT64_MAX;

    std::int64_t m_leastNs = s_unknown;      ///< round trip of all
    std::int64_t m_roundLeastNs = s_unknown; ///< round trip of this round
    std::int64_t m_roundBeginNs = 0;
    std::int64_t m_lastAckNs = 0; ///< of the train
    std::uint64_t m_roundEnd = 0;
    std::uint32_t m_samples = 0;
};

} // namespace ns3
