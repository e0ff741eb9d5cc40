// SPDX-License-Identifier: GPL-2.0-only
// Describes an in-network optimizer: the machines and links of one data centre, and the relays that
// join several over a WAN.
#pragma once

#include "execution/network.h"
#include "in-network/aggregation-settings.h"
#include "in-network/layer-pipeline.h"
#include "wan/link-impairments.h"

#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// A RelayedSite is a data centre behind a WAN, whose workers' sums a relay brings.
struct RelayedSite
{
    std::string name;
    std::uint32_t firstWorker = 0; ///< number over all data centres
    std::uint32_t workers = 0;
};

/// InNetworkClusterSettings describe the machines and links of one data centre.
struct InNetworkClusterSettings
{
    AggregationSettings aggregation;
    OptimizerServerSettings server;
    std::uint32_t workers = 8;        ///< with a relay for each of `relayed`, the last ones
    std::uint32_t firstWorker = 0;    ///< number of its first worker over all data centres
    std::vector<RelayedSite> relayed; ///< in the servers' data centre: the others
    std::string name;                 ///< of the data centre; empty where there is but one
    bool isRelayed = false;           ///< a relay takes the place of each server
    /// Servers, which split the layers. With Acknowledgement::Result there is none, and this is 1.
    std::uint32_t servers = 1;
    /// Switches of each level, from that above the workers to the root, which is one.
    std::vector<std::uint32_t> switches{1};
    BitRate nicRate = BitRate::GigabitsPerSecond(100);
    BitRate serverRate = BitRate::GigabitsPerSecond(100);
    BitRate trunkRate = BitRate::GigabitsPerSecond(100); ///< between switches
    Duration linkDelay = Duration::Microseconds(1);      ///< of each link
    /// What a worker's host lets its NIC read and write, each; none: the NIC's rate.
    std::optional<BitRate> hostCap;
    bool addsAtServer = false;   ///< true: no switch adds, the server's software does
    LinkImpairments impairments; ///< of each link's two directions
    /// Time from the cluster's making on at which nothing comes from or to the servers any more.
    std::optional<Duration> serversDieAt;
    std::optional<Duration> switchDiesAt; ///< the same for the workers' first switch
    std::uint64_t seed = 1;

    /// Throws ConfigError where a rule is broken.
    void Check(const char* path = "in_network") const;

    /// Returns the children of the switch that has most.
    std::uint32_t MostChildren() const;

    /// Returns the workers that are no relays.
    std::uint32_t OwnWorkers() const;

    /// Returns what `worker`, or the relay in its place, is called.
    std::string NameOf(std::uint32_t worker) const;

    /// Returns what a server, or the relay in its place, is called.
    std::string NameOfServer(std::uint32_t number) const;

    /// Returns the name over all data centres of a link that has `link` in its own.
    std::string LinkName(const std::string& link) const;
};

/// An InNetworkWan joins the data centres of workers to that of the servers. In each of them switches
/// add; a relay at its edge takes the place of the servers, and in the servers' data centre a relay
/// for each other one takes the place of a worker.
struct InNetworkWan
{
    struct Site
    {
        InNetworkClusterSettings cluster;
        NodeIndex relay = 0; ///< node of the relay
        Duration delay;      ///< propagation to the servers' relay
        Bytes roundTrip;     ///< bytes that the WAN holds in a round trip at its rate
    };

    /// A Place is where a worker is.
    struct Place
    {
        std::uint32_t site = 0; ///< 0: with the servers; else one more than the index into `sites`
        std::uint32_t number = 0; ///< there
    };

    std::vector<Site> sites;    ///< data centres without servers
    std::vector<Place> workers; ///< of all data centres
    NodeIndex relay = 0;        ///< node of the relay in the servers' data centre
    Bytes relayBuffer;          ///< of each relay for each stream
    Bytes block;                ///< what relays send at a time
};

/// A TreePlace is where a child of a tree hangs.
struct TreePlace
{
    std::uint32_t parent;
    std::uint32_t number; ///< of the child below its parent
};

/// Returns the places of `children`, of which neighbours share one of `parents`.
std::vector<TreePlace> PlacesBelow(std::uint32_t parents, std::uint32_t children);

} // namespace geotrain
