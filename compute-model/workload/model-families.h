// SPDX-License-Identifier: GPL-2.0-only
// Lists the families of decoder-only models by Hugging Face's model_type, with what a family's code
// does that no key of its config.json says, and the values of keys that its files leave out.
#pragma once

#include <string>
#include <vector>

namespace geotrain
{

/// A trait is a bit of ModelFamily::traits.
namespace family
{
constexpr unsigned layerNorm = 1u << 0;        ///< norms have biases; without it they have weights
constexpr unsigned weightlessNorms = 1u << 1;  ///< norms have neither
constexpr unsigned plainMlp = 1u << 2;         ///< the MLP has no gate
constexpr unsigned fourTimes = 1u << 3;        ///< the MLP is 4 x hidden wide unless a key says more
constexpr unsigned halfFfn = 1u << 4;          ///< its key counts gate and up together
constexpr unsigned learnedPositions = 1u << 5; ///< unless the key alibi is set
constexpr unsigned parallel = 1u << 6;         ///< parallel blocks unless a key says otherwise
constexpr unsigned oneNorm = 1u << 7;          ///< of parallel blocks
constexpr unsigned fourNorms = 1u << 8;        ///< before and behind attention and MLP
constexpr unsigned noOutputBias = 1u << 9;     ///< attention's output has no bias where others have
constexpr unsigned headNorms = 1u << 10;       ///< QueryKeyNorm::PerHead unless a key says no
constexpr unsigned wideNorms = 1u << 11;       ///< QueryKeyNorm::WholeWidth unless a key says no
constexpr unsigned windows = 1u << 12;         ///< its code has sliding windows
constexpr unsigned sinks = 1u << 13;           ///< TransformerSpec::attentionSinks
constexpr unsigned embeddingNorm = 1u << 14;   ///< TransformerSpec::embeddingNorm
constexpr unsigned experts = 1u << 15;         ///< it has mixtures of experts
constexpr unsigned latent = 1u << 16;          ///< it has multi-head latent attention
constexpr unsigned lightning = 1u << 17;       ///< it has layers of linear attention
} // namespace family

/// A ModelFamily is a row.
struct ModelFamily
{
    const char* names; ///< values of model_type, between spaces
    unsigned traits;   ///< of `family`
    const char* defaults; ///< a JSON object: keys that count where a file lacks them
};

/// Finds the family of a model_type; nullptr where there is none.
const ModelFamily* FindFamily(const std::string& name);

/// Returns the names of all, with commas.
std::string FamilyNames();

/// Returns what geotrain lacks for models of a type ("state-space layers"); empty where it knows of
/// nothing.
std::string WhatFamilyNeeds(const std::string& name);

} // namespace geotrain
