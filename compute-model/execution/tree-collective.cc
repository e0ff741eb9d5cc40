// SPDX-License-Identifier: GPL-2.0-only
#include "execution/tree-collective.h"

#include "execution/ring-collective.h"

#include <algorithm>

namespace geotrain
{

namespace
{

/// Returns the binary logarithm, rounded up.
std::uint32_t
Log2(std::uint32_t members)
{
    std::uint32_t steps = 0;
    while ((std::uint64_t{1} << steps) < members)
    {
        ++steps;
    }
    return steps;
}

std::uint32_t
TreeSteps(GroupShape shape)
{
    return shape.perNode == 0 ? ringCollective.halfSteps(shape)
                              : Log2(shape.members / shape.perNode) + Log2(shape.perNode);
}

/// An all-gather goes first between the members of the same place in all nodes, each of which has 2^k
/// parts before a step, and then inside nodes with what these have. A reduce-scatter is the same
/// backwards. The messages add up to all parts but a member's own.
CollectiveStep
TreeStep(CollectiveKind kind, GroupShape shape, std::uint32_t member, std::uint32_t step)
{
    if (shape.perNode == 0)
    {
        return ringCollective.stepOf(kind, shape, member, step);
    }
    const std::uint32_t nodes = shape.members / shape.perNode;
    const std::uint32_t between = Log2(nodes);
    const std::uint32_t count = TreeSteps(shape);
    const bool isScatter = kind == CollectiveKind::ReduceScatter ||
                           (kind == CollectiveKind::AllReduce && step < count);
    const std::uint32_t ofGather = isScatter ? count - 1 - step : step % count;
    const bool staysInNode = ofGather >= between;
    const std::uint32_t n = staysInNode ? shape.perNode : nodes;
    const std::uint32_t power = 1u << (staysInNode ? ofGather - between : ofGather);
    const std::uint32_t distance = isScatter ? power : n - power;
    const std::uint32_t parts = std::min(power, n - power);
    if (!staysInNode)
    {
        return {distance * shape.perNode, power, parts};
    }
    const std::uint32_t place = member % shape.perNode;
    const std::uint32_t to = (place + distance) % shape.perNode;
    return {(to + shape.members - place) % shape.members, power * nodes, parts * nodes, true};
}

} // namespace

const CollectiveAlgorithm treeCollective = {
    "tree",
    "ceil(log2 n) steps to members 1, 2, 4, ... away (NCCL's PAT), between nodes and inside them",
    TreeSteps,
    TreeStep,
    false,
    nullptr};

} // namespace geotrain
