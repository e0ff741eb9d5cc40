// SPDX-License-Identifier: GPL-2.0-only
#include "analytic/window-meetings.h"

#include <algorithm>
#include <map>

namespace geotrain
{

namespace
{

/// What comes to a queue.
struct Arrivals
{
    std::vector<NodePair> pairs;
    double windowBits = 0; ///< of pairs over the WAN
    Duration longest;      ///< round trip of these
};

} // namespace

std::vector<WindowMeeting>
FindWindowMeetings(const AnalyticTopology& topology, const std::vector<NodePair>& pairs)
{
    std::map<std::size_t, Arrivals> arrivals; // by link
    for (const NodePair& pair : pairs)
    {
        const AnalyticPath path = topology.pathOf(pair.first, pair.second);
        const auto arrive = [&](const AnalyticRoute& route, std::uint32_t connections)
        {
            for (const AnalyticRoute::Hop& hop : route.hops)
            {
                Arrivals& here = arrivals[hop.link];
                if (here.pairs.empty() || here.pairs.back() != pair)
                {
                    here.pairs.push_back(pair);
                }
                if (path.crossesWan)
                {
                    here.windowBits += 8.0 * connections * static_cast<double>(path.window.Count());
                    here.longest = std::max(here.longest, route.roundTrip);
                }
            }
        };
        for (const AnalyticRoute& route : path.routes)
        {
            arrive(route, 1);
        }
        if (path.routes.empty())
        {
            arrive(path, path.connections);
        }
    }
    std::vector<WindowMeeting> meetings;
    for (auto& [link, here] : arrivals)
    {
        const double rate = static_cast<double>(topology.linkRates[link].ToBitsPerSecond());
        const double held = rate * here.longest.ToSeconds();
        if (here.pairs.size() > 1 && here.windowBits > held)
        {
            meetings.push_back({link, std::move(here.pairs), here.windowBits / held});
        }
    }
    std::stable_sort(meetings.begin(),
                     meetings.end(),
                     [](const WindowMeeting& a, const WindowMeeting& b)
                     { return a.windows > b.windows; });
    return meetings;
}

} // namespace geotrain
