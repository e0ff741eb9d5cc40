// SPDX-License-Identifier: GPL-2.0-only
// Imports a Hugging Face config.json of the GPT-2, Llama, Mistral and Qwen2 families. Keys that
// don't touch the shape are ignored, as Hugging Face's own loader does. Refused by name are
// mixtures of experts, models with another head than a language model's, and sliding windows in
// some layers only.
#pragma once

#include "workload/transformer-spec.h"

#include <string>

namespace geotrain
{

/// Reads `path`. The spec's name is the config's `_name_or_path`, or its `model_type`. Its sequence
/// is the longest context, which a scenario may shorten. Throws ConfigError that names the file,
/// the JSON key and the rule.
TransformerSpec ImportHuggingFaceConfig(const std::string& path);

/// Does the same from `text`; `fileName` is used in messages.
TransformerSpec ParseHuggingFaceConfig(const std::string& fileName, const std::string& text);

} // namespace geotrain
