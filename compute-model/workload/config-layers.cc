// SPDX-License-Identifier: GPL-2.0-only
#include "workload/config-layers.h"

#include <algorithm>
#include <string>
#include <vector>

namespace geotrain
{

namespace
{

using Json = ConfigKeys::Json;
using Limits = TransformerLimits;

/// An item for each layer.
using LayerFlags = std::vector<bool>;

/// Returns the list of a key, which must have an item for each layer; empty where it is absent.
std::vector<Json>
PerLayer(const ConfigKeys& config, const char* key, std::uint32_t layers)
{
    const Json* const list = config.Find({key});
    if (list == nullptr || list->empty())
    {
        return {};
    }
    if (!list->is_array() || list->size() != layers)
    {
        config.Refuse(key, "must be a list of " + std::to_string(layers) + " items, one per layer");
    }
    return {list->begin(), list->end()};
}

/// Reads the names of layers' attention. Throws for those that are no softmax attention.
LayerFlags
FullByName(const ConfigKeys& config, const char* key, const std::vector<Json>& names)
{
    LayerFlags full;
    for (const Json& item : names)
    {
        const std::string name = item.is_string() ? item.get<std::string>() : item.dump();
        const bool isWindow = name == "sliding_attention" || name == "chunked_attention" ||
                              name == "local" || name == "local_attention";
        const bool isFull = name == "full_attention" || name == "attention" || name == "global";
        if (!isWindow && !isFull)
        {
            config.Refuse(key,
                          "has layers of \"" + name.substr(0, 40) +
                              "\", which are not modelled: only softmax attention is, of all keys "
                              "(full_attention) or in a window (sliding_attention)");
        }
        full.push_back(isFull);
    }
    return full;
}

/// GPT-Neo's [[["global", "local"], 12]]: the names in turn, 12 times.
std::vector<Json>
AttentionTypes(const ConfigKeys& config)
{
    std::vector<Json> names;
    const Json* const types = config.Find({"attention_types"});
    for (const Json& part : types == nullptr ? Json::array() : *types)
    {
        const bool isPart = part.is_array() && part.size() == 2 && part[0].is_array() &&
                            part[1].is_number_unsigned() &&
                            part[1].get<std::uint64_t>() <= Limits::layers &&
                            part[0].size() <= Limits::layers;
        if (!isPart)
        {
            config.Refuse("attention_types", "must be a list of [[names], times]");
        }
        for (std::uint64_t time = 0; time < part[1].get<std::uint64_t>(); ++time)
        {
            names.insert(names.end(), part[0].begin(), part[0].end());
        }
    }
    return names;
}

/// Returns the layers whose place in a period of `pattern`, "LLG" or a number of layers, is global.
LayerFlags
FullByPattern(const ConfigKeys& config, const Json& pattern, std::uint32_t layers)
{
    constexpr const char* key = "sliding_window_pattern";
    LayerFlags full;
    if (pattern.is_string())
    {
        const auto text = pattern.get<std::string>();
        if (text.empty() || text.find_first_not_of("LG") != std::string::npos)
        {
            config.Refuse(key, "must be of L (window) and G (all keys), or a number");
        }
        for (std::uint32_t layer = 0; layer < layers; ++layer)
        {
            full.push_back(text[layer % text.size()] == 'G');
        }
        return full;
    }
    const std::uint32_t period = config.Count({key, "_sliding_window_pattern"}, Limits::layers);
    for (std::uint32_t layer = 0; layer < layers; ++layer)
    {
        full.push_back((layer + 1) % period == 0);
    }
    return full;
}

/// Returns the layers without rotary positions, which attend to all keys in Llama 4.
LayerFlags
FullWithoutRotary(const ConfigKeys& config, std::uint32_t layers)
{
    LayerFlags full;
    const auto rotary = config.Counts("no_rope_layers", 1);
    const std::uint32_t interval = config.Count({"no_rope_layer_interval"}, Limits::layers);
    for (std::uint32_t layer = 0; layer < layers; ++layer)
    {
        full.push_back(layer < rotary.size() ? rotary[layer] == 0 : (layer + 1) % interval == 0);
    }
    return full;
}

/// Returns the layers that attend to all keys although there is a window.
LayerFlags
FullLayers(const ConfigKeys& config, std::uint32_t layers)
{
    const auto minimax = config.Counts("attn_type_list", 1);
    if (std::count(minimax.begin(), minimax.end(), 0u) > 0)
    {
        config.Refuse("attn_type_list",
                      "has layers of lightning (linear) attention, which a " +
                          config.Text({"model_type"}) + " has not");
    }
    const Json* const pattern = config.Find({"sliding_window_pattern", "_sliding_window_pattern"});
    const bool hasInterval = config.Find({"no_rope_layer_interval"}) != nullptr;
    const LayerFlags byRotary = hasInterval ? FullWithoutRotary(config, layers) : LayerFlags();
    for (const char* key : {"layer_types", "attention_layers"})
    {
        if (const auto names = PerLayer(config, key, layers); !names.empty())
        {
            return FullByName(config, key, names);
        }
    }
    if (const auto types = AttentionTypes(config); types.size() >= layers)
    {
        return FullByName(config, "attention_types", {types.begin(), types.begin() + layers});
    }
    if (pattern != nullptr)
    {
        return FullByPattern(config, *pattern, layers);
    }
    if (hasInterval)
    {
        return byRotary;
    }
    const std::uint32_t first = config.CountOrZero({"max_window_layers"}, Limits::layers);
    LayerFlags full(layers, false);
    std::fill_n(full.begin(), std::min(first, layers), true);
    return full;
}

/// Returns MiniMax's layers of linear attention: 0 in attn_type_list, a name in layer_types, or every
/// other layer from the second on.
LayerFlags
LinearLayers(const ConfigKeys& config, std::uint32_t layers)
{
    const auto types = PerLayer(config, "attn_type_list", layers);
    const auto names = PerLayer(config, "layer_types", layers);
    LayerFlags linear;
    for (std::uint32_t layer = 0; layer < layers; ++layer)
    {
        const Json& own = !types.empty() ? types[layer] : names.empty() ? Json() : names[layer];
        const bool isFull = own.is_null() ? layer % 2 == 0 : own == 1 || own == "full_attention";
        if (!isFull && !own.is_null() && own != 0 && own != "linear_attention")
        {
            config.Refuse(types.empty() ? "layer_types" : "attn_type_list",
                          "must be of full (full_attention, 1) and linear attention "
                          "(linear_attention, 0)");
        }
        linear.push_back(!isFull);
    }
    return linear;
}

/// Returns the keys of a token in layers with a window; 0: all layers attend to all keys.
std::uint32_t
Window(const ConfigKeys& config, const ModelFamily& family)
{
    const Json* const types = config.Find({"layer_types"});
    const bool hasWindows =
        (family.traits & family::windows) != 0 ||
        (types != nullptr && std::find(types->begin(), types->end(), "sliding_attention") != types->end());
    if (!hasWindows)
    {
        return 0;
    }
    if (!config.Flag({"use_sliding_window"}, true))
    {
        config.MarkRead("sliding_window");
        return 0;
    }
    return config.CountOrZero({"sliding_window", "attention_chunk_size", "window_size"},
                              Limits::tokens);
}

/// Returns the layers whose MLP is dense in a model with experts.
LayerFlags
DenseLayers(const ConfigKeys& config, std::uint32_t layers)
{
    const auto every = [&config](ConfigKeys::Names names)
    { return config.FindCount(names, Limits::layers).value_or(1); };
    const Json* const frequency = config.Find({"moe_layer_freq"});
    const bool isList = frequency != nullptr && frequency->is_array();
    const auto listed = isList ? config.Counts("moe_layer_freq", 1) : std::vector<std::uint32_t>();
    const std::uint32_t period = isList ? 1 : every({"moe_layer_freq"});
    const std::uint32_t step =
        every({"decoder_sparse_step", "interleave_moe_layer_step", "moe_layer_interval"});
    const std::uint32_t first =
        config.CountOrZero({"first_k_dense_replace", "moe_layer_start_index"}, Limits::layers);
    const std::uint32_t last =
        config.FindCount({"moe_layer_end_index"}, Limits::layers).value_or(layers);
    const auto dense = config.Counts("mlp_only_layers", Limits::layers);
    const auto sparse = config.Counts("moe_layers", Limits::layers);
    const auto named = PerLayer(config, "mlp_layer_types", layers);
    const auto has = [](const std::vector<std::uint32_t>& list, std::uint32_t layer)
    { return std::find(list.begin(), list.end(), layer) != list.end(); };
    LayerFlags isDense;
    for (std::uint32_t layer = 0; layer < layers; ++layer)
    {
        if (!named.empty() || !sparse.empty())
        {
            isDense.push_back(named.empty() ? !has(sparse, layer) : named[layer] == "dense");
            continue;
        }
        isDense.push_back(layer < first || layer > last || layer % period != 0 ||
                          (layer + 1) % step != 0 || has(dense, layer) ||
                          (layer < listed.size() && listed[layer] == 0));
    }
    return isDense;
}

/// Returns the shortest run of layers that the model's repeat.
std::size_t
PeriodOf(const std::vector<LayerGroup>& layers)
{
    std::size_t period = 1;
    for (std::size_t layer = 1; layer < layers.size(); ++layer)
    {
        if (!AreAlike(layers[layer], layers[layer % period]))
        {
            period = layer + 1;
        }
    }
    return period;
}

/// Sets the groups of layers, given each layer's own.
void
SetGroups(const std::vector<LayerGroup>& layers, TransformerSpec& model)
{
    const std::size_t period = PeriodOf(layers);
    for (std::size_t layer = 0; layer < period; ++layer)
    {
        if (!model.layerGroups.empty() && AreAlike(model.layerGroups.back(), layers[layer]))
        {
            ++model.layerGroups.back().layers;
        }
        else
        {
            model.layerGroups.push_back(layers[layer]);
        }
    }
    if (model.layerGroups.size() == 1 && AreAlike(model.layerGroups[0], {}))
    {
        model.layerGroups.clear();
    }
}

} // namespace

void
SetLayers(const ConfigKeys& config, const ModelFamily& family, TransformerSpec& model)
{
    const bool isLightning = (family.traits & family::lightning) != 0;
    model.slidingWindow = Window(config, family);
    model.isWindowChunk =
        model.slidingWindow > 0 && config.Find({"attention_chunk_size"}) != nullptr;
    model.linearBlock = isLightning ? config.Count({"block_size"}, Limits::tokens) : 0;
    const LayerFlags none(model.layers, false);
    const LayerFlags linear = isLightning ? LinearLayers(config, model.layers) : none;
    const LayerFlags named = isLightning ? none : FullLayers(config, model.layers); // may refuse
    const LayerFlags full = model.slidingWindow > 0 ? named : none;
    const LayerFlags dense = model.experts.count > 0 ? DenseLayers(config, model.layers) : none;
    const auto areAll = [](const LayerFlags& flags)
    { return std::all_of(flags.begin(), flags.end(), [](bool flag) { return flag; }); };
    if (areAll(full))
    {
        model.slidingWindow = 0;
        model.isWindowChunk = false;
    }
    if (areAll(dense))
    {
        model.experts = {};
    }
    std::vector<LayerGroup> layers;
    for (std::uint32_t layer = 0; layer < model.layers; ++layer)
    {
        layers.push_back({1,
                          model.slidingWindow > 0 && full[layer],
                          model.experts.count > 0 && dense[layer],
                          linear[layer]});
    }
    SetGroups(layers, model);
}

} // namespace geotrain
