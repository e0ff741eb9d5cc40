// SPDX-License-Identifier: GPL-2.0-only
// Tries on the analytic network what a schedule's own cost model can't know. That model has hops as
// delays and occupancies. On a network, messages that are ahead of their time queue before those
// that are urgent, so that more activations may make an iteration longer, and a searched order may
// lose to a plain one.
#pragma once

#include "planner/plan-inputs.h"
#include "training-plan/training-plan.h"

#include <optional>

namespace geotrain
{

/// Returns the plan with which warm iterations are shortest on the analytic network: `plan` itself,
/// `plan` with a smaller memory cap, or 1F1B or GPipe in the memory of `plan`. It is `plan` itself
/// unless a smaller cap, and its own schedule unless a plain one, is more than half a per cent faster.
///
/// Caps are tried from a pipeline's depth on, on all cores: each of them where that is little work,
/// otherwise in steps of up to a quarter; 1F1B with warm-ups of every depth, in such steps. A plain
/// order has one stage per worker, with as many layers as the worker holds in `plan`. Iterations of
/// very many microbatches are tried in short (short-iterations.h).
///
/// A plan whose schedule doesn't plan for turns (none of these searches orders), that shards the
/// model or whose pipelines don't cross the WAN is returned as it is, and nothing where it is too
/// large even so. Throws std::invalid_argument where SimulatePlan() does.
std::optional<TrainingPlan> FastestInItsMemory(const TrainingPlan& plan, const PlanInputs& inputs);

} // namespace geotrain
