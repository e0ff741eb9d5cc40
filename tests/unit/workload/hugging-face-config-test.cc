// SPDX-License-Identifier: GPL-2.0-only
#include "units/config-error.h"
#include "workload/flop-count.h"
#include "workload/hugging-face-config.h"

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
    ExpectRefused(config.dump(), "max_window_layers", "some layers only");
    config["max_window_layers"] = 0;
    EXPECT_EQ(window(), 4096u);
    config["layer_types"] = {"sliding_attention", "full_attention"};
    ExpectRefused(config.dump(), "layer_types", "some layers only");
    config["layer_types"] = {"sliding_attention", "sliding_attention"};
    EXPECT_EQ(window(), 4096u);
}

TEST(HuggingFaceConfig, PartsThatAreNotModelledAreRefused)
{
    const std::vector<std::pair<const char*, Json>> parts{
        {"mm_vision_tower", "openai/clip-vit-large-patch14-336"},
        {"vision_config", {{"hidden_size", 1024}}},
        {"num_key_value_heads_per_layer", {8, 4}},
        {"pruned_heads", {{"0", {1, 2}}}},
        {"add_cross_attention", true},
        {"kv_lora_rank", 512},
        {"quantization_config", {{"quant_method", "gptq"}, {"bits", 4}}},
        {"num_kv_shared_layers", 10},
        {"attention_chunk_size", 8192},
        {"num_nextn_predict_layers", 1}};
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
    Json config = Llama();
    config["layer_types"] = {"full_attention", "linear_attention"};
    ExpectRefused(config.dump(), "layer_types", "full_attention or sliding_attention");
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

TEST(HuggingFaceConfig, MixturesOfExpertsAreRefusedByName)
{
    for (const char* family : {"mixtral", "qwen2_moe", "deepseek_v3", "dbrx", "phimoe"})
    {
        Json config = Llama();
        config["model_type"] = family;
        ExpectRefused(config.dump(), family, "mixture-of-experts");
    }
    for (const char* key : {"num_local_experts", "num_experts", "n_routed_experts"})
    {
        Json config = Llama();
        config[key] = 8;
        ExpectRefused(config.dump(), key, "mixture-of-experts");
    }
}

TEST(HuggingFaceConfig, OtherFamiliesAreRefused)
{
    Json config = Llama();
    config["model_type"] = "bert";
    ExpectRefused(config.dump(), "model_type: \"bert\"", "must be one of");
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
