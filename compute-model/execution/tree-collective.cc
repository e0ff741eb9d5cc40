// SPDX-License-Identifier: GPL-2.0-only
#include "execution/tree-collective.h"

#include <algorithm>

namespace geotrain
{

namespace
{

std::uint32_t
TreeSteps(std::uint32_t members)
{
    std::uint32_t steps = 0;
    while ((std::uint64_t{1} << steps) < members)
    {
        ++steps;
    }
    return steps;
}

/// Before a step of an all-gather a member has 2^k parts; the messages add up to all but its own.
CollectiveStep
TreeStep(CollectiveKind kind, std::uint32_t members, std::uint32_t, std::uint32_t step)
{
    const std::uint32_t count = TreeSteps(members);
    const bool isScatter = kind == CollectiveKind::ReduceScatter ||
                           (kind == CollectiveKind::AllReduce && step < count);
    const std::uint32_t power = 1u << (isScatter ? count - 1 - step : step % count);
    return {isScatter ? power : members - power, power, std::min(power, members - power)};
}

} // namespace

const CollectiveAlgorithm treeCollective = {
    "tree",
    "ceil(log2 n) steps to members 1, 2, 4, ... away (NCCL's PAT)",
    TreeSteps,
    TreeStep,
    false,
    nullptr};

} // namespace geotrain
