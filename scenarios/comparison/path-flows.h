// SPDX-License-Identifier: GPL-2.0-only
// Reads the packets that runs of a comparison recorded (run.packet_trace), for figures that hold
// one path against another.
#pragma once

#include "figures/comparison.h"
#include "figures/path-figures.h"

#include <vector>

namespace geotrain
{

/// Returns what the flow of each variant's first run got of its path, whose name is the variant's
/// varied values but the congestion control. Runs without recorded packets, and runs of training,
/// are left out.
std::vector<PathFlow> PathFlowsOf(const Comparison& comparison);

} // namespace geotrain
