// SPDX-License-Identifier: GPL-2.0-only
// Sources: torchtitan/models/{llama3,qwen3,deepseek_v3,llama4,gpt_oss}/__init__.py of
// github.com/pytorch/torchtitan, and llama2's of its tags before 2025.
#include "trainers/model-flavours.h"

#include "workload/hugging-face-config.h"
#include "workload/model-catalogue.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>

namespace geotrain
{

namespace
{

/// A Flavour is a model of the catalogue, or where it has none of that name, one by its config.json.
struct Flavour
{
    std::string family;
    std::string flavour;
    std::string model;
    std::string config = {};
};

struct Shape
{
    std::uint32_t layers;
    std::uint32_t hidden;
    std::uint32_t heads;
    std::uint32_t kvHeads;
    std::uint32_t headWidth;
    std::uint32_t ffnWidth;
    std::uint32_t vocabulary;
};

/// Returns the config.json of a Llama or a Qwen3.
std::string
ConfigOf(const char* type, const Shape& shape, bool tied)
{
    return nlohmann::json{{"model_type", type},
                          {"num_hidden_layers", shape.layers},
                          {"hidden_size", shape.hidden},
                          {"num_attention_heads", shape.heads},
                          {"num_key_value_heads", shape.kvHeads},
                          {"head_dim", shape.headWidth},
                          {"intermediate_size", shape.ffnWidth},
                          {"vocab_size", shape.vocabulary},
                          {"max_position_embeddings", 1},
                          {"tie_word_embeddings", tied}}
        .dump();
}

constexpr const char* deepSeekDebug = R"({"model_type": "deepseek_v3", "num_hidden_layers": 6,
    "hidden_size": 256, "num_attention_heads": 16, "num_key_value_heads": 16, "kv_lora_rank": 512,
    "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "intermediate_size": 1024,
    "n_routed_experts": 8, "num_experts_per_tok": 3, "n_shared_experts": 2,
    "moe_intermediate_size": 256, "first_k_dense_replace": 1, "vocab_size": 2048,
    "max_position_embeddings": 1})";

std::vector<Flavour>
MakeFlavours()
{
    constexpr std::uint32_t llama3 = 128256; // tokens
    constexpr std::uint32_t qwen3 = 151936;
    const auto llama = [](const Shape& shape, bool tied = false)
    { return ConfigOf("llama", shape, tied); };
    const auto qwen = [](const Shape& shape, bool tied = false)
    { return ConfigOf("qwen3", shape, tied); };
    return {
        {"llama2", "7B", "llama2-7b", llama({32, 4096, 32, 32, 128, 11008, 32000})},
        {"llama2", "13B", "llama2-13b", llama({40, 5120, 40, 40, 128, 13824, 32000})},
        {"llama2", "26B", "llama2-26b", llama({80, 5120, 40, 40, 128, 13824, 32000})},
        {"llama2", "70B", "llama2-70b"},
        {"llama3", "debugmodel", "llama3-debug", llama({6, 256, 16, 16, 16, 768, 2048})},
        {"llama3", "1B", "llama3.2-1b", llama({16, 2048, 32, 8, 64, 8192, llama3}, true)},
        {"llama3", "3B", "llama3.2-3b", llama({28, 3072, 24, 8, 128, 8192, llama3}, true)},
        {"llama3", "8B", "llama3-8b"},
        {"llama3", "70B", "llama3-70b"},
        {"llama3", "405B", "llama3-405b"},
        {"llama4", "17bx16e", "llama4-scout"},
        {"llama4", "17bx128e", "llama4-maverick"},
        {"gpt_oss", "20b", "gpt-oss-20b"},
        {"gpt_oss", "120b", "gpt-oss-120b"},
        {"qwen3", "debugmodel", "qwen3-debug", qwen({8, 256, 16, 8, 128, 3072, 2048}, true)},
        {"qwen3", "0.6B", "qwen3-0.6b", qwen({28, 1024, 16, 8, 128, 3072, qwen3}, true)},
        {"qwen3", "1.7B", "qwen3-1.7b", qwen({28, 2048, 16, 8, 128, 6144, qwen3}, true)},
        {"qwen3", "4B", "qwen3-4b", qwen({36, 2560, 32, 8, 128, 9728, qwen3}, true)},
        {"qwen3", "8B", "qwen3-8b"},
        {"qwen3", "14B", "qwen3-14b", qwen({40, 5120, 40, 8, 128, 17408, qwen3})},
        {"qwen3", "32B", "qwen3-32b"},
        {"qwen3", "30B-A3B", "qwen3-30b-a3b"},
        {"qwen3", "235B-A22B", "qwen3-235b-a22b"},
        {"deepseek_v3", "debugmodel", "deepseek-debug", deepSeekDebug},
        {"deepseek_v3", "16B", "deepseek-v2-lite"},
        {"deepseek_v3", "236B", "deepseek-v2"},
        {"deepseek_v3", "671B", "deepseek-v3"},
    };
}

const std::vector<Flavour>&
Flavours()
{
    static const auto flavours = MakeFlavours();
    return flavours;
}

/// Returns a flavour in small letters, without the attention's kernel that some names end with.
std::string
Plain(const std::string& flavour)
{
    std::string plain;
    for (const unsigned char c : flavour)
    {
        plain += static_cast<char>(std::tolower(c));
    }
    for (const std::string end : {"_flex_attn", "_varlen_attn", "_flex", "_varlen"})
    {
        const auto at = plain.rfind(end);
        plain.erase(at != std::string::npos && at + end.size() == plain.size() ? at : plain.size());
    }
    return plain;
}

} // namespace

std::optional<TransformerSpec>
FindFlavour(const std::string& name, const std::string& flavour)
{
    const auto found =
        std::find_if(Flavours().begin(),
                     Flavours().end(),
                     [&](const Flavour& entry)
                     { return name == entry.family && Plain(flavour) == Plain(entry.flavour); });
    if (found == Flavours().end())
    {
        return std::nullopt;
    }
    if (found->config.empty())
    {
        return FindModel(found->model);
    }
    auto model = ParseHuggingFaceConfig(found->model, found->config);
    model.name = found->model;
    model.maxContext = 0; // the run's sequence decides it
    return model;
}

std::vector<std::string>
NamesOfFlavours()
{
    std::vector<std::string> names;
    for (const auto& entry : Flavours())
    {
        names.push_back(entry.family + " " + entry.flavour);
    }
    return names;
}

} // namespace geotrain
