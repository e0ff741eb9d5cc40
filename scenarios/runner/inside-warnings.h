// SPDX-License-Identifier: GPL-2.0-only
// Says where messages inside data centres by formula (run.inside_data_center) may make an iteration more than
// 0.5 % shorter or longer than over packets. Drawn trainings found the cases
// (ns3-modules/training-network/doc/training-network.md).
#pragma once

#include "execution/network.h"
#include "loader/experiment.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Returns a line per case that is known before the run. `pairs` are those between which it sends.
std::vector<std::string> WarningsInsideBefore(const Experiment& experiment,
                                              const std::vector<NodePair>& pairs);

/// Returns a line per case that the run has shown by its counters.
std::vector<std::string> WarningsInsideAfter(const Experiment& experiment,
                                             const NetworkCounters& counters);

} // namespace geotrain
