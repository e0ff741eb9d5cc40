// Resolves how the model is spread and scheduled: layers of stages, stages on nodes, the schedule's order,
// times of a microbatch; and checks that it fits the GPUs' memory.
#pragma once

#include "hardware/gpu-spec.h"
#include "loader/model-section.h"
#include "placement/placement.h"
#include "schedule/schedule-order.h"
#include "timing/stage-timing.h"
#include "workload/stage-share.h"

#include <vector>

namespace geotrain
{

struct TrainingSection
{
    std::vector<GpuSpec> gpuOfDataCenter;
    std::vector<StageShare> shares; ///< by stage
    Placement placement;
    ScheduleOrder order;
    std::vector<StageTiming> timing; ///< by stage
};

/// Fills in layers_per_stage and cell_size. Throws ConfigError.
TrainingSection
ResolveTraining(scenario::Scenario& scenario, const ModelSection& model, const ScenarioFile& file);

} // namespace geotrain
