// SPDX-License-Identifier: GPL-2.0-only
// Says where the analytic network is known to be more than 3 % off the packets. The cases of ZeRO-3
// were found by grids (tests/validation/in-network-optimizer), that of replicas which meet by drawn
// trainings (tests/validation/analytic).
#pragma once

#include "execution/network.h"
#include "loader/experiment.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Returns a line per case of ZeRO-3 that a job is in, which names its field.
std::vector<std::string> WarningsOfAnalyticModel(const TrainingSpec& spec);

/// What a warning of WarningOfMeetingReplicas() begins with.
constexpr const char* meetingReplicas = "replicas meet at";

/// Returns where several replicas of a job meet with open windows, by the queue in which most of them
/// wait, and what that means; empty where none do. `pairs` are those between which the job sends.
std::string WarningOfMeetingReplicas(const TrainingSpec& spec,
                                     const std::vector<Network::WarmUp>& pairs);

} // namespace geotrain
