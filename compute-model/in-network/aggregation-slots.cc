// SPDX-License-Identifier: GPL-2.0-only
#include "in-network/aggregation-slots.h"

#include <stdexcept>

namespace geotrain
{

namespace
{

constexpr std::size_t slotVersions = 2;

void
AddLanes(AggregationSlots::Lanes& sum, const AggregationSlots::Lanes& lanes)
{
    for (std::size_t lane = 0; lane < sum.size(); ++lane)
    {
        sum[lane] = static_cast<std::int32_t>(static_cast<std::uint32_t>(sum[lane]) +
                                              static_cast<std::uint32_t>(lanes[lane]));
    }
}

} // namespace

AggregationSlots::AggregationSlots(std::uint32_t slots, std::uint32_t children)
    : m_children(children),
      m_copies(slotVersions * slots)
{
    if (slots == 0 || children == 0 || children > 64)
    {
        throw std::invalid_argument("no slot, or no such bitmap");
    }
}

AggregationSlots::Copy&
AggregationSlots::CopyOf(std::int64_t sequence)
{
    // (sequence mod slots, round mod 2) as one remainder.
    return m_copies[static_cast<std::size_t>(sequence) % m_copies.size()];
}

AggregationSlots::Verdict
AggregationSlots::Add(std::uint32_t child, std::int64_t sequence, const Lanes& lanes)
{
    Copy& copy = CopyOf(sequence);
    const std::uint64_t bit = std::uint64_t{1} << child;
    if (sequence < copy.sequence)
    {
        return Verdict::Stale;
    }
    if (sequence > copy.sequence)
    {
        if (copy.count != 0)
        {
            return Verdict::Overrun;
        }
        copy.sequence = sequence;
        copy.seen = 0;
    }
    if ((copy.seen & bit) != 0)
    {
        return copy.count == 0 ? Verdict::Answered : Verdict::Duplicate;
    }
    return AddTo(copy, bit, lanes);
}

AggregationSlots::Verdict
AggregationSlots::AddTo(Copy& copy, std::uint64_t bit, const Lanes& lanes)
{
    if (copy.count == 0)
    {
        copy.sum = lanes; // the first packet overwrites the shadow copy
        ++m_waiting;
    }
    else
    {
        AddLanes(copy.sum, lanes);
    }
    copy.seen |= bit;
    if (++copy.count < m_children)
    {
        return Verdict::Waiting;
    }
    copy.count = 0;
    --m_waiting;
    return Verdict::Complete;
}

const AggregationSlots::Lanes&
AggregationSlots::Result(std::int64_t sequence) const
{
    return m_copies[static_cast<std::size_t>(sequence) % m_copies.size()].sum;
}

std::uint32_t
AggregationSlots::Waiting() const
{
    return m_waiting;
}

} // namespace geotrain
