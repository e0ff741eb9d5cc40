// SPDX-License-Identifier: GPL-2.0-only
// Reads the list of layers that Megatron-LM's --moe-layer-freq holds: "2", or a Python expression such
// as "([0]*3+[1]*58)", in which 1 is a layer of experts.
#pragma once

#include "workload/transformer-spec.h"

#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// Returns the groups of layers, none where all have experts; nullopt where the text is no list of
/// `layers` zeros and ones, and no number.
std::optional<std::vector<LayerGroup>> ExpertLayers(const std::string& text, std::uint32_t layers);

} // namespace geotrain
