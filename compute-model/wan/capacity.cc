// SPDX-License-Identifier: GPL-2.0-only
// Every pair demands what it would get alone. What a link can't give is taken off all of its pairs
// alike.
#include "wan/capacity.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

/// A Demand is the resources that a directed pair uses, and the rate that it would get alone.
struct Demand
{
    std::vector<std::size_t> resources;
    double bitsPerSecond = 0;
};

} // namespace

double
UsableWanCapacity(const WanTopology& topology,
                  const std::vector<NodePair>& pairs,
                  std::shared_ptr<const WanPaths> paths)
{
    const Resources resources(topology, pairs, std::move(paths));
    std::vector<Demand> demands;
    std::vector<double> asked(resources.Rates().size(), 0);
    for (const auto& [source, destination] : pairs)
    {
        if (!resources.CrossesWan(source, destination))
        {
            continue;
        }
        Demand demand{resources.Of(source, destination), 1e300};
        for (const auto index : demand.resources)
        {
            const auto rate = static_cast<double>(resources.Rates()[index].ToBitsPerSecond());
            demand.bitsPerSecond = std::min(demand.bitsPerSecond, rate);
        }
        for (const auto index : demand.resources)
        {
            asked[index] += demand.bitsPerSecond;
        }
        demands.push_back(demand);
    }
    double capacity = 0;
    for (const auto& demand : demands)
    {
        double share = 1;
        for (const auto index : demand.resources)
        {
            const auto rate = static_cast<double>(resources.Rates()[index].ToBitsPerSecond());
            if (resources.KindOf(index) == Resources::Kind::WanLink)
            {
                share = std::min(share, rate / asked[index]);
            }
        }
        capacity += demand.bitsPerSecond * share;
    }
    return capacity;
}

} // namespace geotrain
