// SPDX-License-Identifier: GPL-2.0-only
// Lists the GPUs that geotrain knows by name, with published figures.
#pragma once

#include "hardware/gpu-spec.h"

#include <optional>
#include <string_view>
#include <vector>

namespace geotrain
{

/// Returns all GPUs, oldest first: V100-16, V100-32, A100-40, A100-80, H100, H200, GH200, B200.
const std::vector<GpuSpec>& GpuCatalogue();

/// Finds a GPU by its exact name; upper and lower case count.
std::optional<GpuSpec> FindGpu(std::string_view name);

/// Returns what the engine of Splitwise's measurements added in 2023 (Patel et al., ISCA'24): on A100, or
/// on H100 for later GPUs.
const ServingCosts& SplitwiseServing(const GpuSpec& gpu);

} // namespace geotrain
