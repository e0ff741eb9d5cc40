// SPDX-License-Identifier: GPL-2.0-only
#include "analytic/nic-queues.h"

#include <algorithm>

namespace geotrain
{

namespace
{

/// Returns the resource through which all goes that a node sends to another: its NIC.
std::size_t
NicOf(const Resources& resources, const NodePair& pair)
{
    return resources.Of(pair.first, pair.second).front();
}

/// Adds the source's NIC ahead of the hops and the destination's port behind them, where they are queues. `delay` is
/// that of the whole way.
void
AddNics(std::vector<AnalyticPath::Hop>& hops,
        Duration delay,
        const Resources& resources,
        const std::vector<bool>& shared,
        const NodePair& pair)
{
    const std::size_t nic = NicOf(resources, pair);
    const std::size_t port = resources.PortOf(pair.second);
    if (shared[nic])
    {
        hops.insert(hops.begin(), {nic, Duration()});
    }
    if (shared[port])
    {
        for (const AnalyticPath::Hop& hop : hops)
        {
            delay = delay - hop.delay;
        }
        hops.push_back({port, delay});
    }
}

} // namespace

std::vector<bool>
FindSharedNics(const Resources& resources, const std::vector<NodePair>& pairs)
{
    std::vector<int> users(resources.Rates().size());
    std::vector<bool> shared(users.size());
    for (const NodePair& pair : pairs)
    {
        const std::size_t nic = NicOf(resources, pair);
        const std::size_t port = resources.PortOf(pair.second);
        ++users[nic];
        ++users[port];
        shared[nic] = users[nic] > 1;
        shared[port] =
            shared[port] || users[port] > 1 || resources.Rates()[port] < resources.Rates()[nic];
    }
    return shared;
}

void
QueueAtNics(AnalyticPath& path,
            const Resources& resources,
            const std::vector<bool>& shared,
            const NodePair& pair)
{
    if (!path.IsLimitedByWindow())
    {
        return;
    }
    const std::size_t nic = NicOf(resources, pair);
    const std::size_t port = resources.PortOf(pair.second);
    const BitRate rate = resources.Rates()[nic];
    const auto isLeftOut = [&](std::size_t link)
    {
        const bool isOfNode = resources.KindOf(link) == Resources::Kind::Source ||
                              resources.KindOf(link) == Resources::Kind::Destination;
        const bool limits = link == nic ? !shared[nic] : resources.Rates()[link] < rate;
        return isOfNode && (link == port || !limits);
    };
    if (shared[nic] || shared[port])
    {
        path.links.erase(std::remove_if(path.links.begin(), path.links.end(), isLeftOut),
                         path.links.end());
        path.port.reset();
    }
    AddNics(path.hops, path.delay, resources, shared, pair);
    AddNics(
        path.returnHops, path.roundTrip - path.delay, resources, shared, {pair.second, pair.first});
}

} // namespace geotrain
