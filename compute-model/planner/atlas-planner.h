// SPDX-License-Identifier: GPL-2.0-only
// Atlas's planner, Algorithm 1 (arXiv 2411.14458, read through a public re-implementation). It
// takes the data centres by GPUs, descending. Each hosts at most floor(GPUs / (TP x cells x C))
// consecutive stages; the plan is infeasible if stages remain. Around this, a loop tries each
// number of DP-cells. An iteration takes the pipeline's time plus the all-reduce's, throughput is
// what all pipelines train in it, and the best wins. Every pipeline has the same number of
// microbatches whatever the number of cells, so that the batch grows with the cells. The times are
// the algorithm's own estimate: closed forms, which know no windows, queues and turns.
#pragma once

#include "planner/plan-search.h"
#include "training-plan/cluster.h"
#include "training-plan/training-job.h"
#include "training-plan/training-plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// A CellPoint is the throughput with one number of DP-cells.
struct CellPoint
{
    std::uint32_t cells = 1;
    std::string missing; ///< why it is infeasible; empty if it is feasible
    TrainingPlan plan;
    double pipelineSeconds = 0;
    double allReduceSeconds = 0; ///< time of the all-reduce and the optimiser's step
    double sequencesPerSecond = 0; ///< by the two times
    /// Time of an iteration on the analytic network; 0 where it was not simulated.
    double simulatedSeconds = 0;
};

/// A LeftOut is a data centre that hosts nothing at the best point.
struct LeftOut
{
    std::uint32_t dataCenter = 0;
    /// Best throughput over all numbers of cells with at least one stage there; 0: it has no room
    /// for a stage.
    double sequencesPerSecondWithIt = 0;
};

/// An AtlasPlan holds the result for each number of cells.
struct AtlasPlan
{
    /// By the number of cells, from 1 up to the first that needs more GPUs than there are.
    std::vector<CellPoint> curve;
    std::optional<std::size_t> best; ///< index into `curve`; unset where all are infeasible
    std::vector<LeftOut> leftOut;
};

/// Plans with Algorithm 1. `shape` gives everything but dataParallel and hosts; its cellSize is C.
/// Throws std::invalid_argument for what CheckCluster() refuses, and for a shape that the model
/// can't have.
AtlasPlan PlanCells(const TrainingPlan& shape, const TrainingJob& job, const Cluster& cluster);

/// Simulates feasible points of the curve on the analytic network: the best one, and as many of the
/// others, spread over the curve, as make `most` together. Points that are among the `ranked` plans
/// of a search for the same job and cluster have these plans' times.
void SimulateCells(AtlasPlan& plan,
                   const TrainingJob& job,
                   const Cluster& cluster,
                   const std::vector<RankedPlan>& ranked = {},
                   std::size_t most = 4);

} // namespace geotrain
