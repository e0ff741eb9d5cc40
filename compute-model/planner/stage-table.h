// The stages of a model under one choice of (virtual stages in all, tensor parallelism, microbatch size):
// their times on each GPU type of the cluster, their bytes. Made once for a choice, used by all
// plans that have it.
#pragma once

#include "planner/cluster.h"
#include "planner/training-plan.h"
#include "units/bytes.h"
#include "workload/stage-share.h"

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace geotrain
{

struct StageTable
{
    std::vector<StageShare> shares; ///< by stage
    std::vector<std::vector<StageTiming>>
        timing;                   ///< [data centre][stage]; empty where it has no GPUs
    std::vector<Bytes> gradients; ///< by stage, of the whole tensor-parallel group
    Bytes boundary;
    Bytes tiedEmbeddingGradients;
    std::string refusal; ///< why there is no such choice; else empty
};

class StageTables
{
  public:
    /// Both must outlive the tables.
    StageTables(const TrainingJob& job, const Cluster& cluster);

    /// `pipelineStages` counts virtual ones.
    const StageTable&
    Of(std::uint32_t pipelineStages, std::uint32_t tensorParallel, std::uint32_t microbatchSize);

  private:
    StageTable Make(std::uint32_t pipelineStages,
                    std::uint32_t tensorParallel,
                    std::uint32_t microbatchSize) const;

    const TrainingJob& m_job;
    const Cluster& m_cluster;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, StageTable> m_tables;
};

/// Bytes that one GPU of each worker of a pipeline needs: the state of all its virtual stages, and
/// `inFlight` activations of its largest. ZeRO-1 shards the optimiser's state over the replicas; a
/// schedule without flush may keep more copies of the weights (2 bytes a parameter).
std::vector<Bytes> MemoryByWorker(const TrainingPlan& plan,
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
