// SPDX-License-Identifier: GPL-2.0-only
// Says which plans of a search differ in names alone.
#pragma once

#include "planner/ranked-plan.h"

namespace geotrain
{

/// Returns whether two simulated plans are one to their user: they take the same time to the nanosecond
/// and differ in the schedule's name or depth alone, or they differ in data centres of equal GPUs and
/// prices, in the same or the reverse order. The latter must be the same data centres, or take the
/// same time to a thousandth, since links tell others apart.
bool AreTwins(const RankedPlan& a, const RankedPlan& b, const Cluster& cluster);

} // namespace geotrain
