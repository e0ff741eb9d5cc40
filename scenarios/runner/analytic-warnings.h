// SPDX-License-Identifier: GPL-2.0-only
// Says where ZeRO-3 on the analytic network is known to be more than 3 % off the packets.
// The cases were found by grids (tests/validation/in-network-optimizer).
#pragma once

#include "loader/experiment.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Returns a line per case that a job is in, which names its field.
std::vector<std::string> WarningsOfAnalyticModel(const TrainingSpec& spec);

} // namespace geotrain
