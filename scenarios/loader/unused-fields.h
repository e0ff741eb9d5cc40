// SPDX-License-Identifier: GPL-2.0-only
// Finds the fields that a scenario sets and that another of its fields keeps from having an effect,
// on every network. A field counts as set as it does in ignored-fields.h.
//
// What it leaves out: settings of temporal sharing under SPATIAL, since a comparison of the two has
// them in both, and values that make no difference by themselves, such as overlap without tensor
// parallelism.
#pragma once

#include "loader/schema-types.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Returns one warning per set field of a resolved scenario that changes nothing, in the schema's
/// order, such as "caps.queue changes nothing: no cap is set".
std::vector<std::string> WarningsOfUnused(const scenario::Scenario& resolved);

} // namespace geotrain
