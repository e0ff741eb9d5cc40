// SPDX-License-Identifier: GPL-2.0-only
// Resolves links that were learned from packet records (wan_link.learned).
#pragma once

#include "loader/scenario-file.h"
#include "loader/schema-types.h"
#include "wan/wan-topology.h"

namespace geotrain
{

/// Throws ConfigError where a learned link sets what was learned, or anything else that a link does
/// to packets. Call it before defaults are filled in.
void CheckLearnedLinks(const scenario::Scenario& scenario, const ScenarioFile& file);

/// Throws ConfigError for a link of run.packet_trace that is not there.
void CheckPacketTrace(const scenario::Scenario& scenario,
                      const WanTopology& topology,
                      const ScenarioFile& file);

/// Makes `link` what its model file says, or the library's path of that name. The resolved link has
/// the file's absolute path, since it is read again from other folders, and no rate, delay and
/// queue. Throws ConfigError.
void ResolveLearnedLink(scenario::WanLink& written,
                        const std::string& field,
                        const ScenarioFile& file,
                        WanTopology::Link& link);

} // namespace geotrain
