// SPDX-License-Identifier: GPL-2.0-only
#include "topology-import/opposite-arcs.h"

#include <deque>
#include <map>
#include <tuple>

namespace geotrain
{

std::vector<JoinedArc>
JoinOpposites(const std::vector<WanTopology::Link>& arcs)
{
    using Key = std::tuple<std::uint32_t, std::uint32_t, BitRate, Duration, double>;
    std::vector<JoinedArc> joined;
    std::vector<bool> isJoined(arcs.size(), false);
    for (const bool alike : {true, false})
    {
        std::map<Key, std::deque<std::size_t>> waiting; // arcs by what their opposites must be
        for (std::size_t i = 0; i < arcs.size(); ++i)
        {
            const auto& arc = arcs[i];
            const auto key = [&](std::uint32_t from, std::uint32_t to) {
                return alike ? Key(from, to, arc.rate, arc.delay, arc.lossRate)
                             : Key(from, to, {}, {}, 0);
            };
            const auto opposites = waiting.find(key(arc.from, arc.to));
            if (isJoined[i])
            {
                continue;
            }
            if (opposites == waiting.end())
            {
                waiting[key(arc.to, arc.from)].push_back(i);
                continue;
            }
            const std::size_t forward = opposites->second.front();
            joined.push_back({forward, i});
            isJoined[forward] = isJoined[i] = true;
            opposites->second.pop_front();
            if (opposites->second.empty())
            {
                waiting.erase(opposites);
            }
        }
    }
    for (std::size_t i = 0; i < arcs.size(); ++i)
    {
        if (!isJoined[i])
        {
            joined.push_back({i, std::nullopt});
        }
    }
    return joined;
}

} // namespace geotrain
