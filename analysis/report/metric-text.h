// SPDX-License-Identifier: GPL-2.0-only
// Writes metrics for people: "4.35 s", "34.9 %", "8.59 GB".
#pragma once

#include "metrics/summary.h"
#include "report/html.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Returns the metric's value with a unit of a readable size, and its interval where it has one.
std::string ValueText(const Metric& metric);

/// Returns ValueText() as a cell; its tooltip is the exact number.
HtmlCell ValueCell(const Metric& metric);

/// Returns the metric's name as people write it: "GPU utilization".
std::string LabelOf(const Metric& metric);

/// Returns the metrics of `summary` that a reader looks at first, the most important one first.
std::vector<Metric> MainMetrics(const Summary& summary);

/// Returns the metrics that tell of a prefill service: what was served of what came, how soon, on how
/// much hardware, and how much it would need of its own. Empty without one.
std::vector<Metric> ServiceMetrics(const Summary& summary);

} // namespace geotrain
