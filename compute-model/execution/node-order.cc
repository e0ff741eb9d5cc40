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

GroupShape
ShapeOf(const std::vector<NodeIndex>& members)
{
    std::map<NodeIndex, std::uint32_t> membersOf;
    for (const NodeIndex node : members)
    {
        ++membersOf[node];
    }
    const auto count = static_cast<std::uint32_t>(members.size());
    const std::uint32_t perNode = membersOf[members.front()];
    for (std::uint32_t member = 0; member < count; ++member)
    {
        const NodeIndex node = members[member];
        if (membersOf[node] != perNode || node != members[member - member % perNode])
        {
            return {count, 0};
        }
    }
    return {count, perNode};
}

} // namespace geotrain
