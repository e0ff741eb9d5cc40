// SPDX-License-Identifier: GPL-2.0-only
#include "units/config-error.h"
#include "workload/flop-count.h"
#include "workload/hugging-face-config.h"
#include "workload/parameter-count.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace geotrain
{
namespace
{

using Json = nlohmann::json;

std::string
CorpusFile(const std::string& name)
{
    return std::string(GEOTRAIN_SOURCE_DIR) + "/tests/fuzz/workload/corpus/" + name;
}

Json
Llama()
{
    return {{"model_type", "llama"},
            {"hidden_size", 4096},
            {"intermediate_size", 14336},
            {"max_position_embeddings", 8192},
            {"num_attention_heads", 32},
            {"num_hidden_layers", 32},
            {"num_key_value_heads", 8},
            {"vocab_size", 128256}};
}

/// Expects one line that begins with the file's name and holds both `field` and `rule`.
void
ExpectRefused(const std::string& text, const std::string& field, const std::string& rule)
{
    try
    {
        ParseHuggingFaceConfig("config.json", text);
        ADD_FAILURE() << "taken: " << text;
    }
    catch (const ConfigError& error)
    {
        const std::string line = error.what();
        EXPECT_EQ(line.rfind("config.json: ", 0), 0u) << line;
        EXPECT_NE(line.find(field), std::string::npos) << line;
        EXPECT_NE(line.find(rule), std::string::npos) << line;
        EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    }
}

/// Counts the layers that attend to all keys although there is a window.
std::uint32_t
FullLayersOf(const Json& config)
{
    const auto model = ParseHuggingFaceConfig("config.json", config.dump());
    std::uint32_t full = 0;
    for (const LikeLayers& layers : LikeLayersOf(model, 0, model.layers))
    {
        full += layers.shape.slidingWindow == 0 ? layers.count : 0;
    }
    return full;
}

// Counts that Hugging Face shows for the released checkpoints.
TEST(HuggingFaceConfig, FamiliesHaveTheirPublishedParameters)
{
    const std::vector<std::pair<const char*, std::int64_t>> published{
        {"gpt2.json", 124439808},
        {"llama-3-8b.json", 8030261248},
        {"mistral-7b.json", 7241732096},
        {"qwen2-0.5b.json", 494032768}};
    for (const auto& [file, parameters] : published)
    {
        EXPECT_EQ(ParameterCount(ImportHuggingFaceConfig(CorpusFile(file))), parameters) << file;
    }
}

// Mistral Nemo: heads of 128 although hidden / heads is 160; 12.25 B parameters.
// SantaCoder's shape: 16 queries of a layer share one key and value.
TEST(HuggingFaceConfig, QueriesOfAGptMayShareOneKeyAndValue)
{
    Json config{{"model_type", "gpt2"},
                {"architectures", {"GPT2LMHeadCustomModel"}},
                {"attention_head_type", "multiquery"},
                {"n_embd", 2048},
                {"n_layer", 24},
                {"n_head", 16},
                {"n_inner", 8192},
                {"n_positions", 2048},
                {"vocab_size", 49280}};
    const auto shared = ParseHuggingFaceConfig("config.json", config.dump());
    EXPECT_EQ(shared.kvHeads, 1u);
    EXPECT_EQ(ParameterCount(shared), 1124886528);
    config["attention_head_type"] = "multihead";
    EXPECT_EQ(ParseHuggingFaceConfig("config.json", config.dump()).kvHeads, 16u);
    config["multi_query"] = true; // as GPTBigCode has it
    EXPECT_EQ(ParseHuggingFaceConfig("config.json", config.dump()).kvHeads, 1u);
    config["attention_head_type"] = "sideways";
    ExpectRefused(config.dump(), "attention_head_type", "multiquery");
}

TEST(HuggingFaceConfig, HeadsThatGenerateNothingAreRefused)
{
    Json config = Llama();
    for (const char* name : {"LlamaForSequenceClassification", "Qwen2ForRewardModel", "LlamaModel"})
    {
        config["architectures"] = {name};
        ExpectRefused(config.dump(), "architectures", "causal language model");
    }
    config["architectures"] = "LlamaForCausalLM"; // no list
    ExpectRefused(config.dump(), "architectures", "causal language model");
    config["architectures"] = {"LlamaForCausalLM"};
    EXPECT_EQ(ParameterCount(ParseHuggingFaceConfig("config.json", config.dump())), 8030261248);
}

// Mistral 7B at 32,768 tokens: two FLOPs for each of 7.11e9 matrix elements and token, and 4,096 keys
// a token in two products.
TEST(HuggingFaceConfig, ASlidingWindowLimitsTheKeysOfAToken)
{
    Json config = Llama();
    config.update({{"model_type", "mistral"},
                   {"vocab_size", 32000},
                   {"max_position_embeddings", 32768},
                   {"sliding_window", 4096}});
    const auto model = ParseHuggingFaceConfig("config.json", config.dump());
    EXPECT_EQ(model.slidingWindow, 4096u);
    const double tokens = 32768;
    const double elements =
        32 * (2 * 4096. * 4096 + 2 * 4096. * 1024 + 3 * 4096. * 14336) + 32000. * 4096;
    const double forward = StageFlops(model, {32, true, true}, 1).forward.Count();
    EXPECT_NEAR(forward, 2 * tokens * elements + 32 * 4 * tokens * 4096 * 4096, 1e-9 * forward);
    EXPECT_NEAR(forward, 5.36e14, 0.005e14);
    auto shorter = model;
    shorter.sequence = 2048; // which no window limits
    EXPECT_EQ(shorter.KeysPerToken(), 2048u);
    config["sliding_window"] = nullptr;
    EXPECT_EQ(ParseHuggingFaceConfig("config.json", config.dump()).slidingWindow, 0u);
}

TEST(HuggingFaceConfig, SlidingWindowsAreThoseOfTheFamily)
{
    Json config = Llama();
    config["sliding_window"] = 4096;
    const auto window = [&]
    { return ParseHuggingFaceConfig("config.json", config.dump()).slidingWindow; };
    EXPECT_EQ(window(), 0u); // Llama has none
    config["model_type"] = "qwen2";
    EXPECT_EQ(window(), 0u);
    config["use_sliding_window"] = true;
    EXPECT_EQ(window(), 4096u);
    config["max_window_layers"] = 32; // the layers before it have none
    EXPECT_EQ(window(), 0u);
    config["max_window_layers"] = 16;
    EXPECT_EQ(FullLayersOf(config), 16u);
    config["max_window_layers"] = 0;
    EXPECT_EQ(window(), 4096u);
    config["layer_types"] = {"sliding_attention", "full_attention"};
    ExpectRefused(config.dump(), "layer_types", "a list of 32 items");
    config["num_hidden_layers"] = 2;
    EXPECT_EQ(FullLayersOf(config), 1u);
    config["layer_types"] = {"sliding_attention", "sliding_attention"};
    EXPECT_EQ(window(), 4096u);
    EXPECT_EQ(FullLayersOf(config), 0u);
}

// Of Gemma 3's 26 layers every sixth attends to all keys; of gpt-oss's every second; of Llama 4's
// every fourth, which has no rotary positions; of GPT-Neo's "global" ones.
TEST(HuggingFaceConfig, WindowsFollowTheFamilysPattern)
{
    Json config = Llama();
    config.update({{"model_type", "gemma3_text"}, {"num_hidden_layers", 26}, {"head_dim", 128}});
    const auto gemma = ParseHuggingFaceConfig("config.json", config.dump());
    ASSERT_EQ(gemma.layerGroups.size(), 2u);
    EXPECT_EQ(gemma.layerGroups[0].layers, 5u);
    EXPECT_TRUE(gemma.layerGroups[1].attendsToAll);
    EXPECT_EQ(FullLayersOf(config), 4u);
    config["sliding_window_pattern"] = "LLG";
    EXPECT_EQ(FullLayersOf(config), 8u);
    config["sliding_window_pattern"] = "LLX";
    ExpectRefused(config.dump(), "sliding_window_pattern", "must be of L");
    config.erase("sliding_window_pattern");
    config["model_type"] = "gpt_oss";
    config.update({{"num_local_experts", 4}, {"num_experts_per_tok", 2}});
    EXPECT_EQ(FullLayersOf(config), 13u);
    config["model_type"] = "llama4_text";
    const auto llama = ParseHuggingFaceConfig("config.json", config.dump());
    EXPECT_TRUE(llama.isWindowChunk);
    EXPECT_EQ(llama.slidingWindow, 8192u);
    EXPECT_EQ(FullLayersOf(config), 6u);
    Json neo{{"model_type", "gpt_neo"},
             {"num_layers", 6},
             {"hidden_size", 64},
             {"num_heads", 4},
             {"max_position_embeddings", 2048},
             {"vocab_size", 1000},
             {"attention_types", {{{"global", "local"}, 3}}}};
    EXPECT_EQ(ParseHuggingFaceConfig("config.json", neo.dump()).slidingWindow, 256u);
    EXPECT_EQ(FullLayersOf(neo), 3u);
}

TEST(HuggingFaceConfig, LayersWithoutSoftmaxAttentionAreRefused)
{
    Json config = Llama();
    for (const char* type : {"linear_attention", "mamba", "conv", "recurrent"})
    {
        config["layer_types"] = std::vector<std::string>(32, "full_attention");
        config["layer_types"][7] = type;
        ExpectRefused(config.dump(), "layer_types", type);
    }
    config.erase("layer_types");
    config["model_type"] = "minimax_m2";
    config.update({{"num_local_experts", 8}, {"num_experts_per_tok", 2}});
    config["attn_type_list"] = std::vector<int>(32, 1);
    EXPECT_EQ(ParseHuggingFaceConfig("config.json", config.dump()).experts.count, 8u);
    config["attn_type_list"][3] = 0;
    ExpectRefused(config.dump(), "attn_type_list", "lightning");
    for (const auto& [family, what] :
         std::vector<std::pair<const char*, const char*>>{{"mamba2", "state-space"},
                                                          {"jamba", "state-space"},
                                                          {"nemotron_h", "state-space"},
                                                          {"qwen3_next", "linear attention"},
                                                          {"t5", "an encoder"},
                                                          {"bert", "encoders"}})
    {
        config["model_type"] = family;
        ExpectRefused(config.dump(), family, what);
    }
}

// MiniMax-Text-01 has 456 billion parameters, of which a token meets 45.9 without embedding and head
// (arXiv 2501.08313, section 2). Seven of eight layers have lightning attention, with key-value heads
// for all heads, a gate and a norm as wide as all heads (modeling_minimax_text_01.py).
TEST(HuggingFaceConfig, MiniMaxHasLayersOfLightningAttention)
{
    Json config = {{"architectures", {"MiniMaxText01ForCausalLM"}},
                   {"model_type", "minimax_text_01"},
                   {"num_hidden_layers", 80},
                   {"hidden_size", 6144},
                   {"intermediate_size", 9216},
                   {"num_attention_heads", 64},
                   {"num_key_value_heads", 8},
                   {"head_dim", 128},
                   {"num_local_experts", 32},
                   {"num_experts_per_tok", 2},
                   {"max_position_embeddings", 10240000},
                   {"vocab_size", 200064}};
    config["attn_type_list"] = Json::array();
    for (int layer = 0; layer < 80; ++layer)
    {
        config["attn_type_list"].push_back(layer % 8 == 7 ? 1 : 0);
    }
    TransformerSpec model = ParseHuggingFaceConfig("config.json", config.dump());
    ASSERT_EQ(model.layerGroups.size(), 2u);
    EXPECT_EQ(model.layerGroups[0].layers, 7u);
    EXPECT_TRUE(model.layerGroups[0].isLinear);
    EXPECT_NEAR(static_cast<double>(ParameterCount(model)) / 1e9, 456, 0.5);
    const double head = 200064.0 * 6144 / 1e9;
    EXPECT_NEAR(static_cast<double>(ActiveParameterCount(model)) / 1e9 - head, 45.9, 0.1);
    const LikeLayers linear = LikeLayersOf(model, 0, 8).at(0);
    EXPECT_EQ(linear.count, 7u);
    // 6144 x (3 + 1 gate + 1 output) x 8192, and a norm of 8192 beside those of 6144.
    const std::int64_t experts = 32LL * (3LL * 6144 * 9216 + 6144);
    EXPECT_EQ(LayerParameters(linear.shape), experts + 6144LL * 5 * 8192 + 8192 + 2 * 6144);
    // The work per token is that of 256 / 2 + 128 keys at any length.
    model.sequence = 65536;
    const LikeLayers shorter = LikeLayersOf(model, 0, 1).at(0);
    model.sequence = 131072;
    const LikeLayers longer = LikeLayersOf(model, 0, 1).at(0);
    EXPECT_NEAR(LayerFlops(longer.shape, 1).forward.Count() /
                    LayerFlops(shorter.shape, 1).forward.Count(),
                2,
                1e-9);
    EXPECT_EQ(longer.shape.KeysPerToken(), 256u);

    // Hugging Face's own class names the layers, or takes every other one.
    config["model_type"] = "minimax";
    config.erase("attn_type_list");
    config.erase("max_position_embeddings"); // 131,072 by default
    EXPECT_EQ(ParseHuggingFaceConfig("config.json", config.dump()).layerGroups.size(), 2u);
    config["layer_types"] = std::vector<std::string>(80, "linear_attention");
    model = ParseHuggingFaceConfig("config.json", config.dump());
    ASSERT_EQ(model.layerGroups.size(), 1u);
    EXPECT_TRUE(model.layerGroups[0].isLinear);
    config["layer_types"][3] = "sliding_attention";
    ExpectRefused(config.dump(), "layer_types", "linear_attention");
}

// DeepSeek: first_k_dense_replace; Llama 4 Maverick: interleave_moe_layer_step 2; Qwen: a step and a
// list of dense layers; GLM's list of kinds.
TEST(HuggingFaceConfig, DenseLayersFollowTheFamilysKeys)
{
    Json config = Llama();
    config.update({{"model_type", "qwen3_moe"},
                   {"num_hidden_layers", 6},
                   {"num_experts", 4},
                   {"num_experts_per_tok", 2},
                   {"moe_intermediate_size", 128}});
    const auto dense = [&config]
    {
        std::string kinds;
        const auto model = ParseHuggingFaceConfig("config.json", config.dump());
        for (std::uint32_t layer = 0; layer < model.layers; ++layer)
        {
            kinds += LikeLayersOf(model, layer, 1)[0].shape.experts.count == 0 ? 'd' : 'e';
        }
        return kinds;
    };
    EXPECT_EQ(dense(), "eeeeee");
    config["decoder_sparse_step"] = 2;
    EXPECT_EQ(dense(), "dedede");
    config["mlp_only_layers"] = {1};
    EXPECT_EQ(dense(), "dddede");
    config.erase("mlp_only_layers");
    config["decoder_sparse_step"] = 1;
    config["first_k_dense_replace"] = 2;
    EXPECT_EQ(dense(), "ddeeee");
    config.erase("first_k_dense_replace");
    config["moe_layer_freq"] = {0, 1, 1, 1, 1, 0};
    EXPECT_EQ(dense(), "deeeed");
    config.erase("moe_layer_freq");
    config["moe_layer_start_index"] = 1;
    config["moe_layer_end_index"] = 4;
    EXPECT_EQ(dense(), "deeeed");
    config.erase("moe_layer_start_index");
    config.erase("moe_layer_end_index");
    config["mlp_layer_types"] = {"dense", "sparse", "sparse", "sparse", "sparse", "dense"};
    EXPECT_EQ(dense(), "deeeed");
    config["num_experts"] = 0;
    EXPECT_EQ(dense(), "dddddd");
}

TEST(HuggingFaceConfig, TheLanguageModelOfALargerOneIsTaken)
{
    const Json config{{"model_type", "gemma3"},
                      {"architectures", {"Gemma3ForConditionalGeneration"}},
                      {"vision_config", {{"hidden_size", 1152}}},
                      {"text_config",
                       {{"model_type", "gemma3_text"},
                        {"hidden_size", 2560},
                        {"intermediate_size", 10240},
                        {"num_hidden_layers", 34},
                        {"sliding_window", 1024}}}};
    const auto model = ParseHuggingFaceConfig("config.json", config.dump());
    EXPECT_EQ(model.layers, 34u);
    ASSERT_EQ(model.notes.size(), 1u);
    EXPECT_NE(model.notes[0].find("left out"), std::string::npos);
    Json broken = config;
    broken["text_config"].erase("hidden_size");
    ExpectRefused(broken.dump(), "text_config.hidden_size", "is missing");
}

TEST(HuggingFaceConfig, KeysThatAreNotUnderstoodAreSaid)
{
    Json config = Llama();
    config.update({{"rope_theta", 500000.0},
                   {"bos_token_id", 1},
                   {"use_cache", true},
                   {"pretraining_tp", 1},
                   {"torch_dtype", "bfloat16"},
                   {"attention_dropout", 0.0},
                   {"architectures", {"LlamaForCausalLM"}},
                   {"rope_scaling", {{"factor", 8.0}, {"rope_type", "llama3"}}},
                   {"auto_map", {{"AutoConfig", "configuration.LlamaConfig"}}},
                   {"eos_token_id", {128001, 128008}},
                   {"output_router_logits", true},
                   {"attention_softmax_in_fp32", true}});
    EXPECT_TRUE(ParseHuggingFaceConfig("config.json", config.dump()).notes.empty());
    config["sliding_window"] = 4096; // of which Llama's code knows nothing
    EXPECT_EQ(ParseHuggingFaceConfig("config.json", config.dump()).notes.size(), 1u);
    config.erase("sliding_window");
    config["extra_adapter_width"] = 64;
    config["use_second_mlp"] = true;
    const auto notes = ParseHuggingFaceConfig("config.json", config.dump()).notes;
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_NE(notes[0].find("extra_adapter_width, use_second_mlp"), std::string::npos);
}

TEST(HuggingFaceConfig, PartsThatAreNotModelledAreRefused)
{
    const std::vector<std::pair<const char*, Json>> parts{
        {"num_key_value_heads_per_layer", {8, 4}},
        {"pruned_heads", {{"0", {1, 2}}}},
        {"add_cross_attention", true},
        {"kv_lora_rank", 512},
        {"num_kv_shared_layers", 10},
        {"attention_chunk_size", 8192}};
    for (const auto& [key, value] : parts)
    {
        Json config = Llama();
        config[key] = value;
        ExpectRefused(config.dump(), key, "not modelled");
        for (const Json& nothing : {Json(), Json(false), Json(0), Json(""), Json::object()})
        {
            config[key] = nothing;
            EXPECT_EQ(ParameterCount(ParseHuggingFaceConfig("config.json", config.dump())),
                      8030261248)
                << key;
        }
    }
}

TEST(HuggingFaceConfig, PartsThatAreLeftOutAreSaid)
{
    for (const char* key : {"mm_vision_tower",
                            "vision_config",
                            "audio_config",
                            "quantization_config",
                            "num_nextn_predict_layers",
                            "use_mtp"})
    {
        Json config = Llama();
        config[key] = {{"bits", 4}};
        const auto model = ParseHuggingFaceConfig("config.json", config.dump());
        ASSERT_EQ(model.notes.size(), 1u) << key;
        EXPECT_NE(model.notes[0].find(key), std::string::npos);
        EXPECT_EQ(ParameterCount(model), 8030261248) << key;
    }
}

// A layer's biases are those of 4,096 outputs, of 2 x 14,336 hidden and 4,096 outputs of the MLP,
// and of 4,096 + 2 x 1,024 queries, keys and values.
TEST(HuggingFaceConfig, BiasesOfAllMatricesAreCounted)
{
    Json config = Llama();
    config["attention_bias"] = true;
    config["mlp_bias"] = true;
    EXPECT_EQ(ParameterCount(ParseHuggingFaceConfig("config.json", config.dump())),
              8030261248 + 32 * (4096 + 2 * 14336 + 4096 + 4096 + 2 * 1024));
}

TEST(HuggingFaceConfig, NumbersThatJsonDoesNotHaveAreNamed)
{
    ExpectRefused("{\"n_embd\": Infinity}", "byte 12: \"Infinity\"", "no number of JSON");
    ExpectRefused("{\"n_embd\": -Infinity}", "\"Infinity\"", "no number of JSON");
    ExpectRefused("{\"n_embd\": NaN}", "\"NaN\"", "no number of JSON");
}

TEST(HuggingFaceConfig, HeadDimMayDifferFromHiddenOverHeads)
{
    const auto model = ImportHuggingFaceConfig(CorpusFile("head-dim.json"));
    EXPECT_EQ(model.headWidth, 128u);
    EXPECT_EQ(model.name, "nemo");
    EXPECT_EQ(ParameterCount(model), 12247782400);
}

TEST(HuggingFaceConfig, AbsentKeysMeanWhatTheyMeanInTheFamily)
{
    const auto gpt2 = ImportHuggingFaceConfig(CorpusFile("gpt2.json"));
    EXPECT_EQ(gpt2.ffnWidth, 4 * 768u); // n_inner
    EXPECT_TRUE(gpt2.tiedEmbeddings);
    Json config = Llama();
    config.erase("num_key_value_heads");
    EXPECT_EQ(ParseHuggingFaceConfig("config.json", config.dump()).kvHeads, 32u);
}

TEST(HuggingFaceConfig, ExpertsOfADenseFamilyAreRefusedByName)
{
    for (const char* key : {"num_local_experts", "num_experts", "n_routed_experts"})
    {
        Json config = Llama();
        config[key] = 8;
        ExpectRefused(config.dump(), key, "makes a mixture of experts, which a llama is not");
        config[key] = 0;
        EXPECT_EQ(ParameterCount(ParseHuggingFaceConfig("config.json", config.dump())), 8030261248);
    }
    Json config = Llama();
    config["model_type"] = "qwen3_moe";
    ExpectRefused(config.dump(), "num_local_experts", "is missing");
}

TEST(HuggingFaceConfig, OtherFamiliesAreRefused)
{
    Json config = Llama();
    config["model_type"] = "made_up";
    ExpectRefused(config.dump(), "model_type: \"made_up\"", "must be one of");
    config["model_type"] = "two\nlines";
    ExpectRefused(config.dump(), "two\\nlines", "must be one of");
    config.erase("model_type");
    ExpectRefused(config.dump(), "model_type", "is missing");
}

TEST(HuggingFaceConfig, BrokenJsonIsRefused)
{
    for (const char* text : {"", "{", "{\"model_type\": \"gpt2\",}", "\xff\xfe", "[[[[", "nul"})
    {
        ExpectRefused(text, "byte", "valid JSON");
    }
    ExpectRefused("[]", "", "JSON object");
    ExpectRefused("{\"n_embd\": 1e999}", "", "numbers");
}

TEST(HuggingFaceConfig, DeepNestingIsRefused)
{
    const auto nested = [](std::size_t depth)
    { return "{\"model_type\": " + std::string(depth, '[') + std::string(depth, ']') + "}"; };
    ExpectRefused(nested(1000000), "", "64 deep");
    ExpectRefused(nested(64), "", "64 deep"); // and the object around them
    ExpectRefused(nested(63), "model_type", "must be a string");
    // Brackets inside a string nest nothing.
    ExpectRefused("{\"model_type\": \"" + std::string(1000, '[') + "\\\"" + std::string(1000, '{') +
                      "\"}",
                  "model_type",
                  "must be one of");
}

TEST(HuggingFaceConfig, EveryNeededKeyIsMissedByName)
{
    for (const char* key : {"hidden_size",
                            "intermediate_size",
                            "max_position_embeddings",
                            "num_attention_heads",
                            "num_hidden_layers",
                            "vocab_size"})
    {
        Json config = Llama();
        config.erase(key);
        ExpectRefused(config.dump(), key, "is missing");
    }
}

TEST(HuggingFaceConfig, AbsurdValuesAreRefusedByName)
{
    for (const char* key : {"hidden_size",
                            "intermediate_size",
                            "max_position_embeddings",
                            "num_attention_heads",
                            "num_hidden_layers",
                            "num_key_value_heads",
                            "vocab_size"})
    {
        for (const Json& value : {Json(0),
                                  Json(-1),
                                  Json(2.5),
                                  Json("32"),
                                  Json(true),
                                  Json::array({32}),
                                  Json(4000000000),
                                  Json(1e30)})
        {
            Json config = Llama();
            config[key] = value;
            ExpectRefused(config.dump(), key, "must be a whole number");
        }
    }
}

TEST(HuggingFaceConfig, HeadsThatDoNotDivideAreRefused)
{
    Json config = Llama();
    config["num_attention_heads"] = 24;
    ExpectRefused(config.dump(), "num_attention_heads: \"24\"", "must divide hidden_size (4096)");
    config = Llama();
    config["num_key_value_heads"] = 5;
    ExpectRefused(
        config.dump(), "num_key_value_heads: \"5\"", "must divide num_attention_heads (32)");
}

TEST(HuggingFaceConfig, FilesThatCannotBeReadAreRefused)
{
    EXPECT_THROW(ImportHuggingFaceConfig(CorpusFile("no-such.json")), ConfigError);
}

} // namespace
} // namespace geotrain
