// SPDX-License-Identifier: GPL-2.0-only
#include "execution/collective-catalogue.h"

#include "execution/hierarchical-all-reduce.h"
#include "execution/ring-collective.h"
#include "execution/tree-collective.h"

#include <algorithm>

namespace geotrain
{

const std::vector<const CollectiveAlgorithm*>&
CollectiveCatalogue()
{
    static const std::vector<const CollectiveAlgorithm*> catalogue = {
        &ringCollective, &treeCollective, &hierarchicalCollective};
    return catalogue;
}

const CollectiveAlgorithm*
FindCollective(std::string_view name)
{
    const auto& all = CollectiveCatalogue();
    const auto found = std::find_if(
        all.begin(), all.end(), [name](const auto* algorithm) { return algorithm->name == name; });
    return found == all.end() ? nullptr : *found;
}

} // namespace geotrain
