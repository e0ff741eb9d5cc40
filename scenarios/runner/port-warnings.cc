// SPDX-License-Identifier: GPL-2.0-only
#include "runner/port-warnings.h"

#include "wan/resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace geotrain
{

namespace
{

/// A Sender is a node that sends to another one, as its pair's path lets it.
struct Sender
{
    double rate = 0;    ///< bytes per second, the receiver's port left out
    double message = 0; ///< bytes of the largest one
    double window = 0;  ///< bytes in flight, at most, of all its connections
    bool crossesWan = false;
};

/// Returns the largest message of each pair of nodes that a pipeline uses.
std::map<NodePair, Bytes>
LargestMessages(const ExecutionPlan& plan)
{
    std::map<NodePair, Bytes> largest;
    for (const ExecutionPlan::Worker& worker : plan.workers)
    {
        for (const Instruction& instruction : worker.stream)
        {
            const NodeIndex peer = plan.workers[instruction.peer].node;
            if (instruction.kind == InstructionKind::Send && peer != worker.node)
            {
                Bytes& bytes = largest[{worker.node, peer}];
                bytes = std::max(bytes, instruction.size);
            }
        }
    }
    return largest;
}

Sender
SenderOf(const NodePair& pair,
         Bytes message,
         const Resources& resources,
         const TransportSettings& transport)
{
    Sender sender;
    sender.crossesWan = resources.CrossesWan(pair.first, pair.second);
    sender.message = static_cast<double>(message.Count());
    sender.rate = std::numeric_limits<double>::infinity();
    for (const std::size_t resource : resources.Of(pair.first, pair.second))
    {
        if (resources.KindOf(resource) != Resources::Kind::Destination)
        {
            const BitRate rate = resources.Rates()[resource];
            sender.rate = std::min(sender.rate, static_cast<double>(rate.ToBitsPerSecond()) / 8);
        }
    }
    const std::uint32_t connections =
        sender.crossesWan ? transport.connections : transport.intraDcConnections;
    sender.window = transport.window > Bytes()
                        ? static_cast<double>(transport.window.Count()) * connections
                        : std::numeric_limits<double>::infinity();
    return sender;
}

double
TotalRate(const std::vector<Sender>& senders)
{
    double rate = 0;
    for (const Sender& sender : senders)
    {
        rate += sender.rate;
    }
    return rate;
}

/// Returns the bytes that wait at a port of `rate` bytes per second when all begin to send at once.
/// They grow until the first one has sent its message. Where the others fit in without one of them,
/// what waits is its window w and what the others send meanwhile: x = w + x others / rate.
double
BytesThatWait(const std::vector<Sender>& senders, double rate)
{
    const double all = TotalRate(senders);
    double together = std::numeric_limits<double>::infinity(); // seconds
    double most = std::numeric_limits<double>::infinity();
    for (const Sender& sender : senders)
    {
        together = std::min(together, sender.message / sender.rate);
        const double others = all - sender.rate;
        most = others < rate ? std::min(most, sender.window / (1 - others / rate)) : most;
    }
    return std::min(most, std::max(0.0, all - rate) * together);
}

} // namespace

std::vector<std::string>
WarningsOfPorts(const ExecutionPlan& plan,
                const WanTopology& wan,
                const TransportSettings& transport)
{
    std::vector<NodePair> pairs;
    const auto messages = LargestMessages(plan);
    for (const auto& [pair, message] : messages)
    {
        pairs.push_back(pair);
    }
    const Resources resources(wan, pairs);
    std::map<NodeIndex, std::vector<Sender>> sendersTo;
    for (const auto& [pair, message] : messages)
    {
        sendersTo[pair.second].push_back(SenderOf(pair, message, resources, transport));
    }
    double most = static_cast<double>(wan.portQueue.Count());
    std::vector<std::string> warnings;
    for (const auto& [node, senders] : sendersTo)
    {
        const bool hasWan = std::any_of(
            senders.begin(), senders.end(), [](const Sender& sender) { return sender.crossesWan; });
        const WanTopology::Site& site = wan.sites[wan.SiteOf(node)];
        const double rate = static_cast<double>(site.nicRate.ToBitsPerSecond()) / 8;
        const double waiting = BytesThatWait(senders, rate);
        if (hasWan && waiting > most)
        {
            most = waiting;
            warnings = {fmt::format(
                "nodes of \"{}\" are sent up to {:.3g} Gbit/s where their NIC takes {:.3g}, and "
                "some "
                "{:.0f} MB would wait at a port that holds {:.0f} MB: packets are lost there, and "
                "windows over the WAN stay smaller, which the analytic network does not show",
                site.name,
                TotalRate(senders) * 8e-9,
                rate * 8e-9,
                waiting / 1e6,
                static_cast<double>(wan.portQueue.Count()) / 1e6)};
        }
    }
    return warnings;
}

} // namespace geotrain
