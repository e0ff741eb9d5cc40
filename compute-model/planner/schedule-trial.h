// SPDX-License-Identifier: GPL-2.0-only
// Tries on the analytic network what a schedule's own cost model can't know. That model has hops as
// delays and occupancies. On a network, messages that are ahead of their time queue before those
// that are urgent, so that more activations may make an iteration longer, and a searched order may
// lose to a plain one.
#pragma once

#include "training-plan/order-cache.h"
#include "training-plan/stage-table.h"
#include "training-plan/training-plan.h"

#include <cstdint>

namespace geotrain
{

/// A TriedPlan is what trials say of a plan.
struct TriedPlan
{
    TrainingPlan plan; ///< the fastest one
    /// Microbatches of the longest iteration that was tried; 0: nothing was.
    std::uint32_t microbatches = 0;
    std::uint32_t mostHeld = 0; ///< largest memory cap that was tried
    bool isTooLarge = false;    ///< nothing was tried, since that would take too long
};

/// Returns the plan with which warm iterations are shortest on the analytic network: `plan` itself,
/// `plan` with a smaller memory cap, or 1F1B or GPipe in the memory of `plan`. It is `plan` itself
/// unless a smaller cap, and its own schedule unless a plain one, is more than half a per cent faster.
///
/// Caps are tried from a pipeline's depth on, on all cores: each of them where that is little work,
/// otherwise in steps of up to a quarter; 1F1B with warm-ups of every depth, likewise, unless the
/// searches' model rules it out. A plain order has one stage per worker, with as many layers as the
/// worker holds in `plan`.
///
/// Where an iteration has too many microbatches, two shorter ones are tried in its place
/// (trial-length.h), with caps in steps of up to a half, and then those between the best one and its
/// neighbours. No cap is then larger than the microbatches of the shorter one.
///
/// A plan whose schedule doesn't plan for turns (none of these searches orders), that shards the
/// model, whose pipelines don't cross the WAN or that is too large even so is returned as it is.
/// `table` is the plan's. `orders` gets the orders that are tried. Throws std::invalid_argument where
/// SimulateWholePlan() does.
TriedPlan FastestInItsMemory(const TrainingPlan& plan,
                             const TrainingJob& job,
                             const Cluster& cluster,
                             const StageTable& table,
                             OrderCache& orders);

} // namespace geotrain
