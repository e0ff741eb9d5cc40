// SPDX-License-Identifier: GPL-2.0-only
// Finds the best static schedule of a memory cap, with which the searches compare their orders and
// to which they fall back: 1F1B with every warm-up that fits, GPipe, ZB-H1 and ZB-H2; interleaved
// 1F1B over several virtual stages per worker; 1F1B in waves and DualPipeV over ZB-V's two chunks.
// Static orders are made without knowledge of the network. They are timed with it, and with the
// turns of a DP-cell.
#pragma once

#include "schedule/schedule-order.h"

#include <cstdint>

namespace geotrain
{

/// A StaticBest is the best static order, and its name and makespan as a rival.
struct StaticBest
{
    ScheduleOrder order; ///< empty where no static schedule fits the cap
    StaticRival rival;   ///< without ownMakespan
};

/// Rivals says which static schedules take part.
enum class Rivals
{
    All,
    /// Those that don't split the backward pass: 1F1B and GPipe, or interleaved where a worker has
    /// several virtual stages.
    WholeBackwards,
    Waves ///< those over two chunks per worker, down the pipeline and back up
};

/// Returns the static order of the least makespan whose workers hold at most `cap` activations.
StaticBest BestStaticOrder(const ScheduleRequest& request, std::uint32_t cap, Rivals rivals);

/// Returns `own` or the static order, whichever has the smaller makespan; where they are equal, the
/// static one if `prefersStatic`. rival.ownMakespan must be set. The result tells of its rival.
ScheduleOrder BetterOf(ScheduleOrder own, StaticBest best, bool prefersStatic);

/// Times `own` and the best static order of the cap, and returns the better one; `own` if they are
/// equal.
ScheduleOrder BetterThanStatic(ScheduleOrder own,
                               const ScheduleRequest& request,
                               std::uint32_t cap,
                               Rivals rivals);

} // namespace geotrain
