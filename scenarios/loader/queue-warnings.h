// SPDX-License-Identifier: GPL-2.0-only
// Warns of queues that do what their user may not expect.
#pragma once

#include "loader/experiment.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Returns what to know of the links' queues before trusting a result.
std::vector<std::string> WarningsOfQueues(const Experiment& experiment);

} // namespace geotrain
