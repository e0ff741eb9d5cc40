// SPDX-License-Identifier: GPL-2.0-only
// Reads the arguments of Megatron-LM (megatron/training/arguments.py), the YAML of NeMo
// (examples/nlp/language_modeling/conf) and that of Megatron Bridge. All three have Megatron's words; of
// each key the names that they give it are listed side by side.
#include "trainers/imported-run.h"
#include "trainers/layer-pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace geotrain
{

namespace
{

using Keys = TrainerConfig::Keys;
using Limits = TransformerLimits;

constexpr std::uint32_t mostBatch = 1000000000;

bool
Contains(std::string text, const std::string& part)
{
    std::transform(text.begin(),
                   text.end(),
                   text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text.find(part) != std::string::npos;
}

/// Returns the tokens of a tokenizer's vocabulary by its name, for those that models of today have.
std::uint32_t
VocabularyOf(const std::string& tokenizer)
{
    constexpr std::pair<const char*, std::uint32_t> known[] = {{"gpt2", 50257},
                                                               {"llama-3", 128256},
                                                               {"llama3", 128256},
                                                               {"llama-2", 32000},
                                                               {"llama2", 32000},
                                                               {"mixtral", 32000},
                                                               {"mistral", 32000},
                                                               {"qwen", 151936},
                                                               {"deepseek-v3", 129280},
                                                               {"deepseek-v2", 102400},
                                                               {"gemma", 256000},
                                                               {"nemotron", 256000},
                                                               {"sentencepiece", 32000}};
    const auto found =
        std::find_if(std::begin(known),
                     std::end(known),
                     [&tokenizer](const auto& entry) { return Contains(tokenizer, entry.first); });
    return found == std::end(known) ? 0 : found->second;
}

/// Returns the vocabulary, padded as Megatron pads it.
std::uint32_t
ReadVocabulary(TrainerConfig& config, ImportedRun& run)
{
    const auto text = [&config](const Keys& keys) { return config.FindText(keys).value_or(""); };
    const auto tokenizer = text({"tokenizer_type", "tokenizer.type"}) + " " +
                           text({"tokenizer_model", "tokenizer.model"}) + " " +
                           text({"tokenizer.library"}) + " " +
                           text({"tokenizer.pretrained_model_name"});
    auto size = config.FindCount({"vocab_size", "override_vocab_size"}, Limits::vocabulary);
    if (!size)
    {
        const auto known = VocabularyOf(tokenizer);
        constexpr std::uint32_t gpt2 = 50257;
        size = known > 0 ? known : gpt2;
        run.assumptions.push_back(
            fmt::format("a vocabulary of {} tokens, {}: its size is not in the configuration",
                        *size,
                        known > 0 ? "as the tokenizer's name says" : "as GPT-2's"));
    }
    const auto divisor =
        config.FindCount({"make_vocab_size_divisible_by"}, Limits::vocabulary).value_or(128) *
        std::uint64_t{run.tensorParallel};
    const auto padded = (*size + divisor - 1) / divisor * divisor;
    if (padded > Limits::vocabulary)
    {
        config.Fail({"make_vocab_size_divisible_by"}, "makes a vocabulary that is too large");
    }
    return static_cast<std::uint32_t>(padded);
}

void
ReadHeads(TrainerConfig& config, TransformerSpec& model)
{
    const Keys groupKeys{"num_query_groups"};
    model.heads = config.Count({"num_attention_heads"}, Limits::heads);
    const auto groups = config.FindCount(groupKeys, Limits::heads);
    const bool isGrouped = config.Flag({"group_query_attention"}, groups.has_value());
    model.kvHeads = isGrouped ? groups.value_or(1) : model.heads;
    if (model.heads % model.kvHeads != 0)
    {
        config.Fail(groupKeys, fmt::format("must divide num_attention_heads ({})", model.heads));
    }
    const auto width = config.FindCount({"kv_channels"}, Limits::hidden);
    if (!width && model.hidden % model.heads != 0)
    {
        config.Fail({"num_attention_heads"},
                    fmt::format("must divide hidden_size ({})", model.hidden));
    }
    model.headWidth = width.value_or(model.hidden / model.heads);
}

void
ReadFeedForward(TrainerConfig& config, TransformerSpec& model)
{
    const auto activation =
        config.FindText({"model.activation", "activation_func", "activation"}).value_or("");
    model.gated = config.Flag({"swiglu"}) || Contains(activation, "glu") ||
                  config.Flag({"gated_linear_unit"});
    // Megatron-LM's default keeps a gated MLP as large as a plain one; NeMo's stays 4 x hidden.
    const auto plain = 4 * model.hidden;
    model.ffnWidth = config.FindCount({"ffn_hidden_size"}, Limits::ffnWidth)
                         .value_or(config.Flag({"swiglu"}) ? plain * 2 / 3 / 64 * 64 : plain);
}

/// Takes multi-head latent attention, whose widths have Megatron-LM's defaults.
void
ReadLatentAttention(TrainerConfig& config, TransformerSpec& model)
{
    const auto width = [&config](const char* key, std::uint32_t absent)
    { return config.FindCount({key}, Limits::hidden).value_or(absent); };
    const auto queryRank = config.FindCount({"q_lora_rank"}, Limits::hidden).value_or(0);
    const auto kvRank = width("kv_lora_rank", 512);
    const auto rotary = width("qk_pos_emb_head_dim", 64);
    const auto plain = width("qk_head_dim", 128);
    const auto values = width("v_head_dim", 128);
    if (config.Flag({"multi_latent_attention"}))
    {
        model.latent = {queryRank, kvRank, rotary};
        model.headWidth = plain + rotary;
        model.valueWidth = values;
        model.kvHeads = model.heads;
    }
    else if (config.Flag({"qk_layernorm"}))
    {
        model.queryKeyNorm = QueryKeyNorm::PerHead;
    }
}

void
ReadExperts(TrainerConfig& config, TransformerSpec& model)
{
    const Keys frequencyKeys{"moe_layer_freq"};
    const auto count = config.FindCount({"num_experts", "num_moe_experts"}, Limits::experts);
    if (!count || *count == 1)
    {
        return;
    }
    ExpertSpec& experts = model.experts;
    experts.count = *count;
    experts.perToken = config.FindCount({"moe_router_topk"}, *count).value_or(2);
    experts.width =
        config.FindCount({"moe_ffn_hidden_size"}, Limits::ffnWidth).value_or(model.ffnWidth);
    experts.sharedWidth =
        config.FindCount({"moe_shared_expert_intermediate_size"}, Limits::ffnWidth).value_or(0);
    experts.hasSharedGate = config.Flag({"moe_shared_expert_gate", "moe_use_shared_expert_gate"});
    experts.hasRouterBias = config.Flag({"moe_router_enable_expert_bias"});
    experts.groups = config.FindCount({"moe_router_num_groups"}, *count).value_or(0);
    experts.groupsPerToken = config.FindCount({"moe_router_group_topk"}, *count).value_or(0);
    const auto groups = ExpertLayers(config.FindText(frequencyKeys).value_or("1"), model.layers);
    if (!groups)
    {
        config.Fail(frequencyKeys,
                    fmt::format("must be a number or a list of {} zeros and ones", model.layers));
    }
    model.layerGroups = *groups;
    if (const auto factor = config.FindText({"moe_expert_capacity_factor"}))
    {
        char* end = nullptr;
        experts.capacityFactor = std::strtod(factor->c_str(), &end);
        if (*end != '\0' || !(experts.capacityFactor >= 0.1) ||
            experts.capacityFactor > Limits::capacityFactor)
        {
            config.Fail({"moe_expert_capacity_factor"}, "must be from 0.1 to 100");
        }
    }
}

void
RefuseOthers(TrainerConfig& config)
{
    for (const char* key : {"encoder.num_layers",
                            "decoder.num_layers",
                            "encoder_num_layers",
                            "decoder_num_layers",
                            "hybrid_attention_ratio",
                            "hybrid_override_pattern",
                            "is_hybrid_model",
                            "mamba_state_dim",
                            "retro_project_dir",
                            "heterogeneous_layers_config_path",
                            "bert_binary_head"})
    {
        if (config.FindText({key}))
        {
            config.Fail(
                {key},
                "makes a model that is not a decoder of equal layers, which is not modelled");
        }
    }
}

void
ReadModel(TrainerConfig& config, ImportedRun& run)
{
    RefuseOthers(config);
    TransformerSpec& model = run.model;
    model.layers = config.Count({"num_layers"}, Limits::layers);
    model.hidden = config.Count({"hidden_size"}, Limits::hidden);
    ReadHeads(config, model);
    ReadFeedForward(config, model);
    ReadLatentAttention(config, model);
    ReadExperts(config, model);
    model.vocabulary = ReadVocabulary(config, run);
    run.sequence =
        config.FindCount({"seq_length", "encoder_seq_length", "sequence_length"}, Limits::tokens)
            .value_or(0);
    config.FindCount({"encoder_seq_length"}, Limits::tokens);
    if (run.sequence == 0)
    {
        config.Fail({"seq_length"}, "is missing");
    }
    model.maxContext =
        config.FindCount({"max_position_embeddings"}, Limits::tokens).value_or(run.sequence);
    const auto positions =
        config.FindText({"position_embedding_type"}).value_or("learned_absolute");
    model.learnedPositions = Contains(positions, "learned") &&
                             !config.Flag({"use_rotary_position_embeddings"}) &&
                             !config.Flag({"no_position_embedding"});
    model.layerNorm = !Contains(config.FindText({"normalization"}).value_or("LayerNorm"), "rms");
    model.linearBias = !config.Flag({"disable_bias_linear"}) &&
                       config.Flag({"add_bias_linear", "model.bias"}, true);
    model.outputBias = model.linearBias;
    model.qkvBias = config.Flag({"add_qkv_bias", "qkv_bias"}, model.linearBias) || model.linearBias;
    model.tiedEmbeddings = !config.Flag({"untie_embeddings_and_output_weights"}) &&
                           config.Flag({"share_embeddings_and_output_weights"}, true);
}

void
ReadPipeline(TrainerConfig& config, ImportedRun& run)
{
    const auto layers = run.model.layers;
    const auto stages = run.pipelineStages;
    const Keys firstKeys{"decoder_first_pipeline_num_layers", "num_layers_in_first_pipeline_stage"};
    const Keys lastKeys{"decoder_last_pipeline_num_layers", "num_layers_in_last_pipeline_stage"};
    const auto first = config.FindCount(firstKeys, layers);
    const auto last = config.FindCount(lastKeys, layers);
    const auto perVirtual = config.FindCount({"num_layers_per_virtual_pipeline_stage"}, layers);
    run.virtualStages = config
                            .FindCount({"num_virtual_stages_per_pipeline_rank",
                                        "virtual_pipeline_model_parallel_size"},
                                       layers)
                            .value_or(perVirtual ? layers / stages / *perVirtual : 1);
    if (stages == 1 || run.virtualStages <= 1)
    {
        run.virtualStages = 1;
    }
    else
    {
        run.schedule = "interleaved";
    }
    if (stages > 1 && (first || last))
    {
        const auto ends = (first ? 1U : 0U) + (last ? 1U : 0U);
        const auto inner = layers - std::min(layers, first.value_or(0) + last.value_or(0));
        if (stages <= ends || inner % (stages - ends) != 0 || inner == 0 || run.virtualStages > 1)
        {
            config.Fail(first ? firstKeys : lastKeys,
                        run.virtualStages > 1 ? "does not go with virtual stages here"
                                              : "must leave layers that the other stages divide");
        }
        run.layersPerStage.assign(stages, inner / (stages - ends));
        run.layersPerStage.front() = first.value_or(run.layersPerStage.front());
        run.layersPerStage.back() = last.value_or(run.layersPerStage.back());
    }
}

void
ReadDegrees(TrainerConfig& config, ImportedRun& run, const ImportOptions& options)
{
    const Keys nodeKeys{"nnodes", "num_nodes"};
    const Keys gpuKeys{"nproc_per_node", "trainer.devices", "devices", "num_gpus_per_node"};
    run.tensorParallel =
        config.FindCount({"tensor_model_parallel_size", "model_parallel_size"}, 1024).value_or(1);
    run.pipelineStages = config.FindCount({"pipeline_model_parallel_size"}, 10000).value_or(1);
    run.contextParallel = config.FindCount({"context_parallel_size"}, mostDegree).value_or(1);
    run.expertParallel =
        config
            .FindCount({"expert_model_parallel_size", "moe_expert_model_parallel_size"}, mostDegree)
            .value_or(1);
    const auto written = config.FindText(gpuKeys).value_or("");
    const bool isCounted =
        !written.empty() && written != "auto" && written != "-1" && written != "gpu";
    const auto perNode = isCounted ? config.FindCount(gpuKeys, 1024) : std::nullopt;
    const auto nodes = config.FindCount(nodeKeys, 100000);
    run.gpusPerNode = perNode.value_or(8);
    const auto own = nodes || perNode ? nodes.value_or(1) * run.gpusPerNode : 0;
    SetReplicas(run, options.gpus > 0 ? options.gpus : own, 1, config, nodes ? nodeKeys : gpuKeys);
    if (run.contextParallel > 1)
    {
        config.Remark({"context_parallel_size"},
                      fmt::format("a replica has {} GPUs instead of {}",
                                  run.pipelineStages * run.tensorParallel,
                                  run.pipelineStages * run.tensorParallel * run.contextParallel));
    }
}

void
ReadBatch(TrainerConfig& config, ImportedRun& run)
{
    const Keys globalKeys{"global_batch_size"};
    run.microbatchSize = config.Count({"micro_batch_size", "batch_size"}, Limits::microbatchSize);
    const auto all = config.FindCount(globalKeys, mostBatch);
    if (!all)
    {
        run.assumptions.push_back("one microbatch an iteration, as without global_batch_size");
    }
    SetMicrobatches(run, all.value_or(run.dataParallel * run.microbatchSize), config, globalKeys);
}

void
ReadRecomputation(TrainerConfig& config, ImportedRun& run)
{
    const Keys keys{"recompute_granularity", "activations_checkpoint_granularity"};
    const Keys moduleKeys{"recompute_modules"};
    const Keys layerKeys{"recompute_num_layers", "activations_checkpoint_num_layers"};
    const auto granularity =
        config.FindText(keys).value_or(config.Flag({"recompute_activations"})    ? "selective"
                                       : config.Flag({"checkpoint_activations"}) ? "full"
                                                                                 : "none");
    const bool isSplit = config.Flag({"sequence_parallel"}) && run.tensorParallel > 1;
    run.recomputation = granularity == "full"                   ? Recomputation::Full
                        : granularity == "selective" || isSplit ? Recomputation::Selective
                                                                : Recomputation::None;
    if (granularity != "full" && granularity != "selective" && granularity != "none")
    {
        config.Fail(keys, "must be full or selective");
    }
    if (granularity == "selective" && !isSplit && run.tensorParallel > 1)
    {
        config.Remark(keys, "the run splits norms along the sequence too (sequence_parallel)");
    }
    const auto modules = config.FindText(moduleKeys).value_or("core_attn");
    if (modules != "core_attn")
    {
        config.Remark(moduleKeys, "the run recomputes attention alone");
    }
    const auto method = config.FindText({"recompute_method", "activations_checkpoint_method"});
    const auto some = config.FindCount(layerKeys, Limits::layers);
    if (granularity == "full" && method.value_or("") == "block" &&
        some.value_or(run.model.layers) < run.model.layers / run.pipelineStages)
    {
        config.Remark(layerKeys, "the run recomputes all layers");
    }
}

/// Returns whether a key turns FP8 on, by itself or by naming a format.
bool
HasFp8(TrainerConfig& config)
{
    const auto isOn = [&config](const Keys& keys)
    {
        const auto text = config.FindText(keys).value_or("false");
        return !Contains(text, "false") && !Contains(text, "none");
    };
    return isOn({"fp8_format"}) || isOn({"fp8"}) || isOn({"fp8_e4m3"});
}

void
ReadPrecision(TrainerConfig& config, ImportedRun& run)
{
    const auto named =
        config.FindText({"trainer.precision", "mixed_precision", "precision"}).value_or("");
    const bool isBf16 = config.Flag({"bf16"}) || Contains(named, "bf16");
    const bool isFp16 = config.Flag({"fp16"}) || Contains(named, "16");
    run.precision = HasFp8(config) || Contains(named, "fp8") ? Precision::Fp8
                    : isBf16                                 ? Precision::Bf16
                    : isFp16                                 ? Precision::Fp16
                                                             : Precision::Fp32;
    // Megatron sums bf16's gradients in fp32 unless it is told otherwise, and fp16's in fp16.
    const bool isNarrow = config.Flag({"grad_reduce_in_bf16"}) ||
                          !config.Flag({"grad_reduce_in_fp32"}, true) ||
                          Contains(config.FindText({"grad_sync_dtype"}).value_or(""), "16") ||
                          (run.precision == Precision::Fp16 && named.empty() &&
                           !config.Flag({"accumulate_allreduce_grads_in_fp32"}));
    config.Flag({"accumulate_allreduce_grads_in_fp32"});
    run.model.gradientBytesPerParameter = isNarrow ? 2 : 4;
    const auto backend = config.FindText({"attention_backend"}).value_or("auto");
    if (Contains(backend, "local") || Contains(backend, "unfused"))
    {
        run.attention = Attention::Unfused;
    }
}

void
ReadDataParallelism(TrainerConfig& config, ImportedRun& run)
{
    const Keys shardingKeys{"data_parallel_sharding_strategy"};
    const auto optimizer = config.FindText({"optim.name", "optimizer.optimizer"}).value_or("");
    const auto strategy = config.FindText(shardingKeys).value_or("no_shard");
    const bool isFsdp = config.Flag({"use_torch_fsdp2"}) || config.Flag({"fsdp"}) ||
                        ((config.Flag({"use_megatron_fsdp"}) || config.Flag({"use_custom_fsdp"})) &&
                         strategy == "optim_grads_params");
    const bool isDistributed =
        config.Flag({"use_distributed_optimizer"}, Contains(optimizer, "distributed") || isFsdp);
    run.sharded = run.dataParallel == 1               ? ShardedState::None
                  : isFsdp && run.pipelineStages == 1 ? ShardedState::All
                  : isDistributed                     ? ShardedState::Optimizer
                                                      : ShardedState::None;
    if (strategy != "no_shard" && strategy != "optim" && run.sharded != ShardedState::All)
    {
        config.Remark(shardingKeys, "the run shards the optimiser's state alone");
    }
    const bool overlaps = config.Flag({"overlap_grad_reduce", "overlap_grad_sync"});
    const auto megabytes =
        config.FindCount({"bucket_cap_mb", "grad_allreduce_chunk_size_mb"}, 1000000);
    const auto parameters = config.Find({"ddp_bucket_size", "ddp.bucket_size"}, 1, 1000000000000);
    if (overlaps && run.dataParallel > 1 && run.sharded != ShardedState::All)
    {
        // Megatron's default: max(40 million, 1 million x replicas) parameters.
        const auto bucket = parameters.value_or(
            std::max<std::int64_t>(40000000, 1000000 * std::int64_t{run.dataParallel}));
        const auto bytes = megabytes ? std::int64_t{*megabytes} << 20
                                     : bucket * run.model.gradientBytesPerParameter;
        run.gradientBucket = Bytes::Of(std::clamp<std::int64_t>(bytes, 1000000, 1000000000000));
    }
}

/// Notes what has no effect on the time of an iteration.
void
ForgetTheRest(TrainerConfig& config)
{
    // Data, learning, checkpoints, logs, and how processes find each other.
    config.Forget("*data_path* data_prefix *data_impl split* mock_data vocab_file merge_file "
                  "vocab_extra_ids tokenizer* tiktoken* dataloader* *num_workers data_cache* "
                  "no_mmap* no_create_attention* eod_mask* reset_position* reset_attention* "
                  "index_mapping* skip_warmup data.* dataset.* num_dataset_builder* drop_last "
                  "pin_memory");
    config.Forget("lr lr_* min_lr decoupled_* weight_decay* start_weight_decay end_weight_decay "
                  "adam_* optimizer optim.lr optim.betas optim.sched.* optim.weight_decay* "
                  "optim.eps optim.name optim.contiguous* clip_grad sgd* init_method* "
                  "use_scaled_init* *seed *dropout* *_epsilon *loss_scale* hysteresis native_amp* "
                  "optimizer.* scheduler.* moe_aux_loss* moe_z_loss* moe_router_load* "
                  "moe_router_score* moe_router_bias* moe_router_enable* moe_router_topk_scaling* "
                  "moe_router_dtype moe_router_pre* *attention_softmax_in_fp32 apply_query_key* "
                  "no_query_key* calculate_per_token_loss fp8_margin fp8_amax* fp8_interval "
                  "fp8_hybrid fp8_wgrad fp8_params *rotary_* *rope_* rope* apply_layernorm_1p "
                  "do_layer_norm* qk_clip* initial_loss* megatron_amp_O2");
    config.Forget("save* load* no_load* no_save* ckpt* *dist_ckpt* async_save use_checkpoint* "
                  "override_opt* *checkpoint_callback* finetune restore* resume* no_ckpt* "
                  "auto_detect_ckpt* use_dist_ckpt pretrained_checkpoint checkpoint.* exit_* "
                  "train_iters train_samples eval_* iter* trainer.max_* trainer.log* trainer.val* "
                  "trainer.limit* trainer.accelerator trainer.enable_* *distributed_sampler "
                  "trainer.replace* trainer.accumulate* trainer.gradient_clip* trainer.benchmark "
                  "train.train_* exp_manager.* run.* name hydra.* *_target_* *_partial_* defaults "
                  "experiment* rng.*");
    config.Forget("log_* *tensorboard* wandb* *profile* timing* *logger* nsys* comet* mlflow* "
                  "use_pytorch_profiler no_barrier* check_for_nan* no_check_for_nan* *straggler* "
                  "apex_transformer* logger.* onnx* distributed_backend distributed_timeout* "
                  "master_* node_rank rdzv* m local_rank local_ranks* tee max_restarts role "
                  "standalone mpirun* np use_cpu_initialization use_mcore_models mcore_gpt "
                  "*transformer_engine transformer_impl use_flash_attn use_flash_attention "
                  "pre_process post_process attention_type transformer_block_type headscale "
                  "openai_gelu normalize_attention* *bias_activation_fusion *bias_dropout_* "
                  "masked_softmax_fusion persist_layer_norm *gradient_accumulation_fusion "
                  "grad_div_ar_fusion gradient_as_bucket* cross_entropy_loss_fusion "
                  "*cross_entropy_fusion* manual_gc* gc_interval empty_unused* distribute_saved* "
                  "enable_experimental yaml_cfg deterministic_mode");
}

} // namespace

ImportedRun
ImportMegatron(TrainerConfig& config, const ImportOptions& options)
{
    ImportedRun run;
    run.assumptions = config.Assumptions();
    ReadDegrees(config, run, options);
    ReadModel(config, run);
    run.model.name = fmt::format("gpt-{}x{}", run.model.layers, run.model.hidden);
    run.name = run.model.name;
    ReadPipeline(config, run);
    ReadBatch(config, run);
    ReadRecomputation(config, run);
    ReadPrecision(config, run);
    ReadDataParallelism(config, run);
    Settle(run);
    ForgetTheRest(config);
    return run;
}

} // namespace geotrain
