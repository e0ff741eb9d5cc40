// SPDX-License-Identifier: GPL-2.0-only
// Models a switch's pool of slots as SwitchML does (NSDI'21, algorithm 3): a sequence number gives
// a slot (modulo the slots) and a version bit (the parity of the round); each slot has for each
// version a bitmap of the children seen, their count and the sum, which stays as the shadow copy
// after the slot went on to the other version. SwitchML lets a packet clear the bit of the other
// version, which is safe where links are FIFO. Here a copy keeps the sequence number that it is
// for, as LuWu's packets carry one, so that a packet that was overtaken can't be added to a later
// sum. There is no clock here.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace geotrain
{

/// AggregationSlots add up the packets of the children, each once.
class AggregationSlots
{
  public:
    using Lanes = std::array<std::int32_t, 4>;

    /// Verdict says what became of a packet.
    enum class Verdict
    {
        Waiting,   ///< added; others are missing
        Complete,  ///< added, and it was the last one: the result is to be sent
        Answered,  ///< a duplicate of a complete slot: the result is to be sent again
        Duplicate, ///< a duplicate of a slot that waits for others
        Stale,     ///< older than what the copy holds: nobody needs it
        Overrun    ///< not added: its slot still waits for others' packets of two rounds earlier
    };

    /// `slots` is at least 1, and `children` 1 to 64.
    AggregationSlots(std::uint32_t slots, std::uint32_t children);

    /// Adds the packet `sequence` of `child`.
    Verdict Add(std::uint32_t child, std::int64_t sequence, const Lanes& lanes);

    /// Returns the sum for `sequence`, to which Add() just said Complete or Answered.
    const Lanes& Result(std::int64_t sequence) const;

    /// Returns the slots whose sum waits for a child.
    std::uint32_t Waiting() const;

  private:
    struct Copy
    {
        std::int64_t sequence = -1;
        std::uint64_t seen = 0; ///< a bit for each child
        std::uint32_t count = 0;
        Lanes sum{};
    };

    Verdict AddTo(Copy& copy, std::uint64_t bit, const Lanes& lanes);
    Copy& CopyOf(std::int64_t sequence);

    std::uint32_t m_children;
    std::uint32_t m_waiting = 0;
    std::vector<Copy> m_copies; ///< all slots of version 0, then those of version 1
};

} // namespace geotrain
