// SPDX-License-Identifier: GPL-2.0-only
// Resolves the cross traffic of a scenario: between which sites, and how much is offered when.
#pragma once

#include "loader/scenario-file.h"
#include "loader/schema-types.h"
#include "units/bytes.h"
#include "units/duration.h"
#include "wan/wan-topology.h"

#include <cstdint>
#include <string>
#include <vector>

namespace geotrain
{

/// What one site offers another.
struct CrossTrafficPair
{
    /// From `at` to the next step; the last one goes on for good.
    struct Step
    {
        Duration at; ///< since time 0; rising, the first one is 0
        double bitsPerSecond = 0;
    };

    std::string name;       ///< of its random streams
    std::uint32_t from = 0; ///< sites
    std::uint32_t to = 0;
    std::vector<Step> steps; ///< at least one
    Bytes meanSize;          ///< of a file
    double shape = 1.5;      ///< of the Pareto distribution of the files' sizes, above 1
    std::string congestionControl;
    Bytes window;
    double load = 0; ///< the mean of the steps as a share of the path's slowest link
};

/// A matrix moves into the scenario. In the order of the scenario, pairs of a matrix in that of
/// their first rows. Throws ConfigError.
std::vector<CrossTrafficPair> ResolveCrossTraffic(scenario::Scenario& scenario,
                                                  const WanTopology& topology,
                                                  const ScenarioFile& file);

} // namespace geotrain
