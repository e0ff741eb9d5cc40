// SPDX-License-Identifier: GPL-2.0-only
// A row of the catalogue: all that is known of a schedule without making its order. The loader refuses by it, the planner
// screens by it, and the help texts name schedules by it.
#pragma once

#include "schedule/schedule-order.h"

#include <string>

namespace geotrain
{

/// Which virtual stages a schedule gives a worker.
enum class StageLayout : std::uint8_t
{
    OneEach,
    RoundRobin, ///< as many as the shape says
    Wave        ///< two: down the pipeline and back up
};

struct ScheduleEntry
{
    std::string name;
    std::string description;
    std::string source; ///< paper and section

    /// The order of a shape that RefusalOf() has nothing against.
    ScheduleOrder (*make)(const ScheduleRequest&) = nullptr;
    /// Activations of virtual stages that `worker` holds at most, under any times.
    std::uint32_t (*mostActivations)(std::uint32_t worker, const ScheduleShape&) = nullptr;
    /// What a shape must have, as "needs ...", where this one lacks it; else empty. Unset: nothing beyond
    /// what every schedule needs.
    std::string (*refuse)(const ScheduleShape&) = nullptr;

    StageLayout layout = StageLayout::OneEach;
    std::uint32_t plannedVirtualStages = 1; ///< of a worker, as a planner takes it
    std::uint32_t extraWeightCopies = 0;    ///< beside the one that every schedule has
    /// Making the order takes as long as timing so many orders, about: a search times many.
    double ordersTimed = 1;

    bool knowsTurns = false;      ///< plans for the pipelines of a DP-cell together
    bool deepensWarmUp = false;   ///< takes a warm-up factor above 1
    bool fillsMemory = false;     ///< is the better the more activations it may hold
    bool hasPhases = false;       ///< all forwards, then all backwards: the WAN is used one way
    bool recomputesAhead = false; ///< while a gradient is on its way
    bool splitsBackward = false;  ///< weight gradients run where a worker would be idle
    bool givesHalfBack = false;   ///< its cap counts half an activation from the input gradient on
    bool overlapsBlocks = false;  ///< runs a forward and a backward as one block
    bool isAsynchronous = false;  ///< no flush: weights are stale
};

} // namespace geotrain
