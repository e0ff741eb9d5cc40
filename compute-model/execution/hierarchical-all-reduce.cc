// SPDX-License-Identifier: GPL-2.0-only
#include "execution/hierarchical-all-reduce.h"

#include "execution/ring-collective.h"

#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace geotrain
{

namespace
{

/// Holds the groups that one flat group becomes.
struct Hierarchy
{
    std::map<WorkerIndex, std::uint32_t> localOf; ///< index into the plan's groups
    std::map<WorkerIndex, std::uint32_t> acrossOf;
    std::int64_t shards = 1; ///< members in a data centre
};

std::uint32_t
AddGroup(ExecutionPlan& plan,
         const std::vector<WorkerIndex>& members,
         std::map<WorkerIndex, std::uint32_t>& groupOf)
{
    const auto index = static_cast<std::uint32_t>(plan.groups.size());
    plan.groups.push_back(members);
    for (const WorkerIndex member : members)
    {
        groupOf[member] = index;
    }
    return index;
}

/// Returns nothing where the group stays in one data centre or has one member in each: a flat ring
/// is as good then.
std::optional<Hierarchy>
Split(ExecutionPlan& plan, std::size_t group, const std::vector<std::uint32_t>& dataCenterOfNode)
{
    std::map<std::uint32_t, std::vector<WorkerIndex>> byDataCenter;
    for (const WorkerIndex member : plan.groups[group])
    {
        byDataCenter[dataCenterOfNode.at(plan.workers[member].node)].push_back(member);
    }
    const std::size_t shards = byDataCenter.begin()->second.size();
    if (byDataCenter.size() < 2)
    {
        return std::nullopt;
    }
    for (const auto& [dataCenter, members] : byDataCenter)
    {
        if (members.size() != shards)
        {
            throw std::invalid_argument(
                "a hierarchical all-reduce needs as many replicas in each data centre, not " +
                std::to_string(shards) + " and " + std::to_string(members.size()));
        }
    }
    if (shards < 2)
    {
        return std::nullopt;
    }
    Hierarchy hierarchy;
    hierarchy.shards = static_cast<std::int64_t>(shards);
    std::vector<std::vector<WorkerIndex>> across(shards);
    for (const auto& [dataCenter, members] : byDataCenter)
    {
        AddGroup(plan, members, hierarchy.localOf);
        for (std::size_t shard = 0; shard < shards; ++shard)
        {
            across[shard].push_back(members[shard]);
        }
    }
    for (const auto& members : across)
    {
        AddGroup(plan, members, hierarchy.acrossOf);
    }
    return hierarchy;
}

void
Append(InstructionStream& stream, const Instruction& flat, WorkerIndex worker, const Hierarchy& to)
{
    Instruction part = flat;
    part.kind = InstructionKind::ReduceScatter;
    part.group = to.localOf.at(worker);
    stream.push_back(part);

    part.kind = InstructionKind::AllReduce;
    part.group = to.acrossOf.at(worker);
    part.size = Bytes::Of((flat.size.Count() + to.shards - 1) / to.shards);
    stream.push_back(part);

    part.kind = InstructionKind::AllGather;
    part.group = to.localOf.at(worker);
    part.size = flat.size;
    stream.push_back(part);
}

} // namespace

void
UseHierarchicalAllReduce(ExecutionPlan& plan, const std::vector<std::uint32_t>& dataCenterOfNode)
{
    std::set<std::uint32_t> reduced;
    for (const auto& worker : plan.workers)
    {
        for (const Instruction& in : worker.stream)
        {
            if (in.kind == InstructionKind::AllReduce)
            {
                reduced.insert(in.group);
            }
        }
    }
    std::vector<std::optional<Hierarchy>> hierarchies(plan.groups.size());
    for (const std::uint32_t group : reduced)
    {
        hierarchies[group] = Split(plan, group, dataCenterOfNode);
    }
    for (WorkerIndex worker = 0; worker < plan.workers.size(); ++worker)
    {
        InstructionStream rewritten;
        for (const Instruction& in : plan.workers[worker].stream)
        {
            if (in.kind == InstructionKind::AllReduce && hierarchies[in.group])
            {
                Append(rewritten, in, worker, *hierarchies[in.group]);
            }
            else
            {
                rewritten.push_back(in);
            }
        }
        plan.workers[worker].stream = std::move(rewritten);
    }
}

const CollectiveAlgorithm hierarchicalCollective = {
    "hierarchical",
    "rings in each data centre, and of the shards between them",
    [](GroupShape shape) { return ringCollective.halfSteps(shape); },
    [](CollectiveKind kind, GroupShape shape, std::uint32_t member, std::uint32_t step)
    { return ringCollective.stepOf(kind, shape, member, step); },
    true,
    UseHierarchicalAllReduce};

} // namespace geotrain
