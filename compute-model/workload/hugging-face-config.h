// SPDX-License-Identifier: GPL-2.0-only
// Imports a Hugging Face config.json of the families of model-families.h: decoder-only models, dense
// or with mixtures of experts. The language model of one that also sees or hears is its text_config.
// Keys that neither sizes nor operations depend on are ignored. Others that are not understood are
// said in TransformerSpec::notes, or refused by name where they certainly change the model.
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
