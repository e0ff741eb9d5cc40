// SPDX-License-Identifier: GPL-2.0-only
// Lists the stages of a model under one choice of layers per virtual stage, tensor parallelism and
// microbatch size: their times on each GPU type of the cluster, and their bytes. A planner makes a
// table once per choice, for all plans that have it.
#pragma once

#include "schedule/stream-inputs.h"
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

/// A StageTable holds the stages under one choice.
struct StageTable
{
    std::vector<StageShare> shares; ///< by stage
    /// [data centre][stage]; empty where the data centre takes no part.
    std::vector<std::vector<StageTiming>> timing;
    std::vector<Bytes> gradients; ///< by stage, for the whole tensor-parallel group
    /// Parameters that are all-gathered after an all-reduce of all gradients, by stage; empty:
    /// none. With gradients as wide as parameters an all-reduce alone is as much as a sharded
    /// optimiser's reduce-scatter and all-gather.
    std::vector<Bytes> gathered;
    ExpertExchange experts; ///< of tokens, where replicas share experts
    Bytes boundary;         ///< size of an activation, or its gradient, between two stages
    Bytes tiedEmbeddingGradients;
    std::string refusal;      ///< why the choice is impossible; empty if it is possible
    bool isOfProfile = false; ///< the refusal names a measured profile and what that lacks

    /// Returns the bytes whose all-reduce is as much as a stage's all-reduce and all-gather
    /// together, for estimates.
    Bytes Reduced(std::size_t stage) const
    {
        return gradients[stage] +
               (gathered.empty() ? Bytes() : Bytes::Of(gathered[stage].Count() / 2));
    }
};

/// A StageChoice is what a table depends on.
struct StageChoice
{
    std::uint32_t stages = 1; ///< virtual ones
    std::uint32_t tensorParallel = 1;
    std::uint32_t microbatchSize = 1;
    std::vector<std::uint32_t> layersPerStage = {}; ///< empty: split evenly
    std::uint32_t expertParallel = 1;

    auto Fields() const
    {
        return std::tie(stages, tensorParallel, microbatchSize, layersPerStage, expertParallel);
    }

    bool operator<(const StageChoice& other) const
    {
        return Fields() < other.Fields();
    }
};

/// Returns the model as a worker of replicas that share experts has it: its part of them, with as many
/// tokens as before, or as the busiest worker's. It ignores that a router scores the others' as well.
TransformerSpec ModelOfWorker(TransformerSpec model, std::uint32_t expertParallel);

/// Returns a plan's choice. Throws std::invalid_argument for an unknown schedule.
StageChoice ChoiceOf(const TrainingPlan& plan);

/// Returns whether stages have as many layers as given.
bool HaveLayers(const std::vector<StageShare>& shares, const std::vector<std::uint32_t>& layers);

/// Returns how a job executes a stage under a choice.
StageExecution
ExecutionOf(const TrainingJob& job, std::uint32_t microbatchSize, std::uint32_t tensorParallel);

/// Returns the times of a share by the job's own timer, or by the analytic model. Throws what the
/// timer throws where it can't tell.
StageTiming TimeShare(const TrainingJob& job,
                      const StageShare& share,
                      const GpuSpec& gpu,
                      const StageExecution& execution);

/// Makes the table of one plan, for the data centres that host it.
StageTable MakeStageTable(const TrainingJob& job, const Cluster& cluster, const TrainingPlan& plan);

/// StageTables are the tables for all data centres with GPUs.
class StageTables
{
  public:
    /// Both must outlive the tables.
    StageTables(const TrainingJob& job, const Cluster& cluster);

    /// Returns the table of a choice, made at the first call.
    const StageTable& Of(const StageChoice& choice);

  private:
    const TrainingJob& m_job;
    const Cluster& m_cluster;
    std::map<StageChoice, StageTable> m_tables;
};

/// Returns what one GPU needs, by worker of a pipeline: the state of all its virtual stages, and
/// `inFlight` activations of the largest one. ZeRO-1 shards the optimiser's state over the
/// replicas. A schedule without flush may keep more copies of the weights (2 bytes per parameter).
std::vector<StageMemory> MemoryByWorker(const TrainingPlan& plan,
                                        const TrainingJob& job,
                                        const StageTable& table,
                                        const std::vector<std::uint32_t>& inFlight);

/// Returns the times of a plan's stages in `dataCenter`, with ZeRO-1's shorter optimiser step.
std::vector<StageTiming> TimesIn(std::uint32_t dataCenter,
                                 const TrainingJob& job,
                                 const Cluster& cluster,
                                 const StageTable& table,
                                 const TrainingPlan& plan);

/// Does the same for a GPU that is not its data centre's first. Throws where it can't tell.
std::vector<StageTiming> TimesOnGpu(const GpuSpec& gpu,
                                    const TrainingJob& job,
                                    const StageTable& table,
                                    const TrainingPlan& plan);

} // namespace geotrain
