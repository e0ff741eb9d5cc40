// SPDX-License-Identifier: GPL-2.0-only
// Resolves the cross traffic of a scenario: between which sites it goes, and how much is offered at
// which time.
#pragma once

#include "loader/scenario-file.h"
#include "loader/schema-types.h"
#include "units/bytes.h"
#include "units/duration.h"
#include "wan/wan-paths.h"

#include <cstdint>
#include <string>
#include <vector>

namespace geotrain
{

/// A CrossTrafficPair is what one site offers another.
struct CrossTrafficPair
{
    /// A Step is the offered rate from `at` to the next step; the last step never ends.
    struct Step
    {
        Duration at;              ///< time since time 0; rising, and 0 for the first step
        double bitsPerSecond = 0; ///< offered payload
    };

    std::string name;              ///< name of the pair's random streams
    std::uint32_t from = 0;        ///< site that sends
    std::uint32_t to = 0;          ///< site that receives
    std::vector<Step> steps;       ///< at least one
    Bytes meanSize;                ///< mean size of a file
    double shape = 1.5;            ///< shape of the Pareto distribution of file sizes, above 1
    std::string congestionControl; ///< TypeId
    Bytes window;                  ///< payload in flight per connection, at most
    double load = 0;               ///< mean of the steps as a share of the path's slowest link
};

/// Returns the pairs in the order of the scenario; pairs of a matrix are in the order of their
/// first rows. The lines of a matrix file move into `scenario`. Throws ConfigError.
std::vector<CrossTrafficPair> ResolveCrossTraffic(scenario::Scenario& scenario,
                                                  const WanTopology& topology,
                                                  const WanPaths& paths,
                                                  const ScenarioFile& file);

} // namespace geotrain
