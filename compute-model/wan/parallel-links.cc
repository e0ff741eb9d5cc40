// SPDX-License-Identifier: GPL-2.0-only
#include "wan/parallel-links.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>

namespace geotrain
{

namespace
{

/// Ends, rate and delay of links that share, or the index of one that shares with none.
using GroupKey =
    std::tuple<std::uint32_t, std::uint32_t, std::int64_t, std::int64_t, std::uint32_t>;

GroupKey
KeyOf(const WanTopology& topology, std::uint32_t index, bool forward)
{
    const WanTopology::Link& link = topology.links[index];
    const bool isDirect = topology.routing == WanRouting::Direct;
    return {forward ? link.from : link.to,
            forward ? link.to : link.from,
            topology.routing == WanRouting::Widest ? link.RateOf(forward).ToBitsPerSecond() : 0,
            isDirect ? 0 : link.DelayOf(forward).ToNanoseconds(),
            topology.parallel == ParallelLinks::Share ? 0 : index};
}

} // namespace

LinkGroups::LinkGroups(const WanTopology& topology)
{
    std::map<GroupKey, std::size_t> groups;
    for (std::uint32_t link = 0; link < topology.links.size(); ++link)
    {
        for (const bool forward : {true, false})
        {
            const std::size_t group =
                groups.try_emplace(KeyOf(topology, link, forward), m_groups.size()).first->second;
            m_groups.resize(std::max(m_groups.size(), group + 1));
            m_groups[group].push_back({link, forward});
            m_groupOf.push_back(group);
        }
    }
}

const std::vector<WanHop>&
LinkGroups::Of(const WanHop& of) const
{
    return m_groups[m_groupOf.at(2 * of.link + (of.forward ? 0 : 1))];
}

WanHop
ChooseCarrier(const WanTopology& topology, const std::vector<WanHop>& sharing, double draw)
{
    const auto rateOf = [&](const WanHop& hop)
    { return static_cast<double>(topology.links[hop.link].RateOf(hop.forward).ToBitsPerSecond()); };
    double left = 0;
    for (const WanHop& hop : sharing)
    {
        left += draw * rateOf(hop);
    }
    for (const WanHop& hop : sharing)
    {
        left -= rateOf(hop);
        if (left < 0)
        {
            return hop;
        }
    }
    return sharing.back();
}

} // namespace geotrain
