// SPDX-License-Identifier: GPL-2.0-only
// Names the metrics that summaries can have, so that a name that none has can be refused before the
// run that would not give it. analysis/README.md defines each.
#pragma once

#include <string>
#include <vector>

namespace geotrain
{

/// Returns the names of all metrics in alphabetical order. To them come a name of
/// FlowMetricPrefixes() with each flow's, those of SizeClassMetricNames(), and "analytic_" with
/// each part that was computed instead of simulated.
const std::vector<std::string>& MetricNames();

/// Returns a sentence that says what the metric `name` is; empty where no summary has it.
std::string MeaningOf(const std::string& name);

/// Returns the names of the metrics that a reader looks at first, the most important one first.
const std::vector<std::string>& MainMetricNames();

/// Returns what comes before a flow's name in a metric of that flow alone, such as "goodput_".
const std::vector<std::string>& FlowMetricPrefixes();

/// Returns whether a metric is a share of a whole, from 0 to 1, which is shown in per cent.
bool IsShare(const std::string& name);

/// Returns the largest value that a metric can have; infinity where there is none.
double LargestOf(const std::string& name);

/// Returns whether a summary can have the metric `name`, with flows of the names `flows`.
bool IsMetricName(const std::string& name, const std::vector<std::string>& flows);

} // namespace geotrain
