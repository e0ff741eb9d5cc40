// SPDX-License-Identifier: GPL-2.0-only
// Finds the fields that a scenario sets and that its network ignores. A field counts as set where
// it is present and is not its default, 0 or empty, so that a resolved scenario warns of what its
// source warned of.
#pragma once

#include "execution/network-kind.h"
#include "loader/schema-types.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Returns whether a field outside lists counts as set. `path` is such as "run.seed".
bool IsFieldSet(const scenario::Scenario& resolved, const std::string& path);

/// Returns the paths of the set fields of a resolved scenario that `kind` ignores, in the schema's
/// order, such as "wan_link[0].loss". An ignored section is listed once, without its fields and
/// without an index of its own.
std::vector<std::string> IgnoredFields(const scenario::Scenario& resolved, const NetworkKind& kind);

/// Returns one warning per ignored field, such as "the analytic network ignores wan_link[0].loss".
std::vector<std::string> WarningsOfIgnored(const scenario::Scenario& resolved,
                                           const NetworkKind& kind);

} // namespace geotrain
