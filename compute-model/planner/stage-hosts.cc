// SPDX-License-Identifier: GPL-2.0-only
#include "planner/stage-hosts.h"

#include "training-plan/cluster-ways.h"

#include <algorithm>

namespace geotrain
{

namespace
{

constexpr std::size_t mostToPermute = 4; // they have 64 ordered choices; five have 325

std::vector<std::vector<std::uint32_t>>
AllOrders(const std::vector<std::uint32_t>& dataCenters)
{
    std::vector<std::vector<std::uint32_t>> orders;
    for (std::uint32_t choice = 1; choice < (1u << dataCenters.size()); ++choice)
    {
        std::vector<std::uint32_t> order;
        for (std::uint32_t index = 0; index < dataCenters.size(); ++index)
        {
            if ((choice >> index & 1u) != 0)
            {
                order.push_back(dataCenters[index]);
            }
        }
        std::sort(order.begin(), order.end());
        do
        {
            orders.push_back(order);
        } while (std::next_permutation(order.begin(), order.end()));
    }
    return orders;
}

/// Returns an order that goes from the first one always to the nearest of the rest.
std::vector<std::uint32_t>
AlongNearest(const ClusterWays& ways, std::vector<std::uint32_t> order)
{
    for (std::size_t next = 1; next < order.size(); ++next)
    {
        const std::uint32_t last = order[next - 1];
        const auto nearest =
            std::min_element(order.begin() + static_cast<std::ptrdiff_t>(next),
                             order.end(),
                             [&ways, last](std::uint32_t a, std::uint32_t b)
                             { return ways.Between(last, a).delay < ways.Between(last, b).delay; });
        std::iter_swap(order.begin() + static_cast<std::ptrdiff_t>(next), nearest);
    }
    return order;
}

} // namespace

std::uint64_t
StageCapacity(const Cluster& cluster,
              std::uint32_t dataCenter,
              std::uint32_t width,
              std::uint32_t replicas)
{
    return cluster.GroupsOf(dataCenter, width) / replicas;
}

std::vector<std::uint32_t>
ByGpusDescending(const Cluster& cluster)
{
    std::vector<std::uint32_t> order;
    for (std::uint32_t index = 0; index < cluster.dataCenters.size(); ++index)
    {
        if (cluster.GpusOf(index) > 0)
        {
            order.push_back(index);
        }
    }
    std::stable_sort(order.begin(),
                     order.end(),
                     [&cluster](std::uint32_t a, std::uint32_t b)
                     { return cluster.GpusOf(a) > cluster.GpusOf(b); });
    return order;
}

std::vector<TrainingPlan::Host>
FillInOrder(const std::vector<std::uint32_t>& order,
            const std::vector<std::uint64_t>& capacities,
            std::uint32_t stages)
{
    std::vector<TrainingPlan::Host> hosts;
    for (const std::uint32_t dataCenter : order)
    {
        const auto count =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(stages, capacities[dataCenter]));
        if (count > 0)
        {
            hosts.push_back({dataCenter, count});
        }
        stages -= count;
    }
    return hosts;
}

std::vector<TrainingPlan::Host>
SpreadEvenly(const std::vector<std::uint32_t>& order,
             const std::vector<std::uint64_t>& capacities,
             std::uint32_t stages)
{
    std::vector<TrainingPlan::Host> hosts;
    for (const std::uint32_t dataCenter : order)
    {
        hosts.push_back({dataCenter, 0});
    }
    // Each stage goes to the data centre that has fewest and room for more.
    for (; stages > 0; --stages)
    {
        TrainingPlan::Host* emptiest = nullptr;
        for (auto& host : hosts)
        {
            const bool hasRoom = host.count < capacities[host.dataCenter];
            if (hasRoom && (emptiest == nullptr || host.count < emptiest->count))
            {
                emptiest = &host;
            }
        }
        if (emptiest == nullptr)
        {
            return {};
        }
        ++emptiest->count;
    }
    const bool allHost =
        std::all_of(hosts.begin(), hosts.end(), [](const auto& host) { return host.count > 0; });
    return allHost ? hosts : std::vector<TrainingPlan::Host>();
}

std::vector<std::vector<std::uint32_t>>
OrdersToTry(const Cluster& cluster)
{
    const auto largestFirst = ByGpusDescending(cluster);
    if (largestFirst.size() <= mostToPermute)
    {
        return AllOrders(largestFirst);
    }
    const ClusterWays ways(cluster);
    std::vector<std::vector<std::uint32_t>> orders;
    for (std::size_t count = 1; count <= largestFirst.size(); ++count)
    {
        const std::vector<std::uint32_t> largest(
            largestFirst.begin(), largestFirst.begin() + static_cast<std::ptrdiff_t>(count));
        orders.push_back(largest);
        const auto nearest = AlongNearest(ways, largest);
        if (nearest != largest)
        {
            orders.push_back(nearest);
        }
    }
    return orders;
}

} // namespace geotrain
