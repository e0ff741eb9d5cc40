// SPDX-License-Identifier: GPL-2.0-only
// Makes two data centres of `nodes` nodes each on the analytic network, with NICs and caps, for
// tests.
#pragma once

#include "analytic/analytic-network.h"

#include <map>

namespace geotrain
{

struct TwoDataCentres
{
    std::uint32_t nodes = 4; ///< nodes of each; those of the second follow those of the first
    BitRate nic = BitRate::GigabitsPerSecond(100);
    BitRate pairCap = BitRate::GigabitsPerSecond(5);
    BitRate nodeCap = BitRate::GigabitsPerSecond(5); ///< egress, and ingress
    Duration wanDelay = Duration::Milliseconds(20);
    Duration intraDelay = Duration::Microseconds(10);
    std::uint32_t wanConnections = 4;

    std::uint32_t DataCentreOf(NodeIndex node) const
    {
        return node / nodes;
    }

    AnalyticTopology Topology() const
    {
        AnalyticTopology topology;
        // The links are NIC out, NIC in, WAN egress and WAN ingress of every node, then a cap for
        // every ordered pair.
        const std::uint32_t all = 2 * nodes;
        topology.linkRates.assign(2 * all, nic);
        topology.linkRates.insert(topology.linkRates.end(), 2 * all, nodeCap);
        topology.linkRates.insert(topology.linkRates.end(), std::size_t{all} * all, pairCap);
        topology.pathOf = [*this, all](NodeIndex source, NodeIndex destination)
        {
            AnalyticPath path;
            path.links = {source, all + destination};
            path.crossesWan = DataCentreOf(source) != DataCentreOf(destination);
            path.delay = path.crossesWan ? wanDelay : intraDelay;
            path.roundTrip = path.delay * 2;
            if (path.crossesWan)
            {
                path.connections = wanConnections;
                path.links.push_back(2 * all + source);
                path.links.push_back(3 * all + destination);
                path.links.push_back(4 * all + source * all + destination);
            }
            return path;
        };
        return topology;
    }
};

/// HeardEvents are a transfer's events by kind.
struct HeardEvents
{
    std::map<TransferEvent::Kind, Instant> at;

    TransferCallback Listener()
    {
        return [this](const TransferEvent& event) { at[event.kind] = event.at; };
    }

    double DeliveredSeconds() const
    {
        return at.at(TransferEvent::Kind::Delivered).ToSeconds();
    }
};

} // namespace geotrain
