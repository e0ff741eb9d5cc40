// SPDX-License-Identifier: GPL-2.0-only
#include "execution/ring-collective.h"

namespace geotrain
{

namespace
{

std::uint32_t
RingSteps(GroupShape shape)
{
    return shape.members - 1;
}

/// Member i sends part i - k in step k of the reduce-scatter, and goes on with part i + 1 - k' in step
/// k' of the all-gather, which is the same modulo n.
CollectiveStep
RingStep(CollectiveKind, GroupShape shape, std::uint32_t member, std::uint32_t step)
{
    const std::uint32_t members = shape.members;
    return {1, (member + 2 * members - step % members) % members, 1};
}

} // namespace

const CollectiveAlgorithm ringCollective = {
    "ring", "n - 1 steps of an n-th to the next member", RingSteps, RingStep, true, nullptr};

} // namespace geotrain
