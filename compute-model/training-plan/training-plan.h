// SPDX-License-Identifier: GPL-2.0-only
// Describes one way to train a job: degrees of parallelism, microbatches, schedule, and which data
// centre hosts what. The planner compares many of these; a scenario file is one of them.
#pragma once

#include "placement/placement.h"
#include "schedule/layered-streams.h"
#include "schedule/schedule-catalogue.h"
#include "schedule/schedule-order.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// WanSharing says how the pipelines of a plan share the WAN.
enum class WanSharing : std::uint8_t
{
    Spatial, ///< each over its own node pair
    Temporal ///< the pipelines of a DP-cell take turns over all their node pairs (Atlas)
};

/// CrossDc says what crosses the WAN.
enum class CrossDc : std::uint8_t
{
    Pipeline,             ///< stages: replicas of a stage share a data centre (Atlas)
    ReplicasFlat,         ///< data parallelism, one ring over all replicas
    ReplicasHierarchical, ///< data parallelism: reduced in each data centre, then between them
};

/// A TrainingPlan is one way to train a job.
struct TrainingPlan
{
    /// A Host is a data centre with consecutive stages of every pipeline. With data parallelism
    /// across data centres, it has whole pipelines.
    struct Host
    {
        std::uint32_t dataCenter = 0; ///< index into the cluster's
        std::uint32_t count = 0;      ///< stages, or replicas

        bool operator==(const Host& other) const
        {
            return dataCenter == other.dataCenter && count == other.count;
        }
    };

    std::uint32_t pipelineStages = 1;
    std::uint32_t dataParallel = 1;
    std::uint32_t tensorParallel = 1;
    /// Consecutive replicas of a stage that share the experts of its layers; divides dataParallel.
    std::uint32_t expertParallel = 1;
    std::uint32_t microbatchSize = 1; ///< sequences
    std::uint32_t microbatches = 1;   ///< microbatches per pipeline and iteration
    std::uint32_t cellSize = 1;       ///< C, pipelines per DP-cell; divides dataParallel
    std::string schedule = "1f1b";
    std::uint32_t warmupFactor = 1;  ///< 1f1b: factor on the usual warm-up depth
    std::uint32_t virtualStages = 1; ///< stages per worker, where the schedule has several
    /// Most activations that a worker holds; 0: the schedule's own cap.
    std::uint32_t memoryCap = 0;
    WanSharing sharing = WanSharing::Spatial;
    CrossDc crossDc = CrossDc::Pipeline;
    /// How replicas go to nodes; unset: spread where pipelines take turns on the WAN or an optimizer
    /// in the network has a link to each, else packed.
    std::optional<NodePlacement> placement = {};
    std::vector<Host> hosts; ///< in the order of the stages, each with a count of at least 1
    std::vector<std::uint32_t> layersPerStage = {}; ///< by virtual stage; empty: split evenly
    /// What the replicas keep of the model. Where it is not all, there is one stage, and parameters
    /// come layer by layer.
    DataParallelism dataParallelism = DataParallelism::Replicated;
    std::uint32_t prefetch = 1; ///< layers that are asked for before the one that computes
    ExecutionPlan::Contention contention = {}; ///< of ZeRO-3's collectives and computing
    /// By what ZeRO-3's collectives and the all-reduces of gradients go: a name of the catalogue
    /// (execution/collective-catalogue.h), or fastestCollective.
    std::string collective = "ring";
    /// The user's own order, in place of the schedule's, whose name is then free.
    std::shared_ptr<const ScheduleOrder> customOrder = {};

    std::uint64_t Gpus() const
    {
        return std::uint64_t{pipelineStages} * dataParallel * tensorParallel;
    }

    std::uint64_t Sequences() const
    {
        return std::uint64_t{dataParallel} * microbatchSize * microbatches;
    }

    /// Returns how replicas go to nodes.
    NodePlacement Placing() const
    {
        const bool needsNodes =
            sharing == WanSharing::Temporal || dataParallelism == DataParallelism::InNetwork;
        return placement.value_or(needsNodes ? NodePlacement::Spread : NodePlacement::Pack);
    }

    /// Returns whether data parallelism goes across data centres.
    bool HasReplicasAcross() const
    {
        return crossDc != CrossDc::Pipeline;
    }

    /// Returns the host of the plan that is this data centre. Throws std::logic_error where none is.
    const Host& HostIn(std::uint32_t dataCenter) const;

    /// Returns where each worker of a pipeline is, or each replica where data parallelism goes
    /// across data centres.
    std::vector<std::uint32_t> DataCenterOfHosted() const;
};

/// Returns the plan's entry of the catalogue. Throws std::invalid_argument for an unknown schedule.
const ScheduleEntry& ScheduleOf(const TrainingPlan& plan);

/// Returns what the plan asks of its schedule. The number of pipelines per DP-cell is included
/// where the schedule plans their turns.
ScheduleShape ShapeOf(const TrainingPlan& plan);

/// Returns the most activations of virtual stages that each worker holds, under any times. The
/// schedule must be in the catalogue.
std::vector<std::uint32_t> InFlightOf(const TrainingPlan& plan);

/// Returns by virtual stage the worker that runs it. Throws std::invalid_argument for an unknown
/// schedule.
std::vector<std::uint32_t> WorkersOfStages(const TrainingPlan& plan);

/// Returns a text such as "PP 4 DP 2 TP 8, microbatch 1 x 32, 1f1b, temporal (C 2), A:2 B:2", with
/// the names of the data centres.
std::string Describe(const TrainingPlan& plan, const std::vector<std::string>& dataCenterNames);

} // namespace geotrain
