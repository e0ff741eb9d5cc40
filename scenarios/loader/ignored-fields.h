// SPDX-License-Identifier: GPL-2.0-only
// What a scenario sets and a network has no model for. A field counts as set where it is there and
// is not its default, 0 or empty, so that a resolved scenario warns of what its source warned of.
#pragma once

#include "execution/network-kind.h"
#include "loader/schema-types.h"

#include <string>
#include <vector>

namespace geotrain
{

struct LoadedScenario;

/// The paths of the set fields of a resolved scenario that `kind` ignores, in the schema's order:
/// "wan_link[0].loss". A section that is ignored is there once, without its fields and without an
/// index of its own.
std::vector<std::string> IgnoredFields(const scenario::Scenario& resolved, const NetworkKind& kind);

/// "the analytic network ignores wan_link[0].loss", a warning per field.
std::vector<std::string> WarningsOfIgnored(const LoadedScenario& scenario, const NetworkKind& kind);

} // namespace geotrain
