#include "runner/wan-capacity.h"

#include "runner/node-pair-resources.h"

#include <algorithm>

namespace geotrain
{

namespace
{

// A directed pair's use of resources, were it alone.
struct Demand
{
    std::vector<std::size_t> resources;
    double bitsPerSecond = 0;
};

} // namespace

double
UsableWanCapacity(const WanTopology& topology, const std::vector<Network::WarmUp>& pairs)
{
    const NodePairResources resources(topology, pairs);
    std::vector<Demand> demands;
    std::vector<double> asked(resources.Rates().size(), 0);
    for (const auto& pair : pairs)
    {
        if (!resources.CrossesWan(pair.source, pair.destination))
        {
            continue;
        }
        Demand demand{resources.Of(pair.source, pair.destination), 1e300};
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
            share = resources.IsWanLink(index) ? std::min(share, rate / asked[index]) : share;
        }
        capacity += demand.bitsPerSecond * share;
    }
    return capacity;
}

} // namespace geotrain
