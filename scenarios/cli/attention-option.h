// SPDX-License-Identifier: GPL-2.0-only
// The option --attention, which says how attention's scores are computed.
#pragma once

#include "workload/stage-execution.h"

#include <CLI/CLI.hpp>

#include <string>

namespace geotrain
{

/// Adds the option to `verb`, which takes one of the names that AttentionNamed() knows into `name`.
void AddAttentionOption(CLI::App& verb, std::string& name, const std::string& help);

/// Returns the attention of `name`: fused, unfused or fused-causal.
Attention AttentionNamed(const std::string& name);

} // namespace geotrain
