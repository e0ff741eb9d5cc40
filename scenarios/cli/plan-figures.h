// SPDX-License-Identifier: GPL-2.0-only
// The figures of `geotrain plan`: throughput against the number of DP-cells, cost against time, and
// throughput against the values of repeated what-ifs.
#pragma once

#include "cli/plan-report.h"

#include <filesystem>

namespace geotrain
{

/// Writes dp-cells, front, wan-rate and gpus-of-DC as PNG and PDF, as far as `report` has points
/// for them. Throws TraceError.
void DrawPlanFigures(const PlanReport& report, const std::filesystem::path& folder);

} // namespace geotrain
