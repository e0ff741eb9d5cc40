// SPDX-License-Identifier: GPL-2.0-only
// The stages of a model under one choice of (layers of virtual stages, tensor parallelism,
// microbatch size): their times on each GPU type of the cluster, and their bytes. A planner makes a
// table once per choice, for all plans that have it.
#pragma once

#include "training-plan/cluster.h"
#include "training-plan/training-job.h"
#include "training-plan/training-plan.h"
#include "units/bytes.h"
#include "workload/stage-share.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace geotrain
{

struct StageTable
{
    std::vector<StageShare> shares; ///< by stage
    std::vector<std::vector<StageTiming>>
        timing;                   ///< [data centre][stage]; empty where it takes no part
    std::vector<Bytes> gradients; ///< by stage, of the whole tensor-parallel group
    Bytes boundary;               ///< an activation, or its gradient, between two stages
    Bytes tiedEmbeddingGradients;
    std::string refusal; ///< why there is no such choice; else empty
};

/// The table of one plan: of the data centres that host it.
StageTable MakeStageTable(const TrainingJob& job, const Cluster& cluster, const TrainingPlan& plan);

/// The tables of all data centres with GPUs, layers split evenly.
class StageTables
{
  public:
    /// Both must outlive the tables.
    StageTables(const TrainingJob& job, const Cluster& cluster);

    /// `pipelineStages` counts virtual ones.
    const StageTable&
    Of(std::uint32_t pipelineStages, std::uint32_t tensorParallel, std::uint32_t microbatchSize);

  private:
    const TrainingJob& m_job;
    const Cluster& m_cluster;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, StageTable> m_tables;
};

/// By worker of a pipeline, what one GPU needs: the state of all its virtual stages, and `inFlight`
/// activations of its largest. ZeRO-1 shards the optimiser's state over the replicas; a schedule
/// without flush may keep more copies of the weights (2 bytes per parameter).
std::vector<StageMemory> MemoryByWorker(const TrainingPlan& plan,
                                        const TrainingJob& job,
                                        const StageTable& table,
                                        const std::vector<std::uint32_t>& inFlight);

/// The times of a plan's stages in `dataCenter`, with ZeRO-1's shorter optimiser step.
std::vector<StageTiming> TimesIn(std::uint32_t dataCenter,
                                 const TrainingJob& job,
                                 const Cluster& cluster,
                                 const StageTable& table,
                                 const TrainingPlan& plan);

} // namespace geotrain
