// SPDX-License-Identifier: GPL-2.0-only
// Says which plans of a search differ in names alone.
#pragma once

#include "training-plan/cluster.h"
#include "training-plan/training-plan.h"

namespace geotrain
{

/// Returns whether two plans differ in data centres of equal GPUs and prices alone, in the same or the
/// reverse order.
bool HaveAlikeHosts(const TrainingPlan& a, const TrainingPlan& b, const Cluster& cluster);

/// Returns whether two times are the same to a thousandth.
bool AreAboutEqual(double seconds, double others);

/// Returns whether two plans that take so many seconds are one to their user. They take the same time
/// and differ in the schedule's name or depth, or they have alike hosts, or both. Hosts must be the same
/// data centres, or the plans take about the same time, since links tell others apart.
bool AreTwins(const TrainingPlan& a,
              double secondsOfA,
              const TrainingPlan& b,
              double secondsOfB,
              const Cluster& cluster);

} // namespace geotrain
