// SPDX-License-Identifier: GPL-2.0-only
#include "wan/wan-topology.h"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace geotrain
{

namespace
{

/// Returns the names of the two directions of the link that is the `number`th between its sites.
std::pair<std::string, std::string>
NamesOf(const std::vector<WanTopology::Site>& sites, const WanTopology::Link& link, int number)
{
    const std::string suffix = number == 1 ? "" : " #" + std::to_string(number);
    const std::string& from = sites.at(link.from).name;
    const std::string& to = sites.at(link.to).name;
    return {from + " -> " + to + suffix, to + " -> " + from + suffix};
}

} // namespace

BitRate
WanTopology::Link::RateOf(bool forward) const
{
    return forward ? rate : rateBack.value_or(rate);
}

Duration
WanTopology::Link::DelayOf(bool forward) const
{
    return forward ? delay : delayBack.value_or(delay);
}

const RateSchedule&
WanTopology::Link::RatesOf(bool forward) const
{
    return forward || !ratesBack ? rates : *ratesBack;
}

Duration
WanTopology::Link::RoundTrip() const
{
    return DelayOf(true) + DelayOf(false);
}

std::uint32_t
WanTopology::NodeCount() const
{
    std::uint32_t count = 0;
    for (const Site& site : sites)
    {
        count += site.nodes;
    }
    return count;
}

std::uint32_t
WanTopology::SiteOf(std::uint32_t node) const
{
    std::uint32_t first = 0;
    for (std::uint32_t site = 0; site < sites.size(); ++site)
    {
        first += sites[site].nodes;
        if (node < first)
        {
            return site;
        }
    }
    throw std::invalid_argument("WanTopology::SiteOf: no such node");
}

std::pair<std::string, std::string>
WanTopology::NamesOfLink(std::size_t link) const
{
    const Link& named = links.at(link);
    int number = 1;
    for (std::size_t other = 0; other < link; ++other)
    {
        const bool isParallel =
            std::minmax(links[other].from, links[other].to) == std::minmax(named.from, named.to);
        number += isParallel ? 1 : 0;
    }
    return NamesOf(sites, named, number);
}

std::vector<std::pair<std::string, std::string>>
WanTopology::NamesOfLinks() const
{
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> numbers; // of links by their sites
    std::vector<std::pair<std::string, std::string>> names;
    for (const Link& link : links)
    {
        const int number = ++numbers[std::minmax(link.from, link.to)];
        names.push_back(NamesOf(sites, link, number));
    }
    return names;
}

} // namespace geotrain
