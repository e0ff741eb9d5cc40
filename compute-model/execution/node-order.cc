// SPDX-License-Identifier: GPL-2.0-only
#include "execution/node-order.h"

#include <algorithm>
#include <map>

namespace geotrain
{

void
OrderGroupsByNode(ExecutionPlan& plan)
{
    for (std::vector<WorkerIndex>& group : plan.groups)
    {
        std::map<NodeIndex, std::size_t> places;
        for (const WorkerIndex member : group)
        {
            places.emplace(plan.workers[member].node, places.size());
        }
        std::stable_sort(
            group.begin(),
            group.end(),
            [&](WorkerIndex one, WorkerIndex other)
            { return places.at(plan.workers[one].node) < places.at(plan.workers[other].node); });
    }
}

} // namespace geotrain
