// SPDX-License-Identifier: GPL-2.0-only
#include "analytic/nic-queues.h"

#include <algorithm>
#include <limits>

namespace geotrain
{

namespace
{

/// What waits at a NIC for at most this share of the shortest delay over the WAN decides nothing.
constexpr double shareOfDelay = 1.0 / 20;

/// A Load is what all pairs bring to a NIC or a port.
struct Load
{
    int users = 0;
    double bitsPerSecond = 0;
    double bits = 0; ///< that may wait: in flight of the pairs that nothing else holds back

    void Add(BitRate slowestBeside, BitRate rate, Bytes inFlight)
    {
        ++users;
        bitsPerSecond += static_cast<double>(slowestBeside.ToBitsPerSecond());
        bits += slowestBeside < rate ? 0 : 8 * static_cast<double>(inFlight.Count());
    }
};

/// Returns the rate of the slowest resource on a pair's way but `nic`.
BitRate
SlowestBeside(std::size_t nic, const Resources& resources, const NodePair& pair)
{
    BitRate slowest = BitRate::BitsPerSecond(std::numeric_limits<std::int64_t>::max());
    for (const std::size_t resource : resources.Of(pair.first, pair.second))
    {
        slowest = resource == nic ? slowest : std::min(slowest, resources.Rates()[resource]);
    }
    return slowest;
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
FindSharedNics(const Resources& resources,
               const std::vector<NodePair>& pairs,
               const std::function<Bytes(const NodePair&)>& mostInFlight)
{
    const auto& rates = resources.Rates();
    std::vector<Load> loads(rates.size());
    double delay = std::numeric_limits<double>::infinity(); // the shortest over the WAN, in seconds
    for (const NodePair& pair : pairs)
    {
        if (resources.CrossesWan(pair.first, pair.second))
        {
            delay = std::min(delay, resources.Delay(pair.first, pair.second).ToSeconds());
        }
        for (const std::size_t nic : {NicOf(resources, pair), resources.PortOf(pair.second)})
        {
            loads[nic].Add(SlowestBeside(nic, resources, pair), rates[nic], mostInFlight(pair));
        }
    }
    std::vector<bool> shared(rates.size());
    for (std::size_t nic = 0; nic < shared.size(); ++nic)
    {
        const auto rate = static_cast<double>(rates[nic].ToBitsPerSecond());
        const bool isPort = resources.KindOf(nic) == Resources::Kind::Destination;
        shared[nic] = loads[nic].users > (isPort ? 0 : 1) && loads[nic].bitsPerSecond > rate &&
                      loads[nic].bits > rate * delay * shareOfDelay;
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
