// SPDX-License-Identifier: GPL-2.0-only
#include "execution/all-to-all.h"

namespace geotrain
{

namespace
{

std::uint32_t
OtherMembers(GroupShape shape)
{
    return shape.members - 1;
}

CollectiveStep
PartOfOther(CollectiveKind, GroupShape shape, std::uint32_t member, std::uint32_t step)
{
    return {step + 1, (member + step + 1) % shape.members, 1};
}

} // namespace

const CollectiveAlgorithm allToAllCollective = {
    "all-to-all",
    "an n-th to each of the n - 1 others at once: tokens of shared experts",
    OtherMembers,
    PartOfOther,
    false,
    nullptr,
    true};

} // namespace geotrain
