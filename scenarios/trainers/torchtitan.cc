// SPDX-License-Identifier: GPL-2.0-only
// Reads torchtitan's train_configs/*.toml (github.com/pytorch/torchtitan, torchtitan/config/job_config.py),
// under the names of its keys since 2024. Models are those of its own flavours.
#include "trainers/imported-run.h"
#include "trainers/model-flavours.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace geotrain
{

namespace
{

/// Returns the layers of each virtual stage as torchtitan deals them out: the embedding and the head
/// count as a layer each (torchtitan/distributed/pipeline_parallel.py, generate_llm_fqn_per_model_part).
std::vector<std::uint32_t>
LayersPerStage(TrainerConfig& config, std::uint32_t layers, std::uint32_t stages)
{
    const auto first =
        config.Find({"pipeline_parallel_first_stage_less_layers"}, 0, layers).value_or(1);
    const auto last =
        config.Find({"pipeline_parallel_last_stage_less_layers"}, 0, layers).value_or(1);
    const auto all = layers + static_cast<std::uint32_t>(first + last);
    std::vector<std::uint32_t> parts(stages, all / stages);
    std::for_each(parts.begin(), parts.begin() + all % stages, [](auto& part) { ++part; });
    if (stages == 1 || parts.front() <= first || parts.back() <= last)
    {
        return {};
    }
    parts.front() -= static_cast<std::uint32_t>(first);
    parts.back() -= static_cast<std::uint32_t>(last);
    return parts;
}

void
TakeSchedule(TrainerConfig& config, ImportedRun& run)
{
    const TrainerConfig::Keys key{"pipeline_parallel_schedule"};
    const auto written = config.FindText(key).value_or("1F1B");
    const auto perStage =
        config.FindCount({"pipeline_parallel_layers_per_stage"}, TransformerLimits::layers);
    if (run.pipelineStages == 1)
    {
        return;
    }
    static const std::map<std::string, std::string> schedules = {{"1F1B", "1f1b"},
                                                                 {"GPipe", "gpipe"},
                                                                 {"Interleaved1F1B", "interleaved"},
                                                                 {"ZBVZeroBubble", "zb-v"},
                                                                 {"DualPipeV", "dualpipe-v"}};
    const auto found = schedules.find(written);
    const bool isLooped =
        written != "1F1B" && written != "GPipe" && written != "PipelineScheduleSingle";
    run.schedule = found != schedules.end() ? found->second : isLooped ? "interleaved" : "1f1b";
    if (found == schedules.end())
    {
        config.Remark(key, "the run has " + run.schedule);
    }
    const auto layers = run.model.layers;
    const auto stages =
        perStage ? (layers + 2 + *perStage - 1) / *perStage : 2 * run.pipelineStages;
    run.virtualStages = isLooped ? std::max(2U, stages / run.pipelineStages) : 1;
    run.layersPerStage = LayersPerStage(config, layers, run.pipelineStages * run.virtualStages);
}

/// Takes how the ranks are dealt out to replicas and shards.
void
TakeDegrees(TrainerConfig& config, ImportedRun& run, const ImportOptions& options)
{
    const TrainerConfig::Keys shardKeys{"data_parallel_shard_degree", "data_parallel_degree"};
    run.pipelineStages = config.FindCount({"pipeline_parallel_degree"}, 10000).value_or(1);
    run.tensorParallel = config.FindCount({"tensor_parallel_degree"}, 1024).value_or(1);
    run.contextParallel = config.FindCount({"context_parallel_degree"}, mostDegree).value_or(1);
    run.expertParallel = config.FindCount({"expert_parallel_degree"}, mostDegree).value_or(1);
    const auto copies =
        config.FindCount({"data_parallel_replicate_degree"}, mostDegree).value_or(1);
    const auto shards = config.Find(shardKeys, -1, mostDegree).value_or(-1);
    if (shards == 0)
    {
        config.Fail(shardKeys, "must be -1 or at least 1");
    }
    std::uint32_t gpus = options.gpus;
    if (shards > 0)
    {
        const auto own = std::uint64_t{copies} * static_cast<std::uint64_t>(shards) *
                         run.pipelineStages * run.tensorParallel * run.contextParallel;
        if ((gpus > 0 && own != gpus) || own > 10000000)
        {
            config.Fail(shardKeys,
                        fmt::format("must agree with --gpus: all degrees make {} GPUs", own));
        }
        gpus = static_cast<std::uint32_t>(own);
    }
    SetReplicas(run, gpus, copies, config, shardKeys);
    const bool isSharded = run.dataParallel * run.contextParallel > copies;
    if (isSharded && run.pipelineStages > 1)
    {
        run.sharded = ShardedState::Optimizer;
        run.assumptions.push_back(
            "FSDP in a pipeline as a sharded optimiser: gradients are reduced once "
            "an iteration, and parameters gathered after it");
    }
    else if (isSharded && copies > 1)
    {
        run.sharded = ShardedState::Optimizer;
        run.reducesInSitesFirst = true;
        run.assumptions.push_back("HSDP as a sharded optimiser whose gradients are reduced in each "
                                  "site first: gathers of "
                                  "parameters inside a site are not there");
    }
    else if (isSharded && run.dataParallel > 1)
    {
        run.sharded = ShardedState::All;
    }
    if (config.FindText({"fsdp_reshard_after_forward"}).value_or("default") == "never" &&
        run.sharded == ShardedState::All)
    {
        config.Remark({"fsdp_reshard_after_forward"},
                      "layers are gathered again before their backward");
    }
}

void
TakeBatch(TrainerConfig& config, ImportedRun& run)
{
    const TrainerConfig::Keys localKeys{"training.local_batch_size", "training.batch_size"};
    const TrainerConfig::Keys globalKeys{"training.global_batch_size"};
    const auto local = config.FindCount(localKeys, TransformerLimits::microbatchSize).value_or(8);
    const auto all = config.Find(globalKeys, -1, 1000000000).value_or(-1);
    const auto parts = config.FindCount({"pipeline_parallel_microbatches"}, local); // until 2025
    const auto size = config.FindCount({"pipeline_parallel_microbatch_size"}, local);
    run.microbatchSize = run.pipelineStages == 1 ? local
                         : size                  ? *size
                         : parts                 ? local / *parts
                                                 : 1;
    if (local % run.microbatchSize != 0)
    {
        config.Fail(localKeys,
                    fmt::format("must be a multiple of microbatches of {}", run.microbatchSize));
    }
    const auto batch = std::uint64_t{local} * run.dataParallel;
    SetMicrobatches(run,
                    static_cast<std::uint32_t>(all > 0 ? static_cast<std::uint64_t>(all) : batch),
                    config,
                    all > 0 ? globalKeys : localKeys);
    if (run.pipelineStages > 1 && all > 0 && static_cast<std::uint64_t>(all) > batch)
    {
        run.assumptions.push_back(
            "one flush of the pipeline an iteration, not one for each accumulation");
    }
}

void
TakeRecomputation(TrainerConfig& config, ImportedRun& run)
{
    const TrainerConfig::Keys key{"activation_checkpoint.mode"};
    const auto mode = config.FindText(key).value_or("selective");
    const auto option =
        config.FindText({"selective_ac_option", "selective_ac_type"}).value_or("op");
    run.recomputation = mode == "full" || (mode == "selective" && option == "1")
                            ? Recomputation::Full
                        : mode == "selective" || run.tensorParallel > 1 ? Recomputation::Selective
                                                                        : Recomputation::None;
    if (mode == "selective" && option == "op")
    {
        config.Remark(key, "the run recomputes attention alone, and not every second product too");
    }
    else if (mode == "selective" && option != "1")
    {
        config.Remark({"selective_ac_option"}, "the run recomputes attention alone, in all layers");
    }
    else if (mode != "none" && mode != "full" && mode != "selective")
    {
        config.Remark(key, "the run recomputes nothing");
    }
}

void
TakePrecision(TrainerConfig& config, ImportedRun& run)
{
    const auto converters = config.FindText({"model.converters"}).value_or("");
    const bool isFloat8 = converters.find("float8") != std::string::npos ||
                          converters.find("mx") != std::string::npos ||
                          config.Flag({"float8.enable_float8_linear", "enable_fp8_linear"});
    const auto parameters = config.FindText({"mixed_precision_param"}).value_or("bfloat16");
    const auto type = config.FindText({"training.dtype"}).value_or("float32");
    const auto reduced = config.FindText({"mixed_precision_reduce"}).value_or("float32");
    const auto is32 = [](const std::string& name) { return name == "float32" || name == "fp32"; };
    run.precision = isFloat8                         ? Precision::Fp8
                    : is32(parameters) && is32(type) ? Precision::Fp32
                                                     : Precision::Bf16;
    const bool isWide = is32(type) && is32(reduced);
    run.model.gradientBytesPerParameter = isWide ? 4 : 2;
}

} // namespace

ImportedRun
ImportTorchtitan(TrainerConfig& config, const ImportOptions& options)
{
    ImportedRun run;
    const auto family = config.FindText({"model.name"}).value_or("llama3");
    const auto flavour = config.FindText({"model.flavor"}).value_or("debugmodel");
    const auto model = FindFlavour(family, flavour);
    if (!model)
    {
        config.Fail({"model.flavor"},
                    fmt::format("must be a flavour that is known here: {}",
                                fmt::join(NamesOfFlavours(), ", ")));
    }
    run.model = *model;
    run.name = family + "-" + flavour;
    run.sequence = config.FindCount({"training.seq_len"}, TransformerLimits::tokens).value_or(2048);
    TakeDegrees(config, run, options);
    TakeBatch(config, run);
    TakeSchedule(config, run);
    TakeRecomputation(config, run);
    TakePrecision(config, run);
    Settle(run);
    if (run.contextParallel > 1)
    {
        config.Remark({"context_parallel_degree"},
                      fmt::format("a replica has {} GPUs instead of {}",
                                  run.pipelineStages * run.tensorParallel,
                                  run.pipelineStages * run.tensorParallel * run.contextParallel));
    }
    config.FindCount({"expert_tensor_parallel_degree"}, mostDegree);
    config.Forget(
        "job.* profiling.* metrics.* checkpoint.* lr_scheduler.* comm.* validation.* "
        "experimental.custom_* model.tokenizer_path model.tokenizer* model.hf_assets_path "
        "model.norm_type model.print_after_conversion optimizer.name optimizer.lr "
        "optimizer.eps optimizer.beta* optimizer.weight_decay optimizer.implementation "
        "optimizer.fused optimizer.foreach training.steps training.dataset* "
        "training.max_norm training.seed training.deterministic training.warmup_steps "
        "training.gc_* training.data_parallel_type training.mixed_precision* debug.* "
        "float8.* quantize.* mx.* compile.components early_stop* selective_ac_option "
        "per_op_sac_force_recompute* context_parallel_rotate_method fault_tolerance.* "
        "fsdp_reshard_after_forward *_less_layers");
    return run;
}

} // namespace geotrain
