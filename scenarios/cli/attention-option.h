// SPDX-License-Identifier: GPL-2.0-only
// The options --attention and --model of the verbs that time kernels.
#pragma once

#include "loader/scenario-file.h"
#include "workload/stage-execution.h"
#include "workload/transformer-spec.h"

#include <CLI/CLI.hpp>

#include <string>

namespace geotrain
{

/// Adds the option to `verb`, which takes one of the names that AttentionNamed() knows into `name`.
void AddAttentionOption(CLI::App& verb, std::string& name, const std::string& help);

/// Returns the attention of `name`: fused, unfused or fused-causal.
Attention AttentionNamed(const std::string& name);

/// Returns the model of that name, or of the Hugging Face config in that file. Throws ConfigError
/// that names `field` of `file`.
TransformerSpec
ModelOrConfig(const std::string& name, const std::string& field, const ScenarioFile& file);

} // namespace geotrain
