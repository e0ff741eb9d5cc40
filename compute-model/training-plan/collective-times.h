// SPDX-License-Identifier: GPL-2.0-only
// Says by which algorithm of the catalogue a plan's collectives go, and how long one takes by itself:
// the sum of its steps, each of which takes the latency to the receiver plus the time of the message
// and its headers at the slowest rate on its way. It ignores TCP's windows and acknowledgements and
// all other traffic. With rings that is 2(n-1) steps of an n-th for an all-reduce (Patarasuk and Yuan,
// JPDC 2009). A run takes this time for collectives that its network does not carry
// (all_reduce_fidelity: ANALYTIC).
#pragma once

#include "execution/execution-plan.h"
#include "execution/timed-collectives.h"
#include "training-plan/training-plan.h"

namespace geotrain
{

class Resources;
struct Cluster;
struct WanTopology;

/// Name in place of an algorithm's: each collective goes by the one that takes the least time alone.
inline constexpr const char* fastestCollective = "fastest";

/// Returns the algorithm of a plan's collectives; nullptr for fastestCollective. Throws
/// std::invalid_argument where the catalogue has none of that name.
const CollectiveAlgorithm* CollectiveOf(const TrainingPlan& plan);

/// Returns the shape of the groups of replicas of a stage.
GroupShape ShapeOfReplicas(const Cluster& cluster, const TrainingPlan& plan);

/// Returns the time of a collective alone, and by index into resources.Rates() the part of that time
/// for which it takes the whole rate. `nodeLocalRate` is the rate between two GPUs of one node, and
/// `payloadShare` that of the bits between nodes which are no headers, in (0, 1].
CollectiveDemand DemandOfCollective(const CollectiveRequest& request,
                                    const Resources& resources,
                                    BitRate nodeLocalRate,
                                    double payloadShare = 1);

/// Chooses for each request the fastest algorithm that needs no other instructions, and of equally
/// fast ones the first of the catalogue.
CollectiveChoice
FastestCollectives(const ExecutionPlan& plan, const WanTopology& wan, BitRate nodeLocalRate);

} // namespace geotrain
