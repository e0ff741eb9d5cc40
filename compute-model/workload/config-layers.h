// SPDX-License-Identifier: GPL-2.0-only
// Reads from a config.json which layers have a sliding window and which have experts.
#pragma once

#include "workload/config-keys.h"
#include "workload/model-families.h"
#include "workload/transformer-spec.h"

namespace geotrain
{

/// Sets the window and the groups of a model whose layers and experts are set. Throws ConfigError
/// where a layer is neither of full nor of windowed softmax attention.
void SetLayers(const ConfigKeys& config, const ModelFamily& family, TransformerSpec& model);

} // namespace geotrain
