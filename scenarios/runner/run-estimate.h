// SPDX-License-Identifier: GPL-2.0-only
// Estimates a run before it runs: what it sends, over which WAN links, and the memory and wall time
// that it takes about. Retransmissions, acknowledgements, segments in flight and samples are left out.
#pragma once

#include "loader/experiment.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace geotrain
{

/// Runs over packets beside analytic ones that take longer by the estimate, in seconds, are left to the
/// user.
constexpr double mostSecondsOverPackets = 120;

/// RunEstimate is what a run sends between different nodes, warm-up iterations included, and about
/// what it takes. Memory and time hold within a factor of four or so, on one core of a server.
struct RunEstimate
{
    double bytes = 0;               ///< payload
    std::uint64_t messages = 0;     ///< messages, and steps of rings
    std::uint64_t instructions = 0; ///< of all workers
    double connections = 0;         ///< that are open at once
    std::vector<bool> usesLink;     ///< by link of the WAN

    double memoryBytes = 0;
    double wallSeconds = 0;
};

/// Estimates a run. Prefills and cross traffic count for the links that they use, and not for the
/// bytes. Returns nullopt where the plan is too large to be counted quickly.
std::optional<RunEstimate> EstimateRun(const Experiment& scenario);

} // namespace geotrain
