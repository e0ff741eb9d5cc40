// A job, and one way to train it: degrees of parallelism, microbatches, schedule, and which data
// centre hosts what. The planner compares many of these; a scenario file is one of them.
#pragma once

#include "hardware/gpu-spec.h"
#include "timing/stage-timing.h"
#include "workload/memory-model.h"
#include "workload/transformer-spec.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace geotrain
{

/// How long the stage whose first layer is `firstLayer` computes; may throw where it can't tell.
using StageTimer = std::function<StageTiming(const StageShare& share,
                                             std::uint32_t firstLayer,
                                             const GpuSpec& gpu,
                                             const StageExecution& execution)>;

/// What is trained. An iteration takes `globalBatch` sequences, however they are spread.
struct TrainingJob
{
    TransformerSpec model;
    Recomputation recomputation = Recomputation::Full;
    std::uint64_t globalBatch = 1;
    bool shardsOptimizer = false; ///< ZeRO-1: each replica keeps its part of the optimiser's state
    StageTimer timeStage;         ///< unset: TimeStage(), the analytic model
};

/// How the pipelines of a plan share the WAN.
enum class WanSharing : std::uint8_t
{
    Spatial, ///< each over its own node pair
    Temporal ///< the pipelines of a DP-cell take turns over all their node pairs (Atlas)
};

/// What crosses the WAN.
enum class CrossDc : std::uint8_t
{
    Pipeline,             ///< stages: replicas of a stage share a data centre (Atlas)
    ReplicasFlat,         ///< data parallelism, one ring over all replicas
    ReplicasHierarchical, ///< data parallelism: reduced in each data centre, then between them
};

struct TrainingPlan
{
    /// Consecutive stages of every pipeline; with data parallelism across data centres, whole
    /// pipelines.
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
    std::uint32_t microbatchSize = 1; ///< sequences
    std::uint32_t microbatches = 1;   ///< of a pipeline, an iteration
    std::uint32_t cellSize = 1;       ///< C, pipelines of a DP-cell; divides dataParallel
    std::string schedule = "1f1b";
    std::uint32_t warmupFactor = 1;  ///< 1f1b
    std::uint32_t virtualStages = 1; ///< of a worker, where the schedule has them
    std::uint32_t memoryCap = 0; ///< activations that a worker holds at most; 0: the schedule's own
    WanSharing sharing = WanSharing::Spatial;
    CrossDc crossDc = CrossDc::Pipeline;
    std::vector<Host> hosts; ///< in the order of the stages, each with a count of at least 1

    std::uint64_t Gpus() const
    {
        return std::uint64_t{pipelineStages} * dataParallel * tensorParallel;
    }

    std::uint64_t Sequences() const
    {
        return std::uint64_t{dataParallel} * microbatchSize * microbatches;
    }

    bool HasReplicasAcross() const
    {
        return crossDc != CrossDc::Pipeline;
    }

    /// Of a pipeline whose stages are across data centres: where each stage is.
    std::vector<std::uint32_t> DataCenterOfStage() const;
};

/// "PP 4 DP 2 TP 8, microbatch 1 x 32, 1f1b, temporal (C 2), A:2 B:2", with the names of the data
/// centres.
std::string Describe(const TrainingPlan& plan, const std::vector<std::string>& dataCenterNames);

} // namespace geotrain
