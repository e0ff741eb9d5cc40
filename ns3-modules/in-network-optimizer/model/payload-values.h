// SPDX-License-Identifier: GPL-2.0-only
// Gives the integers that a worker's packets carry. Where a run has no gradients of its own they
// are a pattern of which the sum over workers is known, so that a server can check that each
// worker's packet was added once: lane p is (worker + 1)^p times an odd hash of the sequence.
#pragma once

#include "in-network/aggregation-slots.h"
#include "units/bytes.h"

#include <ns3/abort.h>

namespace ns3
{

/// PayloadValues are the first integers of each packet of a stream.
class PayloadValues
{
  public:
    virtual ~PayloadValues() = default;
    virtual geotrain::AggregationSlots::Lanes At(std::int64_t sequence) const = 0;
};

/// PatternValues are the pattern of a worker, or its sum over several.
class PatternValues : public PayloadValues
{
  public:
    static PatternValues OfWorker(std::uint32_t worker)
    {
        PatternValues values;
        std::uint32_t power = 1;
        for (std::uint32_t& factor : values.m_factors)
        {
            factor = power;
            power *= worker + 1;
        }
        return values;
    }

    void Add(const PatternValues& other)
    {
        for (std::size_t lane = 0; lane < m_factors.size(); ++lane)
        {
            m_factors[lane] += other.m_factors[lane];
        }
    }

    geotrain::AggregationSlots::Lanes At(std::int64_t sequence) const override
    {
        const std::uint32_t hash = // Knuth's multiplicative hash (TAOCP 6.4), made odd
            (static_cast<std::uint32_t>(sequence) * 2654435769u) | 1u;
        geotrain::AggregationSlots::Lanes lanes;
        for (std::size_t lane = 0; lane < lanes.size(); ++lane)
        {
            lanes[lane] = static_cast<std::int32_t>(m_factors[lane] * hash);
        }
        return lanes;
    }

  private:
    std::array<std::uint32_t, 4> m_factors{};
};

/// A PayloadSink takes the packets of a stream, each once, in whatever order they come.
class PayloadSink
{
  public:
    virtual ~PayloadSink() = default;
    virtual void Take(std::int64_t sequence,
                      geotrain::Bytes length,
                      const geotrain::AggregationSlots::Lanes& lanes) = 0;
};

/// SumCheck ends the program where a sum does not hold the packet of each worker once.
class SumCheck : public PayloadSink
{
  public:
    explicit SumCheck(const PatternValues& sums)
        : m_sums(sums)
    {
    }

    void Take(std::int64_t sequence,
              geotrain::Bytes /*length*/,
              const geotrain::AggregationSlots::Lanes& lanes) override
    {
        NS_ABORT_MSG_IF(lanes != m_sums.At(sequence),
                        "the sum of gradient packet " << sequence
                                                      << " does not hold each worker's once");
    }

  private:
    PatternValues m_sums;
};

} // namespace ns3
