// SPDX-License-Identifier: GPL-2.0-only
#include "execution/tree-collectives.h"

#include <algorithm>

namespace geotrain
{

std::vector<std::uint32_t>
TreeDistances(std::uint32_t members)
{
    std::vector<std::uint32_t> distances;
    for (std::uint32_t distance = 1; distance < members; distance *= 2)
    {
        distances.push_back(distance);
    }
    return distances;
}

TreeCollectives::TreeCollectives(MessageLayer& layer)
    : SteppedCollectives(layer, false)
{
}

std::uint32_t
TreeCollectives::StepsOf(const CollectiveRequest& request) const
{
    const auto members = static_cast<std::uint32_t>(request.members.size());
    const auto steps = static_cast<std::uint32_t>(TreeDistances(members).size());
    return request.kind == CollectiveKind::AllReduce ? 2 * steps : steps;
}

SteppedCollectives::Step
TreeCollectives::StepOf(const CollectiveRequest& request,
                        std::uint32_t member,
                        std::uint32_t step) const
{
    const auto members = static_cast<std::uint32_t>(request.members.size());
    const auto distances = TreeDistances(members);
    const auto count = static_cast<std::uint32_t>(distances.size());
    const bool isScatter = request.kind == CollectiveKind::ReduceScatter ||
                           (request.kind == CollectiveKind::AllReduce && step < count);
    const std::uint32_t k = isScatter ? count - 1 - step : step % count;
    const std::uint32_t distance = distances[k];
    // Before this step of an all-gather a member has `distance` pieces; the parts add up to all but
    // its own.
    const std::uint32_t after = std::min(2 * distance, members);
    const auto until = [&](std::uint32_t pieces)
    { return static_cast<WideInteger>(request.size.Count()) * pieces / members; };
    const auto size = static_cast<std::int64_t>(until(after) - until(distance));
    const std::uint32_t to = isScatter ? member + distance : member + members - distance;
    return {to % members, Bytes::Of(size)};
}

} // namespace geotrain
