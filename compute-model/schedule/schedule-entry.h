// SPDX-License-Identifier: GPL-2.0-only
// A row of the catalogue holds all that is known of a schedule without making its order. The loader
// refuses by it, the planner screens by it, and the help texts name schedules by it.
#pragma once

#include "schedule/schedule-order.h"

#include <string>

namespace geotrain
{

/// StageLayout says which virtual stages a schedule gives a worker.
enum class StageLayout : std::uint8_t
{
    OneEach,
    RoundRobin, ///< as many as the shape says, w, p + w, 2p + w, ...
    Wave        ///< two per worker: down the pipeline and back up
};

/// A ScheduleEntry is the row of one schedule.
struct ScheduleEntry
{
    std::string name;
    std::string description;
    std::string source; ///< paper and section

    /// Makes the order of a shape to which RefusalOf() has no objection.
    ScheduleOrder (*make)(const ScheduleRequest&) = nullptr;
    /// Returns the most activations of virtual stages that `worker` holds, under any times.
    std::uint32_t (*mostActivations)(std::uint32_t worker, const ScheduleShape&) = nullptr;
    /// Returns what a shape must have, as "needs ...", where this one lacks it; otherwise an empty
    /// text. Unset: the schedule needs nothing beyond what every schedule needs.
    std::string (*refuse)(const ScheduleShape&) = nullptr;

    StageLayout layout = StageLayout::OneEach;
    std::uint32_t plannedVirtualStages = 1; ///< virtual stages per worker, as a planner takes it
    std::uint32_t extraWeightCopies = 0; ///< weight copies beside the one that every schedule has
    /// Cost of making the order: about the number of orders that could be timed meanwhile. A search
    /// times many orders.
    double ordersTimed = 1;

    bool knowsTurns = false;    ///< plans for the pipelines of a DP-cell together
    bool deepensWarmUp = false; ///< takes a warm-up factor above 1
    bool fillsMemory = false;   ///< gets better with the activations that it may hold
    bool hasPhases = false; ///< all forwards, then all backwards: the WAN is used one way at a time
    bool recomputesAhead = false; ///< recomputes while a gradient is on its way
    bool splitsBackward = false;  ///< weight gradients run where a worker would be idle
    bool givesHalfBack = false;   ///< its cap counts half an activation from the input gradient on
    bool overlapsBlocks = false;  ///< runs a forward and a backward as one block
    bool isAsynchronous = false;  ///< no flush: weights are stale
};

} // namespace geotrain
