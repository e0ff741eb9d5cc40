// SPDX-License-Identifier: GPL-2.0-only
// Shares a model's layers out over stages whose GPUs differ. With T(s) the time of a microbatch's
// forward and backward in stage s, a pipeline of m microbatches takes about the sum of all T plus
// (m - 1) times the largest; the split for which this is least wins. It ignores messages; a search moves
// layers on by simulation (plan-refinement.h).
#pragma once

#include "planner/stage-gpus.h"
#include "training-plan/training-job.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace geotrain
{

/// Returns the layers of each stage. `secondsOf[s][n - 1]` is the time of stage s with n layers; it
/// grows with n by about the same for each layer, and ends with the most layers that the stage can
/// have. Returns nothing where the layers don't fit.
std::vector<std::uint32_t> ShareLayersOut(const std::vector<std::vector<double>>& secondsOf,
                                          std::uint32_t layers,
                                          std::uint32_t microbatches);

/// LayerBalance shares the layers of one job out over the stages of its plans.
class LayerBalance
{
  public:
    /// `job` must outlive this.
    explicit LayerBalance(const TrainingJob& job);

    /// Returns the layers by stage for a plan with one stage per worker whose stages run on `gpus`;
    /// empty where they don't fit into memory beside the activations of 1F1B, or can't be timed.
    std::vector<std::uint32_t> Of(const TrainingPlan& plan, const StageGpus& gpus);

  private:
    /// GPU, first, last, tensor parallelism, microbatch size, activations held, replicas.
    using Key = std::tuple<std::string,
                           bool,
                           bool,
                           std::uint32_t,
                           std::uint32_t,
                           std::uint32_t,
                           std::uint32_t,
                           std::uint32_t>;

    const std::vector<double>& SecondsOn(const GpuSpec& gpu,
                                         const TrainingPlan& plan,
                                         std::uint32_t stage);

    const TrainingJob& m_job;
    std::map<Key, std::vector<double>> m_seconds;
};

} // namespace geotrain
