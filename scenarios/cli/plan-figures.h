// SPDX-License-Identifier: GPL-2.0-only
// Draws the figures of `geotrain plan`: throughput against the number of DP-cells, cost against
// time, and throughput against the values of repeated what-ifs.
#pragma once

#include "cli/plan-results.h"

#include <filesystem>
#include <string>

namespace geotrain
{

/// Writes into `folder`, as PNG and PDF, those of the figures dp-cells, front, wan-rate and
/// gpus-of-DC for which `report` has two points or more. Returns a sentence that names them, and those
/// that have a single point and are not drawn. Throws TraceError when gnuplot is missing or fails, or
/// when a file can't be written.
std::string DrawPlanFigures(const PlanReport& report, const std::filesystem::path& folder);

} // namespace geotrain
