// SPDX-License-Identifier: GPL-2.0-only
// Says which plans fit into memory, and how many activations others may hold. Plans that differ only
// in their data centres need the same memory, which is computed once.
#pragma once

#include "planner/stage-gpus.h"
#include "training-plan/stage-table.h"
#include "training-plan/training-job.h"
#include "training-plan/training-plan.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace geotrain
{

/// A MemoryLack is the stage to whose GPU the most memory is missing.
struct MemoryLack
{
    std::size_t stage = 0;
    const GpuSpec* gpu = nullptr;
    Bytes needed;
    double missing = 0; ///< bytes

    /// Returns a text such as "80.1 GB on stage 0, 0.1 GB more than H100 has".
    std::string Text() const;
};

/// PlanMemory keeps what it has computed for the plans of one degree of parallelism.
class PlanMemory
{
  public:
    explicit PlanMemory(const TrainingJob& job);

    /// Forgets what was computed. It must be called where a plan's pipeline stages, tensor or data
    /// parallelism or microbatch size change.
    void Forget();

    /// Returns what is missing with `inFlight` activations by worker; nothing if the plan fits.
    std::optional<MemoryLack> LackOf(const TrainingPlan& plan,
                                     const StageTable& table,
                                     const StageGpus& gpus,
                                     const std::vector<std::uint32_t>& inFlight);

    /// Returns how many activations fit into the memory of every worker, at least one, and at most
    /// all microbatches.
    std::uint32_t
    CapThatFits(const TrainingPlan& plan, const StageTable& table, const StageGpus& gpus);

  private:
    using Key = std::tuple<const StageTable*, std::uint32_t, std::vector<std::uint32_t>>;

    const std::vector<StageMemory>& Needed(const TrainingPlan& plan,
                                           const StageTable& table,
                                           const std::vector<std::uint32_t>& inFlight);

    const TrainingJob& m_job;
    std::map<Key, std::vector<StageMemory>> m_needed; ///< by table, weight copies and activations
};

} // namespace geotrain
