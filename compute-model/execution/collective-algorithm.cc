// SPDX-License-Identifier: GPL-2.0-only
#include "execution/collective-algorithm.h"

#include <set>

namespace geotrain
{

Bytes
CollectiveStep::SizeOf(Bytes size, std::uint32_t members) const
{
    // Part j is [j size / n, (j + 1) size / n).
    const auto until = [&](std::uint32_t part)
    { return static_cast<WideInteger>(size.Count()) * part / members; };
    return Bytes::Of(static_cast<std::int64_t>(until(first + parts) - until(first)));
}

std::uint32_t
CollectiveAlgorithm::Steps(CollectiveKind kind, GroupShape shape) const
{
    return (kind == CollectiveKind::AllReduce ? 2 : 1) * halfSteps(shape);
}

std::vector<std::uint32_t>
CollectiveAlgorithm::Distances(CollectiveKind kind, GroupShape shape) const
{
    std::set<std::uint32_t> distances;
    for (std::uint32_t number = 0; number < Steps(kind, shape); ++number)
    {
        const CollectiveStep step = stepOf(kind, shape, 0, number);
        if (!step.staysInNode)
        {
            distances.insert(step.distance);
        }
    }
    return {distances.begin(), distances.end()};
}

} // namespace geotrain
