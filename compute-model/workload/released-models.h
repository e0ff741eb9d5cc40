// SPDX-License-Identifier: GPL-2.0-only
// Lists released models, dense and with mixtures of experts, by the keys of their config.json.
#pragma once

#include "workload/transformer-spec.h"

#include <vector>

namespace geotrain
{

std::vector<TransformerSpec> ReleasedModels();

} // namespace geotrain
