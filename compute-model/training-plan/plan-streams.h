// SPDX-License-Identifier: GPL-2.0-only
// A prepared plan as what an executor runs: the instruction streams of its workers, the DP-cells
// that share the WAN, and the node pairs whose connections are warmed before time 0.
#pragma once

#include "execution/execution-plan.h"
#include "execution/iteration-times.h"
#include "execution/temporal-sharing.h"
#include "training-plan/prepare-plan.h"

#include <optional>
#include <vector>

namespace geotrain
{

struct PlanStreams
{
    ExecutionPlan execution;
    CellLayout cells;
    bool temporal = false;              ///< messages between data centres take turns
    bool collectivesOverNetwork = true; ///< false: those inside a data centre take a computed time
    std::vector<Network::WarmUp>
        pairs; ///< that the network carries messages of, warmed before time 0

    /// Whether the network carries the collectives of a group on these nodes: always where they
    /// cross the WAN.
    bool CarriesRing(const std::vector<NodeIndex>& members) const;

    /// Whose pipelines take turns on the WAN; none under spatial sharing.
    std::optional<CellLayout> Turns() const;
};

/// The streams of `iterations` iterations. Throws std::invalid_argument where a hierarchical
/// all-reduce has not as many replicas in each data centre.
PlanStreams MakePlanStreams(const PreparedPlan& prepared,
                            const TrainingJob& job,
                            const Cluster& cluster,
                            const TrainingPlan& plan,
                            std::uint32_t iterations,
                            bool collectivesOverNetwork = true);

} // namespace geotrain
