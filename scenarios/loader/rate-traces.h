// SPDX-License-Identifier: GPL-2.0-only
// Resolves links whose rate over time a file says (wan_link.rate_trace, rate_trace_back).
#pragma once

#include "loader/scenario-file.h"
#include "loader/schema-types.h"
#include "wan/wan-topology.h"

#include <string>

namespace geotrain
{

/// Gives `link` the traces that `written` names, if any, and their mean rates. The file's rates become
/// lines of `written`, which then does without the file. `field` is the link's.
void ResolveRateTraces(scenario::WanLink& written,
                       const std::string& field,
                       const ScenarioFile& file,
                       WanTopology::Link& link);

} // namespace geotrain
