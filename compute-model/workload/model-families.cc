// SPDX-License-Identifier: GPL-2.0-only
// The rows follow the classes of github.com/huggingface/transformers (src/transformers/models) and
// of the models' own repositories.
#include "workload/model-families.h"

#include <utility>

namespace geotrain
{

namespace
{

using namespace family;

constexpr const char* nothing = "{}";
constexpr const char* tied = R"({"tie_word_embeddings": true})";
constexpr unsigned gpt = layerNorm | plainMlp | fourTimes;

const ModelFamily families[] = {
    // Llama's kin: RMSNorm, gated MLP, rotary positions.
    {" llama granite yi aquila internlm3 xverse skywork ", 0, nothing},
    {" mistral mistral3 ministral ministral3 ", windows, R"({"num_key_value_heads": 8})"},
    {" qwen2 qwen2_vl qwen2_vl_text qwen2_5_vl qwen2_5_vl_text mimo ",
     windows | noOutputBias,
     R"({"num_key_value_heads": 32, "use_sliding_window": false, "qkv_bias": true})"},
    {" qwen3 qwen3_vl_text ",
     windows | headNorms,
     R"({"num_key_value_heads": 32, "head_dim": 128, "use_sliding_window": false})"},
    {" gemma ",
     0,
     R"({"num_key_value_heads": 16, "head_dim": 256, "max_position_embeddings": 8192,
         "tie_word_embeddings": true})"},
    {" gemma2 ",
     windows | fourNorms,
     R"({"num_key_value_heads": 4, "head_dim": 256, "max_position_embeddings": 8192,
         "sliding_window": 4096, "sliding_window_pattern": 2, "tie_word_embeddings": true})"},
    {" gemma3 gemma3_text ",
     windows | fourNorms | headNorms,
     R"({"num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 256, "vocab_size": 262208,
         "max_position_embeddings": 131072, "sliding_window": 4096, "sliding_window_pattern": 6,
         "tie_word_embeddings": true})"},
    {" phi3 ", windows, nothing},
    {" internlm internlm2 baichuan ", 0, R"({"mlp_bias": false})"},
    {" exaone helium ", 0, nothing},
    {" minicpm ", 0, tied},
    {" smollm3 ", windows, R"({"tie_word_embeddings": true, "use_sliding_window": false})"},
    {" exaone4 ", windows | headNorms, nothing},
    {" seed_oss ", noOutputBias, R"({"attention_bias": true})"},
    {" glm ", noOutputBias, nothing},
    {" glm4 glm4v_text ", noOutputBias | fourNorms, nothing},
    {" chatglm ", 0, R"({"add_bias_linear": false, "multi_query_attention": false})"},
    {" qwen ", halfFfn | noOutputBias, R"({"qkv_bias": true, "no_bias": true})"},
    {" ernie4_5 ", 0, tied},
    {" hunyuan_v1_dense ", headNorms, tied},
    {" minicpm3 ", latent, tied},
    {" olmo ", weightlessNorms, nothing},
    {" olmo2 ", wideNorms, nothing},
    {" olmo3 ", wideNorms | windows, R"({"sliding_window": 4096, "sliding_window_pattern": 4})"},
    {" cohere ",
     parallel | oneNorm | wideNorms,
     R"({"tie_word_embeddings": true, "use_qk_norm": false})"},
    {" cohere2 ",
     parallel | oneNorm | windows,
     R"({"tie_word_embeddings": true, "sliding_window": 4096, "sliding_window_pattern": 4})"},
    {" stablelm stablelm_epoch ",
     layerNorm | oneNorm | wideNorms,
     R"({"qk_layernorm": false, "use_qkv_bias": false})"},
    {" orion ", layerNorm, nothing},
    {" arcee ", plainMlp, nothing},
    {" apertus ", plainMlp | headNorms, nothing},

    // GPT's kin: plain MLP.
    {" gpt2 ",
     gpt | learnedPositions,
     R"({"tie_word_embeddings": true, "attention_bias": true, "mlp_bias": true})"},
    {" gpt_bigcode ",
     gpt | learnedPositions,
     R"({"tie_word_embeddings": true, "attention_bias": true, "mlp_bias": true,
         "multi_query": true})"},
    {" gpt_neo ",
     gpt | learnedPositions | windows,
     R"({"tie_word_embeddings": true, "qkv_bias": false, "attention_bias": true, "mlp_bias": true,
         "window_size": 256})"},
    {" gptj codegen ",
     gpt | parallel | oneNorm,
     R"({"tie_word_embeddings": false, "mlp_bias": true, "lm_head_bias": true})"},
    {" gpt_neox ",
     gpt | parallel,
     R"({"attention_bias": true, "mlp_bias": true, "use_parallel_residual": true})"},
    {" phi ",
     gpt | parallel | oneNorm | headNorms,
     R"({"attention_bias": true, "mlp_bias": true, "lm_head_bias": true, "qk_layernorm": false})"},
    {" persimmon ",
     gpt | headNorms,
     R"({"attention_bias": true, "mlp_bias": true, "qk_layernorm": true})"},
    {" falcon RefinedWeb RefinedWebModel ",
     gpt | oneNorm,
     R"({"tie_word_embeddings": true, "bias": false, "multi_query": true, "parallel_attn": true,
         "max_position_embeddings": 2048, "new_decoder_architecture": false})"},
    {" bloom ",
     gpt | embeddingNorm,
     R"({"tie_word_embeddings": true, "attention_bias": true, "mlp_bias": true,
         "seq_length": 2048})"},
    {" opt ", gpt | learnedPositions, R"({"tie_word_embeddings": true, "enable_bias": true})"},
    {" mpt ",
     plainMlp | fourTimes | learnedPositions,
     R"({"tie_word_embeddings": true, "no_bias": true})"},
    {" biogpt ",
     gpt | learnedPositions,
     R"({"tie_word_embeddings": true, "attention_bias": true, "mlp_bias": true})"},
    {" starcoder2 ",
     gpt | windows,
     R"({"tie_word_embeddings": true, "num_key_value_heads": 2, "use_bias": true})"},
    {" nemotron ", gpt, nothing},

    // Mixtures of experts.
    {" mixtral ",
     windows | experts,
     R"({"num_key_value_heads": 8, "num_local_experts": 8, "num_experts_per_tok": 2})"},
    {" minimax minimax_m1 minimax_text_01 ",
     experts | lightning,
     R"({"num_key_value_heads": 8, "num_local_experts": 8, "num_experts_per_tok": 2,
         "block_size": 256, "max_position_embeddings": 131072})"},
    {" minimax_m2 ",
     wideNorms | experts,
     R"({"num_key_value_heads": 8, "use_routing_bias": true})"},
    {" qwen2_moe ",
     windows | noOutputBias | experts,
     R"({"num_key_value_heads": 16, "use_sliding_window": false, "qkv_bias": true,
         "shared_expert_gate": true})"},
    {" qwen3_moe qwen3_vl_moe_text ",
     windows | headNorms | experts,
     R"({"num_key_value_heads": 4, "head_dim": 128, "use_sliding_window": false})"},
    {" deepseek_v2 ", latent | experts, nothing},
    {" deepseek_v3 kimi_k2 kimi_k25 glm4_moe_lite ",
     latent | experts,
     R"({"use_routing_bias": true})"},
    {" deepseek ", experts, nothing},
    {" glm4_moe glm4v_moe_text solar_open ",
     noOutputBias | headNorms | experts,
     R"({"use_qk_norm": false, "use_routing_bias": true})"},
    {" bailing_moe bailing_moe_v2 ", headNorms | experts, R"({"use_qk_norm": false})"},
    {" dots1 ", headNorms | windows | experts, R"({"use_routing_bias": true})"},
    {" llama4 llama4_text ",
     windows | experts,
     R"({"num_key_value_heads": 8, "head_dim": 128, "n_shared_experts": 1,
         "interleave_moe_layer_step": 1, "no_rope_layer_interval": 4,
         "attention_chunk_size": 8192})"},
    {" gpt_oss ",
     windows | sinks | experts,
     R"({"num_key_value_heads": 8, "head_dim": 64, "attention_bias": true, "mlp_bias": true,
         "use_routing_bias": true, "sliding_window": 128, "sliding_window_pattern": 2})"},
    {" granitemoe granitemoeshared granitemoehybrid ", experts, nothing},
    {" olmoe flex_olmo ", wideNorms | experts, nothing},
    {" phimoe ",
     layerNorm | windows | experts,
     R"({"attention_bias": true, "lm_head_bias": true})"},
    {" dbrx ", experts, nothing},
    {" ernie4_5_moe ", experts, R"({"tie_word_embeddings": true, "use_routing_bias": true})"},
};

const std::pair<const char*, const char*> whatFamiliesNeed[] = {
    {" mamba mamba2 falcon_mamba codestral_mamba ", "state-space layers"},
    {" jamba bamba zamba zamba2 nemotron_h falcon_h1 hymba plamo2 samba phi4flash ",
     "state-space layers between layers of attention"},
    {" lfm2 lfm2_moe ", "short convolutions in place of attention"},
    {" recurrent_gemma griffin rwkv rwkv5 rwkv6 rwkv7 xlstm retnet ",
     "recurrent layers in place of attention"},
    {" qwen3_next qwen3_5 qwen3_5_text qwen3_5_moe qwen3_5_moe_text kimi_linear "
     "bailing_moe_linear ",
     "linear attention in most layers"},
    {" deepseek_v32 glm_moe_dsa ", "the indexer of sparse attention"},
    {" mllama mllama_text_model blip-2 flamingo ", "cross attention"},
    {" gemma3n gemma3n_text ", "embeddings per layer and keys that layers share"},
    {" openelm nemotron-nas deci ", "layers of many different sizes"},
    {" t5 mt5 umt5 longt5 bart mbart pegasus pegasus_x marian whisper led blenderbot m2m_100 "
     "nllb-moe "
     "switch_transformers t5gemma prophetnet bigbird_pegasus encoder-decoder speech_to_text "
     "seamless_m4t ",
     "an encoder and cross attention"},
    {" bert roberta distilbert albert electra deberta deberta-v2 xlm-roberta modernbert camembert "
     "mpnet nomic_bert ",
     "encoders, which generate nothing"},
};

bool
Has(const char* names, const std::string& name)
{
    return name.find(' ') == std::string::npos &&
           std::string(names).find(" " + name + " ") != std::string::npos;
}

} // namespace

const ModelFamily*
FindFamily(const std::string& name)
{
    for (const ModelFamily& row : families)
    {
        if (Has(row.names, name))
        {
            return &row;
        }
    }
    return nullptr;
}

std::string
FamilyNames()
{
    std::string names;
    for (const ModelFamily& row : families)
    {
        std::string own = row.names;
        for (std::size_t space = own.find(' ', 1); space != std::string::npos;
             space = own.find(' ', 1))
        {
            names += (names.empty() ? "" : ", ") + own.substr(1, space - 1);
            own = own.substr(space);
        }
    }
    return names;
}

std::string
WhatFamilyNeeds(const std::string& name)
{
    for (const auto& [names, what] : whatFamiliesNeed)
    {
        if (Has(names, name))
        {
            return what;
        }
    }
    return "";
}

} // namespace geotrain
