// SPDX-License-Identifier: GPL-2.0-only
// Resolves where the workers and servers of an in-network optimizer are, and the relays that join
// several data centres: the last node of each one that has workers or servers.
#pragma once

#include "loader/experiment.h"
#include "loader/scenario-file.h"
#include "loader/schema-types.h"

#include <string>
#include <vector>

namespace geotrain
{

/// An InNetworkLayout says who is where.
struct InNetworkLayout
{
    std::uint32_t home = 0; ///< site of the servers
    std::vector<std::uint32_t> siteOfWorker;
    std::vector<std::uint32_t> otherSites; ///< with workers and without servers, in their order

    /// Returns the workers of a site.
    std::uint32_t WorkersAt(std::uint32_t site) const;

    /// Returns the number of a site's first worker; 0 where it has none.
    std::uint32_t FirstWorkerAt(std::uint32_t site) const;
};

/// Fills in the servers' data centre. Throws ConfigError where it is none, or where a worker has no
/// node of its own.
InNetworkLayout LayOutInNetwork(scenario::InNetwork& written,
                                const Placement& placement,
                                const WanTopology& wan,
                                const ScenarioFile& file);

/// Returns the relays of a layout with other sites than the servers', and fills in their buffer. The
/// others take the settings of the servers' data centre over, which `spec` has. Throws ConfigError.
InNetworkWan ResolveRelays(scenario::Scenario& scenario,
                           const InNetworkLayout& layout,
                           const TrainingSpec& spec,
                           const ScenarioFile& file);

/// Returns a warning for each data centre whose round trip does not fit into the relays' buffers.
std::vector<std::string> WarningsOfRelays(const InNetworkWan& wan);

} // namespace geotrain
