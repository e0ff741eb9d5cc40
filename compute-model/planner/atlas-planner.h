// SPDX-License-Identifier: GPL-2.0-only
// Atlas's planner, Algorithm 1 (arXiv 2411.14458, read through a public re-implementation): the
// data centres by GPUs, descending; each hosts at most floor(GPUs / (TP x cells x C)) consecutive
// stages; infeasible if stages remain. Around it a loop over the number of DP-cells: the time of an
// iteration is the pipeline's plus the all-reduce's, throughput is what all pipelines train in it,
// and the best wins. Every pipeline has the same number of microbatches whatever the number of
// cells, so that the batch grows with them.
#pragma once

#include "training-plan/cluster.h"
#include "training-plan/training-job.h"
#include "training-plan/training-plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// Throughput with one number of DP-cells.
struct CellPoint
{
    std::uint32_t cells = 1;
    std::string missing; ///< why it is infeasible; else empty
    TrainingPlan plan;
    double pipelineSeconds = 0;
    double allReduceSeconds = 0; ///< with the optimiser's step
    double sequencesPerSecond = 0;
};

/// A data centre that hosts nothing at the best point.
struct LeftOut
{
    std::uint32_t dataCenter = 0;
    /// With at least one stage on it, the best over all numbers of cells; 0: it has no room for
    /// one.
    double sequencesPerSecondWithIt = 0;
};

struct AtlasPlan
{
    std::vector<CellPoint>
        curve; ///< by the number of cells, from 1; to the first that has too few GPUs in all
    std::optional<std::size_t> best; ///< index into `curve`; none: all are infeasible
    std::vector<LeftOut> leftOut;
};

/// `shape` gives everything but dataParallel and hosts; its cellSize is C. Throws
/// std::invalid_argument for what CheckCluster() refuses and for a shape that the model can't have.
AtlasPlan PlanCells(const TrainingPlan& shape, const TrainingJob& job, const Cluster& cluster);

} // namespace geotrain
