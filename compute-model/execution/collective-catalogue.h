// SPDX-License-Identifier: GPL-2.0-only
// Lists the algorithms of collectives by name, as `geotrain list collectives` shows them. A new one is
// a file and a row.
#pragma once

#include "execution/collective-algorithm.h"

#include <string_view>
#include <vector>

namespace geotrain
{

/// Returns all algorithms in the order in which they are listed.
const std::vector<const CollectiveAlgorithm*>& CollectiveCatalogue();

/// Finds an algorithm; nullptr if there is none of that name.
const CollectiveAlgorithm* FindCollective(std::string_view name);

} // namespace geotrain
