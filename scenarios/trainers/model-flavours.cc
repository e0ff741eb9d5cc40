// SPDX-License-Identifier: GPL-2.0-only
// Sources: torchtitan/models/{llama3,qwen3,deepseek_v3,llama4,gpt_oss}/__init__.py of
// github.com/pytorch/torchtitan, and llama2's of its tags before 2025.
#include "trainers/model-flavours.h"

#include "workload/model-catalogue.h"

#include <algorithm>
#include <cctype>

namespace geotrain
{

namespace
{

struct Flavour
{
    const char* name;
    const char* flavour;
    TransformerSpec model; ///< or a name of the catalogue alone
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

TransformerSpec
Named(const char* name)
{
    TransformerSpec model;
    model.name = name;
    return model;
}

TransformerSpec
Llama(const char* name, const Shape& shape, bool tied = false)
{
    TransformerSpec model = Named(name);
    model.layers = shape.layers;
    model.hidden = shape.hidden;
    model.heads = shape.heads;
    model.kvHeads = shape.kvHeads;
    model.headWidth = shape.headWidth;
    model.ffnWidth = shape.ffnWidth;
    model.gated = true;
    model.vocabulary = shape.vocabulary;
    model.tiedEmbeddings = tied;
    model.learnedPositions = false;
    model.layerNorm = false;
    model.qkvBias = false;
    model.outputBias = false;
    model.linearBias = false;
    return model;
}

TransformerSpec
Qwen3(const char* name, const Shape& shape, bool tied, std::uint32_t experts = 0)
{
    TransformerSpec model = Llama(name, shape, tied);
    model.queryKeyNorm = QueryKeyNorm::PerHead;
    if (experts > 0)
    {
        model.experts.count = experts;
        model.experts.perToken = 8;
        model.experts.width = shape.ffnWidth;
    }
    return model;
}

/// Makes a model of multi-head latent attention, whose shared experts are as wide as `shared` routed
/// ones and whose first `dense` layers have none.
TransformerSpec
DeepSeek(const char* name,
         const Shape& shape,
         ExpertSpec experts,
         std::uint32_t queryRank,
         std::uint32_t dense)
{
    TransformerSpec model = Llama(name, shape);
    model.valueWidth = 128;
    model.latent = {queryRank, 512, 64};
    model.experts = experts;
    model.layerGroups = {{dense, false, true}, {shape.layers - dense, false, false}};
    return model;
}

ExpertSpec
Experts(std::uint32_t count, std::uint32_t perToken, std::uint32_t width, std::uint32_t shared)
{
    ExpertSpec experts;
    experts.count = count;
    experts.perToken = perToken;
    experts.width = width;
    experts.sharedWidth = shared * width;
    return experts;
}

ExpertSpec
Limited(ExpertSpec experts, std::uint32_t groupsPerToken)
{
    experts.groups = 8;
    experts.groupsPerToken = groupsPerToken;
    return experts;
}

std::vector<Flavour>
MakeFlavours()
{
    constexpr std::uint32_t llama3 = 128256; // tokens
    constexpr std::uint32_t qwen3 = 151936;
    constexpr std::uint32_t deepSeek2 = 102400;
    return {
        {"llama2", "7B", Llama("llama2-7b", {32, 4096, 32, 32, 128, 11008, 32000})},
        {"llama2", "13B", Llama("llama2-13b", {40, 5120, 40, 40, 128, 13824, 32000})},
        {"llama2", "26B", Llama("llama2-26b", {80, 5120, 40, 40, 128, 13824, 32000})},
        {"llama2", "70B", Named("llama2-70b")},
        {"llama3", "debugmodel", Llama("llama3-debug", {6, 256, 16, 16, 16, 768, 2048})},
        {"llama3", "1B", Llama("llama3.2-1b", {16, 2048, 32, 8, 64, 8192, llama3}, true)},
        {"llama3", "3B", Llama("llama3.2-3b", {28, 3072, 24, 8, 128, 8192, llama3}, true)},
        {"llama3", "8B", Named("llama3-8b")},
        {"llama3", "70B", Named("llama3-70b")},
        {"llama3", "405B", Named("llama3-405b")},
        {"llama4", "17bx16e", Named("llama4-scout")},
        {"llama4", "17bx128e", Named("llama4-maverick")},
        {"gpt_oss", "20b", Named("gpt-oss-20b")},
        {"gpt_oss", "120b", Named("gpt-oss-120b")},
        {"qwen3", "debugmodel", Qwen3("qwen3-debug", {8, 256, 16, 8, 128, 3072, 2048}, true)},
        {"qwen3", "0.6B", Qwen3("qwen3-0.6b", {28, 1024, 16, 8, 128, 3072, qwen3}, true)},
        {"qwen3", "1.7B", Qwen3("qwen3-1.7b", {28, 2048, 16, 8, 128, 6144, qwen3}, true)},
        {"qwen3", "4B", Qwen3("qwen3-4b", {36, 2560, 32, 8, 128, 9728, qwen3}, true)},
        {"qwen3", "8B", Qwen3("qwen3-8b", {36, 4096, 32, 8, 128, 12288, qwen3}, false)},
        {"qwen3", "14B", Qwen3("qwen3-14b", {40, 5120, 40, 8, 128, 17408, qwen3}, false)},
        {"qwen3", "32B", Qwen3("qwen3-32b", {64, 5120, 64, 8, 128, 25600, qwen3}, false)},
        {"qwen3",
         "30B-A3B",
         Qwen3("qwen3-30b-a3b", {48, 2048, 32, 4, 128, 768, qwen3}, false, 128)},
        {"qwen3",
         "235B-A22B",
         Qwen3("qwen3-235b-a22b", {94, 4096, 64, 4, 128, 1536, qwen3}, false, 128)},
        {"deepseek_v3",
         "debugmodel",
         DeepSeek(
             "deepseek-debug", {6, 256, 16, 16, 192, 1024, 2048}, Experts(8, 3, 256, 2), 0, 1)},
        {"deepseek_v3",
         "16B",
         DeepSeek("deepseek-v2-lite",
                  {27, 2048, 16, 16, 192, 10944, deepSeek2},
                  Experts(64, 6, 1408, 2),
                  0,
                  1)},
        {"deepseek_v3",
         "236B",
         DeepSeek("deepseek-v2",
                  {60, 5120, 128, 128, 192, 12288, deepSeek2},
                  Limited(Experts(160, 6, 1536, 2), 3),
                  1536,
                  1)},
        {"deepseek_v3",
         "671B",
         DeepSeek("deepseek-v3",
                  {61, 7168, 128, 128, 192, 18432, 129280},
                  Limited(Experts(256, 8, 2048, 1), 4),
                  1536,
                  3)},
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
                     { return name == entry.name && Plain(flavour) == Plain(entry.flavour); });
    if (found == Flavours().end())
    {
        return std::nullopt;
    }
    const auto known = FindModel(found->model.name);
    return known || found->model.layers == 0 ? known : std::optional<TransformerSpec>(found->model);
}

std::vector<std::string>
NamesOfFlavours()
{
    std::vector<std::string> names;
    for (const auto& entry : Flavours())
    {
        if (FindFlavour(entry.name, entry.flavour))
        {
            names.push_back(std::string(entry.name) + " " + entry.flavour);
        }
    }
    return names;
}

} // namespace geotrain
