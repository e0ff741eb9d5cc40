// SPDX-License-Identifier: GPL-2.0-only
// Makes a node pair's path from its resources and the transport's settings.
#include "analytic/analytic-transport.h"

#include "analytic/nic-queues.h"
#include "execution/warm-ups.h"
#include "wan/queue-bytes.h"
#include "wan/resources.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <utility>

namespace geotrain
{

namespace
{

// More connections than these in all may be calculated in groups, and share NICs max-min fairly instead of as queues,
// which takes ten times as long.
constexpr std::size_t mostConnections = 2048;

double
BitsPerSecond(const Resources& resources, std::size_t resource)
{
    return static_cast<double>(resources.Rates()[resource].ToBitsPerSecond());
}

/// Returns per resource whether it is a WAN link to which the pairs' nodes can send more than it
/// carries. No queue builds at another.
std::vector<bool>
FindBusyLinks(const Resources& resources, const std::vector<NodePair>& pairs)
{
    constexpr double none = std::numeric_limits<double>::infinity();
    std::map<std::pair<std::size_t, NodeIndex>, double> offered; // by link and source
    std::map<NodeIndex, double> sends;                           // most per source
    for (const auto& [source, destination] : pairs)
    {
        double most = none;
        double& ofSource = sends.emplace(source, none).first->second;
        for (const std::size_t resource : resources.Of(source, destination))
        {
            const double rate = BitsPerSecond(resources, resource);
            const auto kind = resources.KindOf(resource);
            most = kind == Resources::Kind::WanLink ? most : std::min(most, rate);
            ofSource = kind == Resources::Kind::Source ? std::min(ofSource, rate) : ofSource;
        }
        for (const auto& crossing : resources.Crossings(source, destination))
        {
            offered[{crossing.resource, source}] += most;
        }
    }
    std::vector<double> loads(resources.Rates().size());
    for (const auto& [linkAndSource, rate] : offered)
    {
        loads[linkAndSource.first] += std::min(rate, sends[linkAndSource.second]);
    }
    std::vector<bool> busy(loads.size());
    for (std::size_t resource = 0; resource < loads.size(); ++resource)
    {
        busy[resource] = resources.KindOf(resource) == Resources::Kind::WanLink &&
                         loads[resource] > BitsPerSecond(resources, resource);
    }
    return busy;
}

Bytes
PayloadOf(Bytes wire, double payloadShare)
{
    return Bytes::Of(std::llround(static_cast<double>(wire.Count()) * payloadShare));
}

/// Returns the queues of all WAN links, by resource.
std::vector<LinkQueue::Settings>
LinkQueues(const WanTopology& wan, const Resources& resources, const AnalyticTransport& transport)
{
    const auto roundTrips = resources.Paths().LongestRoundTrips();
    const auto names = wan.NamesOfLinks();
    std::vector<LinkQueue::Settings> queues(resources.Rates().size());
    for (std::uint32_t index = 0; index < wan.links.size(); ++index)
    {
        for (const bool forward : {true, false})
        {
            const WanTopology::Link& link = wan.links[index];
            const Bytes wire =
                QueueBytes(link.queue, link.RateOf(forward), roundTrips[index], wan.mtu);
            LinkQueue::Settings& queue = queues[resources.OfLink({index, forward})];
            queue.limit = static_cast<double>(PayloadOf(wire, transport.payloadShare).Count());
            queue.lossRate = link.lossRate;
            queue.segment = std::max<std::int64_t>(1, transport.connection.segment.Count());
            queue.seed = transport.seed;
            queue.name = forward ? names[index].first : names[index].second;
        }
    }
    return queues;
}

/// Returns what the queue of a pair's caps holds; nothing where it has no caps, or where the source's NIC is no faster
/// than they are: what waits then waits for the NIC, where a host drops nothing.
Bytes
CapQueue(const WanTopology& wan, BitRate nic, Duration roundTrip)
{
    const auto& caps = wan.caps;
    const BitRate most = BitRate::BitsPerSecond(std::numeric_limits<std::int64_t>::max());
    const auto node = caps.nodeEgress ? caps.nodeEgress : caps.nodeIngress;
    const BitRate rate = std::min(caps.nodePair.value_or(most), node.value_or(most));
    return rate == most || !(rate < nic) ? Bytes()
                                         : QueueBytes(caps.queue, rate, roundTrip, wan.mtu);
}

/// Returns what a pair's windows let it send. Pacing is at twice a window per round trip at most, in slow start.
Flight
FlightOf(const AnalyticTransport& transport, bool crossesWan, Duration roundTrip)
{
    constexpr double fastestPacing = 2;
    const Bytes most = transport.connection.window *
                       (crossesWan ? transport.connections : transport.intraDcConnections);
    const double rate =
        fastestPacing * 8 * static_cast<double>(most.Count()) / roundTrip.ToSeconds();
    return {most, rate};
}

/// Returns how long bytes may wait at a NIC before that decides something: a share of the shortest delay over the WAN. The
/// share is our own: of 40 drawn trainings a twentieth moves one by 4 %, and a smaller one than this none.
Duration
WaitThatCounts(const Resources& resources, const std::vector<NodePair>& pairs)
{
    constexpr double shareOfDelay = 1.0 / 50;
    double shortest = std::numeric_limits<double>::infinity(); // in seconds
    for (const auto& [source, destination] : pairs)
    {
        if (resources.CrossesWan(source, destination))
        {
            shortest = std::min(shortest, resources.Delay(source, destination).ToSeconds());
        }
    }
    return Duration::Seconds(shortest * shareOfDelay);
}

/// Returns the NICs that are queues, by resource, and gives these their room. None is where no pair crosses the WAN, or
/// where windows limit nothing inside a data centre, since pairs without them share max-min fairly.
std::vector<bool>
NicQueues(std::vector<LinkQueue::Settings>& queues,
          const WanTopology& wan,
          const Resources& resources,
          const std::vector<NodePair>& pairs,
          const AnalyticTransport& transport)
{
    const auto crossesWan = [&resources](const NodePair& pair)
    { return resources.CrossesWan(pair.first, pair.second); };
    const auto hasRoundTrip = [&resources](const NodePair& pair)
    { return resources.RoundTrip(pair.first, pair.second) > Duration(); };
    std::vector<bool> shared(queues.size());
    if (std::any_of(pairs.begin(), pairs.end(), crossesWan) &&
        std::all_of(pairs.begin(), pairs.end(), hasRoundTrip))
    {
        shared = FindSharedNics(
            resources,
            pairs,
            [&](const NodePair& pair) {
                return FlightOf(
                    transport, crossesWan(pair), resources.RoundTrip(pair.first, pair.second));
            },
            WaitThatCounts(resources, pairs));
    }
    for (std::size_t nic = 0; nic < shared.size(); ++nic)
    {
        if (shared[nic] && resources.KindOf(nic) == Resources::Kind::Destination)
        {
            const Bytes room = PayloadOf(wan.portQueue, transport.payloadShare);
            queues[nic].limit = static_cast<double>(room.Count());
            queues[nic].segment = std::max<std::int64_t>(1, transport.connection.segment.Count());
        }
    }
    return shared;
}

/// Returns a share of one that is another for each pair, evenly spread.
double
PhaseOf(NodeIndex source, NodeIndex destination)
{
    constexpr double goldenRatio = 0.6180339887498949;
    constexpr double rootOfTwo = 0.4142135623730951;
    return std::fmod(source * goldenRatio + destination * rootOfTwo, 1.0);
}

/// Returns the links of a path that may have a queue.
std::vector<AnalyticRoute::Hop>
BusyHops(const std::vector<Resources::Crossing>& crossings, const std::vector<bool>& busy)
{
    std::vector<AnalyticRoute::Hop> hops;
    Duration delay;
    for (const auto& crossing : crossings)
    {
        delay += crossing.delay;
        if (busy[crossing.resource])
        {
            hops.push_back({crossing.resource, delay});
            delay = Duration();
        }
    }
    return hops;
}

/// Takes the WAN links out of what the pair shares max-min fairly. Those that may have a queue
/// become hops, and so do parallel links that share the pair's connections, on the route of each.
void
QueueAtLinks(AnalyticPath& path,
             const Resources& resources,
             const std::vector<bool>& busy,
             const NodePair& pair)
{
    const auto isLink = [&resources](std::size_t resource)
    { return resources.KindOf(resource) == Resources::Kind::WanLink; };
    path.links.erase(std::remove_if(path.links.begin(), path.links.end(), isLink),
                     path.links.end());
    path.hops = BusyHops(resources.Crossings(pair.first, pair.second), busy);
    path.returnHops = BusyHops(resources.Crossings(pair.second, pair.first), busy);
    const auto& [source, destination] = pair;
    const WanPaths& paths = resources.Paths();
    if (!paths.AreShared(source, destination) && !paths.AreShared(destination, source))
    {
        return;
    }
    const std::vector<bool> all(busy.size(), true);
    for (std::uint32_t connection = 0; connection < path.connections; ++connection)
    {
        const double draw = DrawOf(source, destination, connection);
        const Duration there = resources.Delay(source, destination, draw);
        path.routes.push_back({BusyHops(resources.Crossings(source, destination, draw), all),
                               BusyHops(resources.Crossings(destination, source, draw), all),
                               there,
                               there + resources.Delay(destination, source, draw)});
    }
    path.hops = path.routes.front().hops;
    path.mayGroup = false;
}

} // namespace

AnalyticTopology
MakeAnalyticTopology(const WanTopology& wan,
                     const AnalyticTransport& transport,
                     const std::vector<Network::WarmUp>& pairs)
{
    const auto resources = std::make_shared<const Resources>(wan, NodePairsOf(pairs));
    AnalyticTopology topology;
    topology.linkRates = resources->Rates();
    topology.queues = LinkQueues(wan, *resources, transport);
    auto isHop = FindBusyLinks(*resources, NodePairsOf(pairs));
    for (std::size_t link = 0; link < isHop.size(); ++link)
    {
        isHop[link] = isHop[link] || topology.queues[link].lossRate > 0;
    }
    topology.payloadShare = transport.payloadShare;
    const bool mayGroup = pairs.size() * transport.connections > mostConnections;
    std::size_t nodes = 0;
    for (const WanTopology::Site& site : wan.sites)
    {
        nodes += site.nodes;
    }
    // By all nodes, so that a plan, the probes of a search and a run share NICs alike.
    const bool isLarge = mayGroup || nodes * transport.connections > mostConnections;
    const auto isNicQueue =
        isLarge ? std::vector<bool>(isHop.size())
                : NicQueues(topology.queues, wan, *resources, NodePairsOf(pairs), transport);
    topology.pathOf = [resources, transport, isHop, isNicQueue, wan, mayGroup](
                          NodeIndex source, NodeIndex destination)
    {
        AnalyticPath path;
        static_cast<AnalyticConnection&>(path) = transport.connection;
        path.crossesWan = resources->CrossesWan(source, destination);
        if (!path.crossesWan)
        {
            path.mostRate.reset();
        }
        path.connections = path.crossesWan ? transport.connections : transport.intraDcConnections;
        const auto draw =
            path.connections == 1 ? std::optional(DrawOf(source, destination, 0)) : std::nullopt;
        path.links = resources->Of(source, destination, draw);
        const BitRate nic = resources->Rates()[path.links.front()];
        path.delay = resources->Delay(source, destination);
        path.roundTrip = resources->RoundTrip(source, destination);
        path.mayGroup = mayGroup;
        if (!isNicQueue[path.links.front()] && !isNicQueue[path.links.back()])
        {
            LeaveOutLooseWindow(path, resources->Rates());
        }
        if (path.crossesWan && path.IsLimitedByWindow())
        {
            QueueAtLinks(path, *resources, isHop, {source, destination});
            path.dropPhase = PhaseOf(source, destination);
            path.queue = PayloadOf(CapQueue(wan, nic, path.roundTrip), transport.payloadShare);
        }
        QueueAtNics(path, *resources, isNicQueue, {source, destination});
        return path;
    };
    return topology;
}

} // namespace geotrain
