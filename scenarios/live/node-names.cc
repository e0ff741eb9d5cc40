// SPDX-License-Identifier: GPL-2.0-only
#include "live/node-names.h"

#include "live-wan/model/live-addresses.h"
#include "loader/nearest-names.h"
#include "units/config-error.h"
#include "units/text-pattern.h"

#include <fmt/format.h>

#include <algorithm>

namespace geotrain
{

namespace
{

std::uint32_t
FirstNodeOfSite(std::size_t site, const WanTopology& topology)
{
    std::uint32_t first = 0;
    for (std::size_t before = 0; before < site; ++before)
    {
        first += topology.sites[before].nodes;
    }
    return first;
}

} // namespace

std::uint32_t
NodeCalled(const std::string& name, const WanTopology& topology, const std::string& option)
{
    const auto slash = name.rfind('/');
    const std::string siteName = name.substr(0, slash);
    const std::string number = slash == std::string::npos ? "" : name.substr(slash + 1);
    std::vector<std::string> known;
    for (std::size_t site = 0; site < topology.sites.size(); ++site)
    {
        const auto& candidate = topology.sites[site];
        known.push_back(candidate.name);
        if (candidate.name != siteName)
        {
            continue;
        }
        const bool isNumber = !number.empty() && number.size() < 7 &&
                              number.find_first_not_of("0123456789") == std::string::npos;
        if (!isNumber || std::stoul(number) >= candidate.nodes)
        {
            throw ConfigError(
                option,
                "",
                name,
                fmt::format("must be {0}/N with N below {1}, the number of {0}'s nodes",
                            candidate.name,
                            candidate.nodes));
        }
        return FirstNodeOfSite(site, topology) + static_cast<std::uint32_t>(std::stoul(number));
    }
    throw ConfigError(option, "", name, UnknownName("data centre", siteName, known));
}

std::string
NameOfNode(std::uint32_t node, const WanTopology& topology)
{
    const auto site = topology.SiteOf(node);
    return fmt::format("{}/{}", topology.sites[site].name, node - FirstNodeOfSite(site, topology));
}

std::string
WithAddresses(const std::string& text, const WanTopology& topology, const std::string& option)
{
    static const TextPattern node(R"(\{([^{}]+)/[0-9]+\})");
    const auto& sites = topology.sites;
    std::string replaced;
    std::size_t rest = 0;
    for (auto match = node.FindIn(text); !match.empty(); match = node.FindIn(text, rest))
    {
        const std::string whole(match[0]);
        const std::string site(match[1]);
        const auto begin = static_cast<std::size_t>(match[0].data() - text.data());
        replaced += text.substr(rest, begin - rest);
        rest = begin + whole.size();
        const bool isKnown = std::any_of(
            sites.begin(), sites.end(), [&site](const auto& known) { return known.name == site; });
        // A program in braces, such as awk's {print $1/2}, has spaces; a misspelt node has none.
        const bool isNode = isKnown || site.find_first_of(" \t\n") == std::string::npos;
        replaced += isNode ? ns3::LiveAddresses::TextOf(
                                 NodeCalled(whole.substr(1, whole.size() - 2), topology, option))
                           : whole;
    }
    return replaced + text.substr(rest);
}

std::pair<std::string, std::string>
NodeAndCommand(const std::string& text, const WanTopology& topology)
{
    std::size_t colon = text.find(':');
    for (const auto& site : topology.sites)
    {
        // A name may have colons itself.
        const bool begins = text.rfind(site.name + "/", 0) == 0;
        colon = begins ? text.find(':', site.name.size()) : colon;
    }
    const auto command = text.find_first_not_of(" :", colon);
    if (colon == std::string::npos || command == std::string::npos)
    {
        throw ConfigError("--exec", "", text, "must be NODE: COMMAND, such as 'dc-a/0: iperf3 -s'");
    }
    return {text.substr(0, colon), text.substr(command)};
}

} // namespace geotrain
