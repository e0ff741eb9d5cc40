// SPDX-License-Identifier: GPL-2.0-only
// Sets defaults of ns-3 and of bulk-tcp from the command line.
#pragma once

#include "training-network/helper/bearer-kinds.h"

#include <set>
#include <string>
#include <vector>

namespace geotrain
{

/// Sets defaults for the rest of the process. `settings` are NAME=VALUE, such as
/// "geotrain::BulkTcp::MinRto=1s"; `bearers` are the names of the bearers that the runs use. Throws
/// ConfigError for a name that ns-3 doesn't have, for a value that ns-3 refuses, and for a default of
/// sockets that none of these bearers has.
void SetNs3Defaults(const std::vector<std::string>& settings, const std::set<std::string>& bearers);

} // namespace geotrain
