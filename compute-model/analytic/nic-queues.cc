// SPDX-License-Identifier: GPL-2.0-only
#include "analytic/nic-queues.h"

#include <algorithm>

namespace geotrain
{

namespace
{

/// A Load is what pairs bring to a NIC or a port.
struct Load
{
    int users = 0;
    double bitsPerSecond = 0;
    double inFlight = 0; ///< bits

    void Add(const Flight& flight, double brought)
    {
        ++users;
        bitsPerSecond += brought;
        inFlight += 8 * static_cast<double>(flight.most.Count());
    }
};

/// The Loads of a NIC are that of pairs that could fill it alone, and that of the others.
struct Loads
{
    Load fast;
    Load slow;
    bool crossWan = false; ///< one of the pairs does

    /// Returns how much may wait at a NIC of this rate, in bits. What is held back waits elsewhere, unless the NIC is too
    /// slow for it alone.
    double Waiting(double bitsPerSecond) const
    {
        return fast.inFlight + (slow.bitsPerSecond > bitsPerSecond ? slow.inFlight : 0);
    }
};

/// Returns the most that a pair brings to its destination's port, in bits per second.
double
BroughtToPort(const Flight& flight, const Resources& resources, const NodePair& pair)
{
    const std::size_t port = resources.PortOf(pair.second);
    double most = flight.bitsPerSecond;
    for (const std::size_t resource : resources.Of(pair.first, pair.second))
    {
        const auto rate = static_cast<double>(resources.Rates()[resource].ToBitsPerSecond());
        most = resource == port ? most : std::min(most, rate);
    }
    return most;
}

/// Returns the resource through which all goes that a node sends to another: its NIC.
std::size_t
NicOf(const Resources& resources, const NodePair& pair)
{
    return resources.Of(pair.first, pair.second).front();
}

/// Adds the source's NIC ahead of the hops and the destination's port behind them, where they are queues. `delay` is
/// that of the whole way.
void
AddNics(std::vector<AnalyticRoute::Hop>& hops,
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
        for (const AnalyticRoute::Hop& hop : hops)
        {
            delay = delay - hop.delay;
        }
        hops.push_back({port, delay});
    }
}

} // namespace

std::vector<bool>
FindSharedNics(const Resources& resources,
               const std::vector<NodePair>& pairs,
               const std::function<Flight(const NodePair&)>& flightOf,
               Duration waitThatCounts)
{
    const auto rateOf = [&resources](std::size_t nic)
    { return static_cast<double>(resources.Rates()[nic].ToBitsPerSecond()); };
    std::vector<Loads> loads(resources.Rates().size());
    for (const NodePair& pair : pairs)
    {
        const Flight flight = flightOf(pair);
        const auto add = [&](std::size_t nic, double brought)
        {
            Load& load = brought < rateOf(nic) ? loads[nic].slow : loads[nic].fast;
            load.Add(flight, brought);
            loads[nic].crossWan =
                loads[nic].crossWan || resources.CrossesWan(pair.first, pair.second);
        };
        add(NicOf(resources, pair), flight.bitsPerSecond);
        add(resources.PortOf(pair.second), BroughtToPort(flight, resources, pair));
    }
    std::vector<bool> shared(loads.size());
    bool any = false; // whose pairs cross the WAN
    for (std::size_t nic = 0; nic < shared.size(); ++nic)
    {
        const auto& [fast, slow, crossWan] = loads[nic];
        const bool isPort = resources.KindOf(nic) == Resources::Kind::Destination;
        shared[nic] = fast.users + slow.users > (isPort ? 0 : 1) &&
                      fast.bitsPerSecond + slow.bitsPerSecond > rateOf(nic) &&
                      loads[nic].Waiting(rateOf(nic)) > rateOf(nic) * waitThatCounts.ToSeconds();
        any = any || (shared[nic] && crossWan);
    }
    return any ? shared : std::vector<bool>(loads.size());
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
    }
    const auto addNics = [&](AnalyticRoute& route)
    {
        AddNics(route.hops, route.delay, resources, shared, pair);
        AddNics(route.returnHops,
                route.roundTrip - route.delay,
                resources,
                shared,
                {pair.second, pair.first});
    };
    addNics(path);
    std::for_each(path.routes.begin(), path.routes.end(), addNics);
}

} // namespace geotrain
