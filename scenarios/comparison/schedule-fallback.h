// SPDX-License-Identifier: GPL-2.0-only
// Stands between loading a scenario and running it. Loading takes a schedule as it is written. Where
// schedule.fallback says FASTEST, trials on the analytic network find what is faster in the
// schedule's memory, and that is written in its place before the scenario is loaded again.
#pragma once

#include "loader/scenario-loader.h"

#include <vector>

namespace geotrain
{

/// Returns `assignments`, behind them those of the schedule that is fastest in the memory of the
/// written one (planner/schedule-trial.h) where the scenario asks for it. Throws ConfigError where
/// the scenario can't be loaded, or is too large for trials.
std::vector<Assignment> WithFallback(const ScenarioText& text, std::vector<Assignment> assignments);

} // namespace geotrain
