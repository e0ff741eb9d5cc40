// SPDX-License-Identifier: GPL-2.0-only
// The heuristic of ZB-V (Qi et al., arXiv 2401.10241, section 6): after a warm-up in which
// microbatches go down and up the workers, each round has one input gradient and one forward on
// every worker. A weight gradient runs where it fits into a gap, where the gap would be larger than
// what the largest bubble allows, and where memory is full.
#pragma once

#include "schedule/schedule-order.h"

#include <optional>
#include <vector>

namespace geotrain
{

/// WaveChoices are the choices that a search varies.
struct WaveChoices
{
    bool fillsBeforeForwards = true;  ///< fills small gaps with a weight gradient
    bool fillsBeforeBackwards = true; ///< also before backwards of the first chunk
    /// Bubbles of an earlier attempt in ns, by worker; empty: none.
    std::vector<std::int64_t> allowedBubbles = {};
};

/// A WaveSchedule is one attempt and the bubbles that it has.
struct WaveSchedule
{
    ScheduleOrder order;
    std::vector<std::int64_t> bubbles; ///< ns, by worker
};

/// Makes an attempt. Returns nothing where the rounds don't fit `cap` activations of virtual stages
/// or the microbatches.
std::optional<WaveSchedule>
ScheduleInWaves(const ScheduleRequest& request, std::uint32_t cap, const WaveChoices& choices);

} // namespace geotrain
