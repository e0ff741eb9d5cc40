// SPDX-License-Identifier: GPL-2.0-only
#include "in-network/in-network-settings.h"

#include "in-network/setting-check.h"

#include <algorithm>

namespace geotrain
{

std::vector<TreePlace>
PlacesBelow(std::uint32_t parents, std::uint32_t children)
{
    std::vector<TreePlace> places;
    for (std::uint32_t child = 0; child < children; ++child)
    {
        const auto parent = static_cast<std::uint32_t>(std::uint64_t{child} * parents / children);
        const bool isSibling = child > 0 && places.back().parent == parent;
        places.push_back({parent, isSibling ? places.back().number + 1 : 0});
    }
    return places;
}

std::uint32_t
InNetworkClusterSettings::MostChildren() const
{
    std::uint32_t most = 0;
    std::uint32_t children = workers;
    for (const std::uint32_t parents : switches)
    {
        for (const TreePlace& place : PlacesBelow(parents, children))
        {
            most = std::max(most, place.number + 1);
        }
        children = parents;
    }
    return most;
}

std::uint32_t
InNetworkClusterSettings::OwnWorkers() const
{
    return workers - static_cast<std::uint32_t>(relayed.size());
}

std::string
InNetworkClusterSettings::NameOf(std::uint32_t worker) const
{
    return worker < OwnWorkers() ? "worker " + std::to_string(firstWorker + worker)
                                 : "relay to " + relayed[worker - OwnWorkers()].name;
}

std::string
InNetworkClusterSettings::NameOfServer(std::uint32_t number) const
{
    return (isRelayed ? "relay of " + name + " to server " : "server ") + std::to_string(number);
}

std::string
InNetworkClusterSettings::LinkName(const std::string& link) const
{
    return name.empty() ? link : name + ": " + link;
}

void
InNetworkClusterSettings::Check(const char* path) const
{
    const SettingCheck check(path);
    std::uint32_t children = workers;
    for (const std::uint32_t parents : switches)
    {
        check.Require(parents > 0 && parents <= children,
                      "switches",
                      std::to_string(parents),
                      "must be at most the number of what is below, " + std::to_string(children));
        children = parents;
    }
    check.Require(!switches.empty() && children == 1,
                  "switches",
                  std::to_string(children),
                  "must end with one root, 1");
    const bool isResult =
        aggregation.acknowledgement == AggregationSettings::Acknowledgement::Result;
    check.Require(!isResult || (servers == 1 && !addsAtServer),
                  "servers",
                  std::to_string(servers),
                  "must be 1 where sums go back to the workers, which need no server");
    const bool isEach =
        aggregation.acknowledgement == AggregationSettings::Acknowledgement::EachPacket;
    const bool isBaseline = isEach || addsAtServer;
    check.Require(!isBaseline || servers == 1,
                  "servers",
                  std::to_string(servers),
                  "must be 1 where each packet is acknowledged or the server adds");
    check.Require(!isBaseline || switches.size() == 1,
                  "switches",
                  std::to_string(switches.size()),
                  "must be one where each packet is acknowledged or the server adds");
    aggregation.Check(MostChildren(), servers, path);
    if (!isRelayed)
    {
        server.Check(serverRate, path);
    }
}

} // namespace geotrain
