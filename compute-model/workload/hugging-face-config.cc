// SPDX-License-Identifier: GPL-2.0-only
#include "workload/hugging-face-config.h"

#include "units/config-error.h"
#include "units/json-text.h"
#include "units/text-file.h"
#include "workload/config-layers.h"
#include "workload/unread-keys.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace geotrain
{

namespace
{

using Json = ConfigKeys::Json;
using Limits = TransformerLimits;

constexpr const char* layersKey = "num_hidden_layers";

/// Returns the key of a language model inside the config of a larger one; nullptr where there is none.
const char*
LanguageKey(const ConfigKeys& config)
{
    for (const char* key : {"text_config", "llm_config", "language_config", "language_model_config"})
    {
        const Json* const nested = config.Find({key});
        if (nested != nullptr && nested->is_object() && !nested->empty())
        {
            return key;
        }
    }
    return nullptr;
}

/// A head that classifies or scores has a few rows, and one that generates has the vocabulary's.
void
RefuseOtherHeads(const ConfigKeys& config, bool hasTower)
{
    const Json* const architectures = config.Find({"architectures"});
    if (architectures == nullptr)
    {
        return;
    }
    const auto generates = [hasTower](const Json& item)
    {
        const auto name = item.is_string() ? item.get<std::string>() : "";
        const auto has = [&name](const char* part) { return name.find(part) != std::string::npos; };
        return has("CausalLM") || has("LMHead") || has("ForGeneration") ||
               (hasTower && (has("ConditionalGeneration") || has("ChatModel")));
    };
    const bool areCausal =
        architectures->is_array() &&
        std::all_of(architectures->begin(), architectures->end(), generates);
    if (!areCausal)
    {
        config.Refuse("architectures",
                      "must be causal language models (...ForCausalLM, ...LMHeadModel); heads of "
                      "others have other sizes: leave the key out to count a language model's");
    }
}

const ModelFamily&
FamilyOf(const ConfigKeys& config)
{
    const std::string name = config.Text({"model_type"});
    const std::string needs = WhatFamilyNeeds(name);
    if (!needs.empty())
    {
        config.Refuse("model_type", "needs what is not modelled: " + needs);
    }
    const ModelFamily* const family = FindFamily(name);
    if (family == nullptr)
    {
        config.Refuse("model_type",
                      name.empty() ? "is missing" : "must be one of " + FamilyNames());
    }
    return *family;
}

/// Returns the key-value heads. Queries of a layer may share one.
std::uint32_t
KvHeads(const ConfigKeys& config, std::uint32_t heads)
{
    const std::string type = config.Text({"attention_head_type"});
    if (!type.empty() && type != "multihead" && type != "multiquery" && type != "groupedquery")
    {
        config.Refuse("attention_head_type", "must be multihead, multiquery or groupedquery");
    }
    const auto grouped = config.FindCount(
        {"num_key_value_heads", "num_kv_heads", "kv_n_heads", "multi_query_group_num"},
        Limits::heads);
    const bool isGrouped = config.Flag({"new_decoder_architecture", "multi_query_attention"}, false);
    const bool sharesOne = config.Flag({"multi_query"}, false);
    if (!isGrouped && (type == "multiquery" || sharesOne))
    {
        return 1;
    }
    const bool isFalconOrGlm = config.Find({"new_decoder_architecture"}) != nullptr ||
                               config.Find({"multi_query_attention"}) != nullptr;
    return isFalconOrGlm && !isGrouped ? heads : grouped.value_or(heads);
}

void
SetAttention(const ConfigKeys& config, const ModelFamily& family, TransformerSpec& model)
{
    model.heads = config.Count({"num_attention_heads", "n_head", "n_heads", "num_heads"}, Limits::heads);
    if ((family.traits & family::latent) != 0)
    {
        model.latent.kvRank = config.Count({"kv_lora_rank"}, Limits::hidden);
        model.latent.queryRank = config.CountOrZero({"q_lora_rank"}, Limits::hidden);
        model.latent.rotaryWidth = config.CountOrZero({"qk_rope_head_dim"}, Limits::hidden);
        model.headWidth =
            config.Count({"qk_nope_head_dim"}, Limits::hidden) + model.latent.rotaryWidth;
        model.valueWidth = config.Count({"v_head_dim"}, Limits::hidden);
        model.kvHeads = model.heads;
        for (const char* unused : {"num_key_value_heads", "head_dim", "qk_head_dim"})
        {
            config.MarkRead(unused);
        }
        return;
    }
    model.kvHeads = KvHeads(config, model.heads);
    if (model.heads % model.kvHeads != 0)
    {
        config.Refuse("num_key_value_heads",
                      "must divide num_attention_heads (" + std::to_string(model.heads) + ")");
    }
    const auto headWidth =
        config.FindCount({"head_dim", "kv_channels", "attention_head_dim"}, Limits::hidden);
    if (!headWidth && model.hidden % model.heads != 0)
    {
        config.Refuse(config.Find({"n_head"}) != nullptr ? "n_head" : "num_attention_heads",
                      "must divide hidden_size (" + std::to_string(model.hidden) + ")");
    }
    model.headWidth = headWidth.value_or(model.hidden / model.heads);
}

void
SetBiases(const ConfigKeys& config, const ModelFamily& family, TransformerSpec& model)
{
    const bool hasNone = config.Flag({"no_bias"}, false);
    const bool all =
        config.Flag({"use_bias", "bias", "enable_bias", "add_bias_linear"}, false) ||
        (config.Find({"no_bias"}) != nullptr && !hasNone);
    const bool attention = config.Flag({"attention_bias"}, all);
    model.qkvBias = config.Flag({"qkv_bias", "use_qkv_bias", "add_qkv_bias"}, attention);
    model.outputBias = config.Flag({"attention_out_bias"}, attention) &&
                       (family.traits & family::noOutputBias) == 0;
    model.linearBias = config.Flag({"mlp_bias"}, all);
    model.headBias = config.Flag({"lm_head_bias"}, false);
    if (model.latent.kvRank > 0)
    {
        model.qkvBias = model.outputBias = false; // those of the narrow matrices are not counted
    }
}

void
SetNorms(const ConfigKeys& config, const ModelFamily& family, TransformerSpec& model)
{
    const auto has = [&family](unsigned trait) { return (family.traits & trait) != 0; };
    const bool hasNewDecoder = config.Flag({"new_decoder_architecture"}, false);
    model.parallelBlock =
        config.Flag({"use_parallel_residual", "parallel_attn"}, has(family::parallel)) ||
        hasNewDecoder;
    const auto besideNew = config.FindCount({"num_ln_in_parallel_attn"}, 2);
    model.normsPerLayer = has(family::fourNorms)                           ? 4
                          : !model.parallelBlock || !has(family::oneNorm) ? 2
                          : hasNewDecoder                                 ? besideNew.value_or(2)
                                                                          : 1;
    model.layerNorm = has(family::layerNorm);
    model.normWeights = !has(family::weightlessNorms);
    model.embeddingNorm = has(family::embeddingNorm);
    const bool normsHeads = config.Flag({"use_qk_norm", "qk_layernorm", "qk_norm"}, true);
    if (normsHeads && (has(family::headNorms) || has(family::wideNorms)))
    {
        model.queryKeyNorm =
            has(family::headNorms) ? QueryKeyNorm::PerHead : QueryKeyNorm::WholeWidth;
    }
}

void
SetExperts(const ConfigKeys& config, const ModelFamily& family, TransformerSpec& model)
{
    static const ConfigKeys::Names countNames = {
        "num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts"};
    if ((family.traits & family::experts) == 0)
    {
        for (const char* key : {"num_local_experts",
                                "num_experts",
                                "n_routed_experts",
                                "moe_num_experts",
                                "num_experts_per_tok",
                                "moe_intermediate_size"})
        {
            const Json* const value = config.Find({key});
            if (value != nullptr && *value != 0 && *value != 1)
            {
                config.Refuse(key,
                              "makes a mixture of experts, which a " +
                                  config.Text({"model_type"}) + " is not");
            }
        }
        return;
    }
    const Json* const count = config.Find(countNames);
    if (count != nullptr && (*count == 0 || *count == 1))
    {
        return;
    }
    ExpertSpec& experts = model.experts;
    experts.count = config.Count(countNames, Limits::experts);
    experts.perToken = config.Count(
        {"num_experts_per_tok", "num_experts_per_token", "experts_per_token", "moe_k", "moe_top_k"},
        Limits::experts);
    experts.width = config.Count({"moe_intermediate_size", "intermediate_size", "ffn_hidden_size"},
                                 Limits::ffnWidth);
    const std::uint32_t shared = config.CountOrZero(
        {"n_shared_experts", "num_shared_experts", "moe_num_shared_experts"}, Limits::experts);
    const std::uint64_t sharedWidth =
        shared > 0 ? std::uint64_t{shared} * experts.width
                   : config.CountOrZero({"shared_expert_intermediate_size", "shared_intermediate_size"},
                                        Limits::ffnWidth);
    experts.sharedWidth =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(sharedWidth, Limits::ffnWidth + 1));
    experts.hasSharedGate = config.Flag({"shared_expert_gate"}, false) && experts.sharedWidth > 0;
    experts.hasRouterBias = config.Flag({"use_routing_bias", "router_bias"}, false);
    const std::uint32_t groups = config.CountOrZero({"n_group"}, Limits::experts);
    const std::uint32_t groupsPerToken = config.CountOrZero({"topk_group"}, Limits::experts);
    if (groups > 1 && groupsPerToken > 0 && groupsPerToken < groups)
    {
        experts.groups = groups;
        experts.groupsPerToken = groupsPerToken;
    }
}

void
SetMlp(const ConfigKeys& config, const ModelFamily& family, TransformerSpec& model)
{
    model.gated = (family.traits & family::plainMlp) == 0;
    const auto ratio = config.FindCount({"expansion_ratio"}, 1000);
    const auto width =
        config.FindCount({"intermediate_size_mlp", "intermediate_size", "n_inner", "ffn_dim",
                          "ffn_hidden_size"},
                         Limits::ffnWidth);
    if (!width && (family.traits & family::fourTimes) == 0)
    {
        config.Refuse("intermediate_size", "is missing");
    }
    model.ffnWidth = width.value_or(
        static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{ratio.value_or(4)} * model.hidden, Limits::ffnWidth)));
    if ((family.traits & family::halfFfn) != 0)
    {
        model.ffnWidth = std::max(1u, model.ffnWidth / 2);
    }
}

TransformerSpec
Read(const ConfigKeys& config, const ModelFamily& family)
{
    TransformerSpec model;
    model.layers =
        config.Count({layersKey, "n_layer", "n_layers", "num_layers"}, Limits::layers);
    model.hidden = config.Count({"hidden_size", "n_embd", "n_embed", "d_model"}, Limits::hidden);
    SetAttention(config, family, model);
    SetMlp(config, family, model);
    SetExperts(config, family, model);
    SetBiases(config, family, model);
    SetNorms(config, family, model);
    SetLayers(config, family, model);
    model.attentionSinks = (family.traits & family::sinks) != 0;
    model.vocabulary = config.Count({"padded_vocab_size", "vocab_size"}, Limits::vocabulary);
    model.maxContext =
        config.Count({"max_position_embeddings", "n_positions", "max_sequence_length", "seq_length",
                      "max_seq_len", "model_max_length", "n_ctx"},
                     Limits::tokens);
    model.tiedEmbeddings = config.Flag({"tie_word_embeddings"}, false);
    model.learnedPositions = (family.traits & family::learnedPositions) != 0 &&
                             !config.Flag({"alibi"}, false) &&
                             config.Flag({"learned_pos_emb"}, true);
    const auto embedding = config.FindCount({"word_embed_proj_dim"}, Limits::hidden);
    if (embedding && *embedding != model.hidden)
    {
        config.Refuse("word_embed_proj_dim", "must be hidden_size: others are not modelled");
    }
    return model;
}

/// Returns the keys of the language model itself, with those of sections in it, and of its family's
/// that are absent.
ConfigKeys
LanguageModel(const std::string& fileName, const Json& whole, TransformerSpec& notes)
{
    const ConfigKeys outer(fileName, whole);
    const char* const key = LanguageKey(outer);
    const bool hasTower = key != nullptr || outer.Find({"vision_config"}) != nullptr;
    RefuseOtherHeads(outer, hasTower);
    Json language = key == nullptr ? whole : whole.at(key);
    const std::string outerType = outer.Text({"model_type"});
    if (const std::string needs = WhatFamilyNeeds(outerType); !needs.empty())
    {
        outer.Refuse("model_type", "needs what is not modelled: " + needs);
    }
    if (key != nullptr)
    {
        for (const char* shared : {"tie_word_embeddings", "model_type"})
        {
            if (!language.contains(shared) && whole.contains(shared))
            {
                language[shared] = whole.at(shared);
            }
        }
        notes.notes.push_back(fileName + " is of " + (outerType.empty() ? "a model" : outerType) +
                              ": its " + key +
                              " is taken, and what sees or hears beside it is left out");
    }
    for (const char* section : {"attn_config", "ffn_config"}) // of MPT and DBRX
    {
        const auto found = language.find(section);
        if (found != language.end() && found->is_object())
        {
            const Json inner = *found;
            language.erase(section);
            for (const auto& [name, value] : inner.items())
            {
                if (!language.contains(name))
                {
                    language[name] = value;
                }
            }
        }
    }
    return {fileName, std::move(language), key == nullptr ? "" : std::string(key) + "."};
}

} // namespace

TransformerSpec
ParseHuggingFaceConfig(const std::string& fileName, const std::string& text)
{
    TransformerSpec told;
    ConfigKeys config = LanguageModel(fileName, ParseJson(text, fileName), told);
    const ModelFamily& family = FamilyOf(config);
    config.SetAbsent(Json::parse(family.defaults));
    TransformerSpec model = Read(config, family);
    const std::string path = config.Text({"_name_or_path"});
    model.name = path.empty() ? config.Text({"model_type"}) : path;
    model.source = fileName;
    model.sequence = model.maxContext;
    model.notes = std::move(told.notes);
    CheckUnreadKeys(config, model);
    try
    {
        CheckTransformer(model);
    }
    catch (const std::invalid_argument& error)
    {
        throw ConfigError(fileName, "", "", error.what());
    }
    return model;
}

TransformerSpec
ImportHuggingFaceConfig(const std::string& path)
{
    return ParseHuggingFaceConfig(path, ReadTextFile(path));
}

} // namespace geotrain
