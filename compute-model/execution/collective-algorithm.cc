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
CollectiveAlgorithm::Steps(CollectiveKind kind, std::uint32_t members) const
{
    return (kind == CollectiveKind::AllReduce ? 2 : 1) * halfSteps(members);
}

std::vector<std::uint32_t>
CollectiveAlgorithm::Distances(CollectiveKind kind, std::uint32_t members) const
{
    std::set<std::uint32_t> distances;
    for (std::uint32_t step = 0; step < Steps(kind, members); ++step)
    {
        distances.insert(stepOf(kind, members, 0, step).distance);
    }
    return {distances.begin(), distances.end()};
}

} // namespace geotrain
