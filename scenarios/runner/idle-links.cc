// SPDX-License-Identifier: GPL-2.0-only
#include "runner/idle-links.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

namespace geotrain
{

namespace
{

std::string
DescribeLink(const WanTopology& topology, std::uint32_t link)
{
    const WanTopology::Link& found = topology.links[link];
    return fmt::format("wan_link[{}] ({} - {})",
                       link,
                       topology.sites[found.from].name,
                       topology.sites[found.to].name);
}

} // namespace

std::vector<std::string>
WarningsOfIdleLinks(const WanTopology& topology,
                    const WanPaths& paths,
                    const std::vector<NodePair>& pairs,
                    std::uint32_t connections)
{
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<WanHop>> pathOf; // by sites
    std::vector<bool> isUsed(topology.links.size(), false);
    for (const auto& [source, destination] : pairs)
    {
        const std::pair sites(topology.SiteOf(source), topology.SiteOf(destination));
        const auto path = paths.SitePath(sites.first, sites.second);
        if (!path || path->empty())
        {
            continue;
        }
        pathOf.emplace(sites, *path);
        for (std::uint32_t connection = 0; connection < connections; ++connection)
        {
            const double draw = DrawOf(source, destination, connection);
            const auto carriers = paths.SitePath(sites.first, sites.second, draw);
            for (const WanHop& hop : *carriers)
            {
                isUsed[hop.link] = true;
            }
        }
    }
    std::vector<std::string> warnings;
    for (std::uint32_t link = 0; link < topology.links.size(); ++link)
    {
        const WanTopology::Link& ends = topology.links[link];
        auto talk = pathOf.find({ends.from, ends.to});
        talk = talk == pathOf.end() ? pathOf.find({ends.to, ends.from}) : talk;
        if (isUsed[link] || talk == pathOf.end())
        {
            continue;
        }
        std::vector<std::string> way;
        bool shares = false;
        for (const WanHop& hop : paths.AllHops(talk->first.first, talk->first.second))
        {
            shares = shares || hop.link == link;
            if (isUsed[hop.link])
            {
                way.push_back(DescribeLink(topology, hop.link));
            }
        }
        warnings.push_back(
            fmt::format("{} idles though its ends talk: their traffic goes over {}{}",
                        DescribeLink(topology, link),
                        fmt::join(way, ", "),
                        shares ? ", by the hash of its few connections" : ""));
    }
    return warnings;
}

} // namespace geotrain
