// Resolves how the model is spread and scheduled: layers of stages, stages on nodes, the schedule's
// order, times of a microbatch; and checks that it fits the GPUs' memory.
#pragma once

#include "hardware/gpu-spec.h"
#include "loader/model-section.h"
#include "placement/placement.h"
#include "planner/replica-streams.h"
#include "schedule/schedule-order.h"
#include "timing/stage-timing.h"
#include "wan/wan-topology.h"
#include "workload/stage-share.h"

#include <vector>

namespace geotrain
{

struct TrainingSection
{
    std::vector<GpuSpec> gpuOfDataCenter;
    std::vector<std::uint32_t> workerOfStage; ///< of a pipeline; stages are virtual ones here
    std::vector<StageShare> shares;           ///< by stage
    Placement placement;                      ///< of the workers
    ScheduleOrder order;
    std::vector<StageTiming> timing; ///< by stage; empty where replicas are across data centres
    std::vector<ReplicaHost>
        replicaHosts; ///< where replicas are across data centres: who runs which, how fast
};

/// Looks up the GPU of each data centre. Throws ConfigError.
std::vector<GpuSpec> GpusOfDataCenters(const scenario::Scenario& scenario,
                                       const ScenarioFile& file);

/// Of one GPU of a worker (by its place in the pipeline): the state of all its stages, and `activations` of its
/// largest.
StageMemory MemoryOfWorker(std::uint32_t worker,
                           std::uint32_t activations,
                           const scenario::Scenario& scenario,
                           const TrainingSection& section,
                           const ModelSection& model);

/// Fills in layers_per_stage, cell_size and the schedule. Throws ConfigError.
TrainingSection ResolveTraining(scenario::Scenario& scenario,
                                const ModelSection& model,
                                const WanTopology& topology,
                                const ScenarioFile& file);

} // namespace geotrain
