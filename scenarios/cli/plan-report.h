// SPDX-License-Identifier: GPL-2.0-only
// Prints the results of `geotrain plan` for people.
#pragma once

#include "cli/plan-results.h"

#include <string>

namespace geotrain
{

/// Returns the report for people: the advice and the list, which fit a screen.
std::string PlanText(const PlanReport& report);

/// Returns what the report leaves out: pruned plans, plans that are others by another name, and
/// Algorithm 1.
std::string PlanDetails(const PlanReport& report);

} // namespace geotrain
