// SPDX-License-Identifier: GPL-2.0-only
// Turns a prepared plan into what an executor runs: the instruction streams of its workers, the
// DP-cells that share the WAN, and the node pairs whose connections are warmed before time 0.
#pragma once

#include "execution/execution-plan.h"
#include "execution/iteration-times.h"
#include "execution/temporal-sharing.h"
#include "training-plan/prepare-plan.h"

#include <optional>
#include <vector>

namespace geotrain
{

/// PlanStreams are a plan as it is run.
struct PlanStreams
{
    ExecutionPlan execution;
    CellLayout cells;
    bool temporal = false;              ///< messages between data centres take turns
    /// Whether the network carries all collectives; false: those inside a data centre take a computed
    /// time. That is only where they meet no message of the pipelines in a NIC.
    bool collectivesOverNetwork = true;
    /// Pairs between which the network carries messages; they are warmed before time 0.
    std::vector<Network::WarmUp> pairs;

    /// Returns whether the network carries the collectives of a group on these nodes. It always
    /// does where they cross the WAN.
    bool CarriesRing(const std::vector<NodeIndex>& members) const;

    /// Returns the cells whose pipelines take turns on the WAN; nullopt under spatial sharing.
    std::optional<CellLayout> Turns() const;
};

/// A PlanToRun is a prepared plan, and what it was prepared from.
struct PlanToRun
{
    const PreparedPlan& prepared;
    const TrainingJob& job;
    const Cluster& cluster;
    const TrainingPlan& plan;
    std::uint32_t iterations = 1;
    bool collectivesOverNetwork = true; ///< false: PlanStreams::collectivesOverNetwork may be
};

/// Makes the streams of all iterations. Throws std::invalid_argument where a hierarchical all-reduce
/// does not have the same number of replicas in each data centre.
PlanStreams MakePlanStreams(const PlanToRun& run);

} // namespace geotrain
