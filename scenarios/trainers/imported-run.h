// SPDX-License-Identifier: GPL-2.0-only
// What a trainer's configuration says of a run, and how it is written as a scenario.
#pragma once

#include "trainers/trainer-config.h"
#include "units/bytes.h"
#include "workload/stage-execution.h"
#include "workload/transformer-spec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

constexpr std::uint32_t mostDegree = 100000; ///< of parallelism that an import takes

/// ImportOptions are what a trainer's configuration leaves to the command that starts it.
struct ImportOptions
{
    std::string gpu = "H100";
    std::uint32_t gpus = 0; ///< of the whole run; 0: as the configuration says it, or the fewest
};

/// ShardedState says what of a replica's state is spread over the replicas.
enum class ShardedState : std::uint8_t
{
    None,
    Optimizer, ///< ZeRO-1, Megatron's distributed optimizer
    All        ///< ZeRO-3, FSDP
};

/// An ImportedRun is a training run in the scenario's words.
struct ImportedRun
{
    std::string name;
    TransformerSpec model; ///< of the catalogue where it is called as one of its models
    std::uint32_t sequence = 0;
    std::uint32_t microbatchSize = 1;
    std::uint32_t microbatches = 1;
    std::uint32_t pipelineStages = 1;
    std::uint32_t dataParallel = 1;
    std::uint32_t tensorParallel = 1;
    std::uint32_t contextParallel = 1; ///< has no counterpart, and takes GPUs all the same
    std::uint32_t expertParallel = 1;
    std::uint32_t gpusPerNode = 8;
    std::string schedule = "1f1b";
    std::uint32_t virtualStages = 1;
    std::vector<std::uint32_t> layersPerStage; ///< empty: an even split
    ShardedState sharded = ShardedState::None;
    bool reducesInSitesFirst = false; ///< HSDP
    Recomputation recomputation = Recomputation::None;
    Attention attention = Attention::Fused;
    Precision precision = Precision::Bf16;
    std::optional<Bytes> gradientBucket;  ///< where reduction overlaps with the backward pass
    std::vector<std::string> assumptions; ///< sentences on what the configuration doesn't say
};

/// Sets the number of data-parallel replicas from the GPUs of the run, `gpus`, or, where they are not
/// known (0), as the fewest replicas that fill nodes at two sites, a multiple of `unit`. Throws
/// ConfigError where the GPUs don't go up in replicas; `keys` are what the numbers come from.
void SetReplicas(ImportedRun& run,
                 std::uint32_t gpus,
                 std::uint32_t unit,
                 const TrainerConfig& config,
                 const TrainerConfig::Keys& keys);

/// Sets the microbatches of a replica from the sequences of a batch over all replicas. Throws
/// ConfigError where they don't go up.
void SetMicrobatches(ImportedRun& run,
                     std::uint32_t globalBatch,
                     const TrainerConfig& config,
                     const TrainerConfig::Keys& keys);

/// Makes the schedule 1F1B where the catalogue's refuses the shape, and lets replicas share experts only
/// where they can. Says so.
void Settle(ImportedRun& run);

/// Returns a scenario of the run at two sites: the second half of the stages, or of the replicas where
/// there is one stage, is at the second. Its head comment says what has no counterpart, what was
/// assumed, and which lines are to be changed.
std::string
ScenarioOf(const ImportedRun& run, const TrainerConfig& config, const ImportOptions& options);

// Each reads a trainer's configuration. Throws ConfigError.
ImportedRun ImportTorchtitan(TrainerConfig& config, const ImportOptions& options);
/// Takes Megatron-LM's arguments, and NeMo's and Megatron Bridge's keys, which are called alike.
ImportedRun ImportMegatron(TrainerConfig& config, const ImportOptions& options);

} // namespace geotrain
