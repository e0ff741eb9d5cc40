// SPDX-License-Identifier: GPL-2.0-only
// Draws the figures of `geotrain plan`: throughput against the number of DP-cells, cost against
// time, and throughput against the values of repeated what-ifs.
#pragma once

#include "cli/plan-report.h"

#include <filesystem>

namespace geotrain
{

/// Writes into `folder`, as PNG and PDF, those of the figures dp-cells, front, wan-rate and
/// gpus-of-DC for which `report` has two points or more. Throws TraceError when gnuplot is missing or
/// fails, or when a file can't be written.
void DrawPlanFigures(const PlanReport& report, const std::filesystem::path& folder);

} // namespace geotrain
