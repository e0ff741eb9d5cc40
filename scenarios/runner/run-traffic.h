// SPDX-License-Identifier: GPL-2.0-only
// Counts what a run will send before it runs: bytes, messages and the WAN links that carry them.
// Retransmissions, acknowledgements and the traffic of others are left out.
#pragma once

#include "loader/scenario-loader.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace geotrain
{

/// RunTraffic is what a run sends between different nodes, warm-up iterations included.
struct RunTraffic
{
    double bytes = 0;               ///< payload
    std::uint64_t messages = 0;     ///< messages, and steps of rings
    std::uint64_t instructions = 0; ///< of all workers
    std::vector<bool> usesLink;     ///< by link of the WAN
};

/// Counts the traffic of a run. Prefills and cross traffic count for the links that they use, and
/// not for the bytes. Returns nullopt where the plan is too large to be counted quickly.
std::optional<RunTraffic> TrafficOf(const Experiment& scenario);

/// Returns about how many seconds of one core the run will take; true within a factor of three or
/// so, since it depends on the machine and on losses.
double WallSecondsOf(const Experiment& scenario, const RunTraffic& traffic);

} // namespace geotrain
