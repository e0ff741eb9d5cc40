// What a run executes: the instruction streams of a loaded scenario, and the node pairs that they use.
#pragma once

#include "execution/execution-plan.h"
#include "execution/temporal-sharing.h"
#include "loader/scenario-loader.h"

#include <vector>

namespace geotrain
{

struct RunPlan
{
    ExecutionPlan execution;
    CellLayout cells;
    bool temporal = false;              ///< messages between data centres take turns
    bool collectivesOverNetwork = true; ///< false: all_reduce_fidelity ANALYTIC
    std::vector<Network::WarmUp>
        pairs; ///< that the network carries messages of, warmed before time 0

    /// Whether the network carries the collectives of a group on these nodes: always where they cross the WAN.
    bool CarriesRing(const std::vector<NodeIndex>& members) const;
};

/// Warm-up iterations come first, then the measured ones.
RunPlan MakeRunPlan(const LoadedScenario& scenario);

} // namespace geotrain
