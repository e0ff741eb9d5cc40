// SPDX-License-Identifier: GPL-2.0-only
// Makes the plain plans, of 1F1B and GPipe, with which a searched schedule is compared.
#pragma once

#include "training-plan/training-plan.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// Returns a plan with one stage per worker, whose workers hold as many layers as those of `plan`.
TrainingPlan PlainPlanOf(const TrainingPlan& plan);

/// Returns `plain` with 1F1B and warm-ups of all depths, in steps of up to a quarter, and with GPipe,
/// where no worker holds more than its part of `caps`, the activations of its `chunks` stages.
std::vector<TrainingPlan>
PlainPlansWithin(TrainingPlan plain, const std::vector<std::uint32_t>& caps, std::uint32_t chunks);

} // namespace geotrain
