// SPDX-License-Identifier: GPL-2.0-only
#include "workload/unread-keys.h"

#include <algorithm>
#include <string>

namespace geotrain
{

namespace
{

/// Parts of the names of keys that add weights or operations that are not modelled.
const char* const changing[] = {"_per_layer",      "pruned_heads",    "block_configs",
                                "lora",            "cross_attention", "encoder_decoder", "kv_shared",
                                "attention_chunk", "mamba",           "ssm_",
                                "conv_",           "linear_num",      "index_n",
                                "index_head",      "altup",           "laurel"};

/// A LeftOut is part of a key's name and what is said of it.
struct LeftOut
{
    const char* part;
    const char* note;
};

constexpr LeftOut leftOut[] = {
    {"vision", "what sees beside the language model is left out"},
    {"audio", "what hears beside the language model is left out"},
    {"nextn", "the layers that predict further tokens are left out"},
    {"mtp", "the layers that predict further tokens are left out"},
    {"quantization_config", "weights are counted as they are trained, not quantised"}};

/// Parts of the names of keys of whole numbers, flags, lists and objects on which neither sizes nor
/// operations depend.
const char* const harmless[] = {"token_id",
                                "token_index",
                                "image_token",
                                "video_token",
                                "rope",
                                "rotary",
                                "rotate",
                                "dropout",
                                "init",
                                "scale",
                                "scaling",
                                "cache",
                                "version",
                                "router_logits",
                                "hidden_act",
                                "pretraining_tp",
                                "checkpointing",
                                "summary_",
                                "task_specific",
                                "id2label",
                                "label2id",
                                "auto_map",
                                "flash",
                                "topk_prob",
                                "norm_topk",
                                "seq_aux",
                                "ep_size",
                                "is_decoder",
                                "is_causal",
                                "output_hidden",
                                "output_attention",
                                "return_dict",
                                "torchscript",
                                "reorder",
                                "upcast",
                                "chunk_size_feed",
                                "slow_but_exact",
                                "mup",
                                "dim_model_base",
                                "fp32",
                                "bf16",
                                "fp16",
                                "residual_in",
                                "norm_before",
                                "normalize",
                                "alibi",
                                "prefix",
                                "temperature",
                                "floor_scale",
                                "for_llm_comp",
                                "skip_bias",
                                "original_max",
                                "apply_residual",
                                "post_layer_norm",
                                "bidirectional",
                                "max_length",
                                "min_length",
                                "do_sample",
                                "pad_vocab",
                                "max_window_layers",
                                "window_pattern",
                                "use_sliding",
                                "classifier",
                                "no_rope",
                                "num_beam",
                                "num_labels",
                                "softmax_in",
                                "use_int8",
                                "use_dynamic_ntk",
                                "use_logn",
                                "onnx_safe",
                                "moe_capacity",
                                "moe_use_aux",
                                "moe_aux",
                                "mem_eff",
                                "attention_softmax",
                                "correction_bias",
                                "clip_qkv",
                                "sequence_id",
                                "inference_runner",
                                "max_batch_size",
                                "validate_runner",
                                "pad_key_length",
                                "fusion",
                                "fused",
                                "interleaved",
                                "verbose",
                                "pad_tok",
                                "share_add_bias",
                                "moe_mode",
                                "rmsnorm",
                                "layernorm_",
                                "pos_emb",
                                "remove_padding",
                                "reentrant",
                                "generation_config",
                                "jitter",
                                "loss",
                                "swiglu_limit",
                                "layerdrop",
                                "logits_to_keep",
                                "final_layer_norm",
                                "architectures",
                                "embedding_fraction",
                                "fc_type",
                                "parallel_embedding",
                                "mlp_intermediate_size",
                                "qk_norm_type",
                                "scoring",
                                "query_pre_attn",
                                "temperature_tuning",
                                "chat_template",
                                "scan_layers",
                                "keep_in"};

template <typename Part>
bool
HasPart(const std::string& key, const Part& parts)
{
    return std::any_of(std::begin(parts),
                       std::end(parts),
                       [&key](const char* part) { return key.find(part) != std::string::npos; });
}

} // namespace

void
CheckUnreadKeys(const ConfigKeys& config, TransformerSpec& model)
{
    std::string unknown;
    for (const std::string& key : config.Unread())
    {
        if (HasPart(key, changing))
        {
            config.Refuse(key,
                          "changes a model in a way that is not modelled; leave the key out to "
                          "count the plain language model");
        }
        const auto left = std::find_if(std::begin(leftOut),
                                       std::end(leftOut),
                                       [&key](const LeftOut& entry)
                                       { return key.find(entry.part) != std::string::npos; });
        if (left != std::end(leftOut))
        {
            model.notes.push_back(config.FileName() + " has " + key + ": " + left->note);
            continue;
        }
        const ConfigKeys::Json& value = *config.Find({key.c_str()});
        const bool isQuantity = !value.is_string() && !value.is_number_float();
        if (isQuantity && key.front() != '_' && !HasPart(key, harmless))
        {
            unknown += (unknown.empty() ? "" : ", ") + key.substr(0, 60);
        }
    }
    if (!unknown.empty())
    {
        model.notes.push_back(config.FileName() + " has keys that are not understood and change " +
                              "nothing here: " + unknown);
    }
}

} // namespace geotrain
