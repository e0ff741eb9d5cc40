// SPDX-License-Identifier: GPL-2.0-only
// Simulates a plan of very many microbatches in short. Its pipeline is in a steady state most of the
// time, in which so many more microbatches take so much more time. Two shorter iterations on the
// analytic network tell both that and what the pipeline takes to fill and to drain.
#pragma once

#include "planner/plan-simulation.h"

#include <cstdint>

namespace geotrain
{

/// ShortIterations are the microbatches of the iterations that stand for one of a plan.
struct ShortIterations
{
    std::uint32_t longer = 0;
    std::uint32_t shorter = 0; ///< the same as `longer`: a plan's iteration is simulated as it is

    /// The longer one has `usual` microbatches, where that is four times a pipeline's depth, and the
    /// shorter one about half of them. Rounds of a pipeline repeat with its depth, and some schedules
    /// need whole ones, so that both lack a multiple of it.
    ShortIterations(const TrainingPlan& plan, std::uint32_t usual);

    /// Returns the time of `microbatches` from those of the two iterations, in seconds.
    double
    Extrapolated(std::uint32_t microbatches, double secondsOfLonger, double secondsOfShorter) const;

    /// Returns the forwards of both iterations, of the pipelines that run, whose cells are alike.
    std::uint64_t Forwards(const TrainingPlan& plan, const Cluster& cluster) const;

    /// Returns the seconds of an iteration of a plan, as SimulatePlan() does.
    double Simulate(TrainingPlan plan,
                    const PlanInputs& inputs,
                    const MeasuredIterations& iterations = {}) const;
};

} // namespace geotrain
