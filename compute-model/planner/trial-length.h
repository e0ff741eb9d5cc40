// SPDX-License-Identifier: GPL-2.0-only
// Says over how many microbatches a schedule is tried on the analytic network. An iteration of very
// many is not tried whole: its pipeline is in a steady state most of the time, in which so many more
// microbatches take so much more time. Two shorter iterations tell both that and what the pipeline
// takes to fill and to drain.
#pragma once

#include "schedule/schedule-order.h"
#include "training-plan/cluster.h"
#include "training-plan/training-plan.h"

#include <cstdint>
#include <optional>

namespace geotrain
{

/// A TrialLength is what one trial consists of.
struct TrialLength
{
    std::uint32_t longer = 0;   ///< microbatches
    std::uint32_t shorter = 0;  ///< microbatches of the other iteration, or `longer`: there is none
    std::uint64_t forwards = 0; ///< of the longer iteration
    bool isWhole = true;        ///< all microbatches of all pipelines are tried

    /// Returns the time of `microbatches` from those of the two iterations.
    double
    Extrapolated(std::uint32_t microbatches, double secondsOfLonger, double secondsOfShorter) const;
};

/// Most forwards of an iteration that is tried whole; a trial then takes some tenths of a second.
constexpr std::uint64_t mostForwardsOfWhole = 2048;

/// Returns the length of the trials of a plan whose stages and hops take `times`; nothing where even
/// the shortest iteration that has a steady state is too long.
std::optional<TrialLength>
LengthOfTrials(const TrainingPlan& plan, const ScheduleTimes& times, const Cluster& cluster);

} // namespace geotrain
