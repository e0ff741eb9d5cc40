// SPDX-License-Identifier: GPL-2.0-only
#include "workload/hugging-face-config.h"

#include "units/config-error.h"
#include "units/json-text.h"
#include "units/text-file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace geotrain
{

namespace
{

using Json = nlohmann::json;
using Limits = TransformerLimits;

/// Holds the values of one config.json by key, and throws errors that name it.
class Config
{
  public:
    Config(std::string fileName, const std::string& text)
        : m_fileName(std::move(fileName)),
          m_json(ParseJson(text, m_fileName))
    {
        if (!m_json.is_object())
        {
            throw ConfigError(m_fileName, "", "", "must be a JSON object");
        }
    }

    auto Items() const
    {
        return m_json.items();
    }

    /// Returns nullptr where the key is absent or null.
    const Json* Find(const char* key) const
    {
        const auto found = m_json.find(key);
        return found == m_json.end() || found->is_null() ? nullptr : &*found;
    }

    std::optional<std::uint32_t> FindCount(const char* key, std::uint32_t most) const
    {
        const Json* value = Find(key);
        if (value == nullptr)
        {
            return std::nullopt;
        }
        const bool isCount = value->is_number_unsigned() && value->get<std::uint64_t>() >= 1 &&
                             value->get<std::uint64_t>() <= most;
        if (!isCount)
        {
            Refuse(key, "must be a whole number from 1 to " + std::to_string(most));
        }
        return value->get<std::uint32_t>();
    }

    std::uint32_t Count(const char* key, std::uint32_t most) const
    {
        const auto value = FindCount(key, most);
        if (!value)
        {
            Refuse(key, "is missing");
        }
        return *value;
    }

    bool Flag(const char* key, bool absent) const
    {
        const Json* value = Find(key);
        if (value != nullptr && !value->is_boolean())
        {
            Refuse(key, "must be true or false");
        }
        return value == nullptr ? absent : value->get<bool>();
    }

    /// Returns an empty text where the key is absent.
    std::string Text(const char* key) const
    {
        const Json* value = Find(key);
        if (value != nullptr && !value->is_string())
        {
            Refuse(key, "must be a string");
        }
        return value == nullptr ? "" : value->get<std::string>();
    }

    [[noreturn]] void Refuse(const std::string& key, const std::string& rule) const
    {
        constexpr std::size_t longestShown = 60; // characters
        const Json* value = Find(key.c_str());
        std::string shown;
        if (value != nullptr)
        {
            shown = value->dump(-1, ' ', true); // escapes line breaks
        }
        if (value != nullptr && value->is_string())
        {
            shown = shown.substr(1, shown.size() - 2); // ConfigError has quotes of its own
        }
        if (shown.size() > longestShown)
        {
            shown = shown.substr(0, longestShown) + "...";
        }
        throw ConfigError(m_fileName, key, shown, rule);
    }

  private:
    std::string m_fileName;
    Json m_json;
};

void
RefuseMixtureOfExperts(const Config& config)
{
    const std::string family = config.Text("model_type");
    if (family.find("moe") != std::string::npos || family == "mixtral" || family == "dbrx" ||
        family.find("deepseek_v") != std::string::npos)
    {
        config.Refuse("model_type",
                      "is a mixture-of-experts model; only dense models are supported");
    }
    for (const char* key : {"num_local_experts",
                            "num_experts",
                            "n_routed_experts",
                            "moe_num_experts",
                            "num_experts_per_tok",
                            "moe_intermediate_size"})
    {
        const Json* experts = config.Find(key);
        if (experts != nullptr && *experts != 0 && *experts != 1)
        {
            config.Refuse(key, "makes a mixture-of-experts model; only dense models are supported");
        }
    }
}

/// Refuses what would add weights or operations of which a TransformerSpec knows nothing.
void
RefuseOtherParts(const Config& config)
{
    for (const auto& [key, value] : config.Items())
    {
        const bool isSet = !value.empty() && value != false && value != 0 && value != "";
        for (const char* part : {"_per_layer",
                                 "pruned_heads",
                                 "block_configs",
                                 "lora_rank",
                                 "vision",
                                 "audio",
                                 "cross_attention",
                                 "encoder_decoder",
                                 "quantization_config",
                                 "kv_shared",
                                 "attention_chunk",
                                 "nextn"})
        {
            if (isSet && key.find(part) != std::string::npos)
            {
                config.Refuse(key,
                              "changes a model in a way that is not modelled; leave the key out to "
                              "count the plain language model");
            }
        }
    }
    const Json* const types = config.Find("layer_types");
    for (const Json& type : types == nullptr ? Json::array() : *types)
    {
        if (type != "full_attention" && type != "sliding_attention")
        {
            config.Refuse("layer_types",
                          "must be full_attention or sliding_attention in all layers");
        }
    }
}

/// A head that classifies or scores has a few rows, and one that generates has the vocabulary's.
void
RefuseOtherHeads(const Config& config)
{
    const Json* const architectures = config.Find("architectures");
    if (architectures == nullptr)
    {
        return;
    }
    const bool areCausal = architectures->is_array() &&
                           std::all_of(architectures->begin(),
                                       architectures->end(),
                                       [](const Json& item)
                                       {
                                           const auto name =
                                               item.is_string() ? item.get<std::string>() : "";
                                           return name.find("CausalLM") != std::string::npos ||
                                                  name.find("LMHead") != std::string::npos;
                                       });
    if (!areCausal)
    {
        config.Refuse("architectures",
                      "must be causal language models (...ForCausalLM, ...LMHeadModel); heads of "
                      "others have other sizes: leave the key out to count a language model's");
    }
}

/// Returns the key-value heads of GPT-2 and its kin, where queries share one or have one each.
std::uint32_t
KvHeadsOfGpt2(const Config& config, std::uint32_t heads)
{
    const std::string type = config.Text("attention_head_type");
    if (!type.empty() && type != "multihead" && type != "multiquery")
    {
        config.Refuse("attention_head_type", "must be multihead or multiquery");
    }
    return type == "multiquery" || config.Flag("multi_query", false) ? 1 : heads;
}

/// Returns the keys that each token attends to in a layer; 0: all. Mistral's window holds for all
/// layers. Qwen2 uses it where use_sliding_window says so, in layers from max_window_layers on.
/// `layer_types` says it layer by layer.
std::uint32_t
SlidingWindow(const Config& config, const std::string& family, std::uint32_t layers)
{
    const std::string some = "has a sliding window in some layers only, which is not modelled";
    if (family == "llama" || (family == "qwen2" && !config.Flag("use_sliding_window", false)))
    {
        return 0;
    }
    const auto window = config.FindCount("sliding_window", Limits::tokens);
    if (!window)
    {
        return 0;
    }
    if (const Json* const types = config.Find("layer_types"))
    {
        const auto sliding = std::count(types->begin(), types->end(), "sliding_attention");
        if (sliding != 0 && sliding != static_cast<std::ptrdiff_t>(types->size()))
        {
            config.Refuse("layer_types", some);
        }
        return sliding == 0 ? 0 : *window;
    }
    const Json* const first = family == "qwen2" ? config.Find("max_window_layers") : nullptr;
    if (first == nullptr || *first == 0)
    {
        return *window;
    }
    if (config.Count("max_window_layers", Limits::layers) < layers)
    {
        config.Refuse("max_window_layers", some);
    }
    return 0;
}

void
SetHeads(const Config& config, const char* headsKey, const char* hiddenKey, TransformerSpec& model)
{
    const auto headWidth = config.FindCount("head_dim", Limits::hidden);
    if (!headWidth && model.hidden % model.heads != 0)
    {
        config.Refuse(headsKey,
                      std::string("must divide ") + hiddenKey + " (" +
                          std::to_string(model.hidden) + ")");
    }
    model.headWidth = headWidth.value_or(model.hidden / model.heads);
}

TransformerSpec
ReadGpt2(const Config& config)
{
    TransformerSpec model;
    model.layers = config.Count("n_layer", Limits::layers);
    model.hidden = config.Count("n_embd", Limits::hidden);
    model.heads = config.Count("n_head", Limits::heads);
    model.kvHeads = KvHeadsOfGpt2(config, model.heads);
    SetHeads(config, "n_head", "n_embd", model);
    model.ffnWidth = config.FindCount("n_inner", Limits::ffnWidth).value_or(4 * model.hidden);
    model.vocabulary = config.Count("vocab_size", Limits::vocabulary);
    model.maxContext = config.Count("n_positions", Limits::tokens);
    model.tiedEmbeddings = config.Flag("tie_word_embeddings", true);
    return model;
}

/// Llama, Mistral and Qwen2 share their keys. They differ in biases and in the meaning of an absent
/// key.
TransformerSpec
ReadLlama(const Config& config, const std::string& family)
{
    TransformerSpec model;
    model.layers = config.Count("num_hidden_layers", Limits::layers);
    model.hidden = config.Count("hidden_size", Limits::hidden);
    model.heads = config.Count("num_attention_heads", Limits::heads);
    // Llama 1 has no such key and uses one key-value head per head. The others' defaults differ.
    model.kvHeads =
        family == "llama"
            ? config.FindCount("num_key_value_heads", Limits::heads).value_or(model.heads)
            : config.Count("num_key_value_heads", Limits::heads);
    if (model.heads % model.kvHeads != 0)
    {
        config.Refuse("num_key_value_heads",
                      "must divide num_attention_heads (" + std::to_string(model.heads) + ")");
    }
    SetHeads(config, "num_attention_heads", "hidden_size", model);
    model.ffnWidth = config.Count("intermediate_size", Limits::ffnWidth);
    model.gated = true;
    model.vocabulary = config.Count("vocab_size", Limits::vocabulary);
    model.maxContext = config.Count("max_position_embeddings", Limits::tokens);
    model.slidingWindow = SlidingWindow(config, family, model.layers);
    model.tiedEmbeddings = config.Flag("tie_word_embeddings", false);
    model.learnedPositions = false;
    model.layerNorm = false;
    model.qkvBias = family == "qwen2" || config.Flag("attention_bias", false);
    // Either alone has biases that are not counted, less than 0.1 % of a layer.
    model.linearBias =
        family != "qwen2" && config.Flag("attention_bias", false) && config.Flag("mlp_bias", false);
    model.outputBias = model.linearBias;
    return model;
}

} // namespace

TransformerSpec
ParseHuggingFaceConfig(const std::string& fileName, const std::string& text)
{
    const Config config(fileName, text);
    RefuseMixtureOfExperts(config);
    RefuseOtherParts(config);
    RefuseOtherHeads(config);
    const std::string family = config.Text("model_type");
    const bool isLlama = family == "llama" || family == "mistral" || family == "qwen2";
    if (!isLlama && family != "gpt2")
    {
        config.Refuse("model_type",
                      family.empty() ? "is missing" : "must be one of gpt2, llama, mistral, qwen2");
    }
    TransformerSpec model = isLlama ? ReadLlama(config, family) : ReadGpt2(config);
    const std::string path = config.Text("_name_or_path");
    model.name = path.empty() ? family : path;
    model.source = fileName;
    model.sequence = model.maxContext;
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
