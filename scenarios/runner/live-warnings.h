// SPDX-License-Identifier: GPL-2.0-only
// Says what a live run takes otherwise than a simulation, of what its scenario has.
#pragma once

#include "loader/experiment.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Returns whether a run is in real time, over the kernel's TCP.
bool IsLive(const Experiment& experiment);

/// Returns the warnings; empty for a simulation. `pairs` are the node pairs that talk.
std::vector<std::string> WarningsOfLive(const Experiment& experiment,
                                        const std::vector<NodePair>& pairs);

} // namespace geotrain
