// SPDX-License-Identifier: GPL-2.0-only
// Finds how many activations a schedule that fills memory had better hold. Its own cost model knows
// hops as delays and occupancies. On a network, messages that are ahead of their time queue before
// those that are urgent, so that more activations may make an iteration longer.
#pragma once

#include "training-plan/order-cache.h"
#include "training-plan/stage-table.h"
#include "training-plan/training-plan.h"

#include <cstdint>

namespace geotrain
{

/// Returns the memory cap, at most the plan's, with which warm iterations are shortest on the
/// analytic network. It is the plan's own unless a smaller one is more than 1 % faster. Caps are
/// tried from a pipeline's depth on, on all cores: each of them where that is little work, otherwise
/// in steps of up to a quarter. A plan whose schedule doesn't plan for turns (none of these searches
/// orders), that shards the model or has too many microbatches for trials keeps its cap. `orders`
/// gets the orders that are tried. Throws std::invalid_argument where SimulateWholePlan() does.
std::uint32_t FastestCap(const TrainingPlan& plan,
                         const TrainingJob& job,
                         const Cluster& cluster,
                         const StageTable& table,
                         OrderCache& orders);

} // namespace geotrain
