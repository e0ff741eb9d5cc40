// SPDX-License-Identifier: GPL-2.0-only
#include "wan/wan-validation.h"

#include "wan/impairment-validation.h"
#include "wan/value-checks.h"

#include "units/quantity-parser.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/connected_components.hpp>

#include <set>
#include <vector>

namespace geotrain
{

namespace
{

// These are the address plan's limits within a /20, and for router ports in 172.16.0.0/12.
constexpr std::uint32_t maxNodesOfSite = 4094;
constexpr std::size_t maxRouterPorts = (1 << 20) - 2;

class TopologyValidator : private ValueChecks
{
  public:
    TopologyValidator(const WanTopology& topology, const std::string& file)
        : ValueChecks(file),
          m_topology(topology),
          m_file(file)
    {
    }

    void Run() const
    {
        CheckSizes();
        CheckNames();
        for (std::size_t i = 0; i < m_topology.sites.size(); ++i)
        {
            CheckSite(m_topology.sites[i], FieldOf(i));
        }
        for (std::size_t i = 0; i < m_topology.links.size(); ++i)
        {
            CheckLink(m_topology.links[i], "wan_link[" + std::to_string(i) + "]");
        }
        for (std::size_t i = 0; i < m_topology.routes.size(); ++i)
        {
            CheckRoute(m_topology.routes[i], "route[" + std::to_string(i) + "]");
        }
        CheckCaps();
        CheckPackets();
        CheckReach();
    }

  private:
    /// Returns where a scenario has the site: data centres and transit sites have lists of their own.
    std::string FieldOf(std::size_t index) const
    {
        const auto& sites = m_topology.sites;
        const bool isTransit = sites[index].nodes == 0;
        const auto before = std::count_if(sites.begin(),
                                          sites.begin() + static_cast<std::ptrdiff_t>(index),
                                          [isTransit](const WanTopology::Site& site)
                                          { return (site.nodes == 0) == isTransit; });
        return (isTransit ? "transit_site[" : "data_center[") + std::to_string(before) + "]";
    }

    /// A queue that no packet fits into would let nothing wait. One in bandwidth-delay products has room
    /// for two packets at least.
    void CheckRoom(const std::string& field, const WanQueueSize& queue) const
    {
        CheckQueue(field, queue);
        Require(queue.unit != WanQueueSize::Unit::Bytes ||
                    queue.value >= static_cast<double>(m_topology.mtu.Count()),
                field,
                std::to_string(static_cast<std::int64_t>(queue.value)) + "B",
                "must be >= a packet, " + Format(m_topology.mtu));
    }

    void CheckSizes() const
    {
        const std::size_t sites = m_topology.sites.size();
        Require(sites > 0 && sites <= mostSites,
                "data_center",
                std::to_string(sites),
                "sites: there must be 1 to " + std::to_string(mostSites));
        std::size_t ports = 2 * m_topology.links.size();
        for (std::size_t i = 0; i < sites; ++i)
        {
            const std::uint32_t nodes = m_topology.sites[i].nodes;
            Require(nodes <= maxNodesOfSite,
                    FieldOf(i) + ".nodes",
                    std::to_string(nodes),
                    "must be <= 4094");
            ports += nodes;
        }
        Require(ports <= maxRouterPorts,
                "wan_link",
                std::to_string(ports),
                "router ports: nodes and link ends must be <= 1048574");
    }

    void CheckNames() const
    {
        std::set<std::string> names;
        for (std::size_t i = 0; i < m_topology.sites.size(); ++i)
        {
            const std::string& name = m_topology.sites[i].name;
            const std::string field = FieldOf(i) + ".name";
            Require(!name.empty(), field, name, "must not be empty");
            Require(names.insert(name).second, field, name, "is the name of another site too");
        }
    }

    void CheckSite(const WanTopology::Site& site, const std::string& field) const
    {
        CheckDelay(field + ".intra_delay", site.intraDelay);
        if (site.nodes == 0)
        {
            return; // a transit router has no NICs
        }
        CheckRate(field + ".nic_rate", site.nicRate);
        CheckRate(field + ".intra_rate", site.intraRate);
        Require(!(site.nicRate < site.intraRate),
                field + ".intra_rate",
                Format(site.intraRate),
                "must be <= nic_rate, " + Format(site.nicRate));
    }

    void CheckLink(const WanTopology::Link& link, const std::string& field) const
    {
        const std::size_t sites = m_topology.sites.size();
        for (const auto& [end, name] : {std::pair(link.from, ".from"), std::pair(link.to, ".to")})
        {
            Require(end < sites, field + name, std::to_string(end), "is no site's index");
        }
        Require(link.from != link.to,
                field + ".to",
                m_topology.sites[link.to].name,
                "must be another site than from");
        CheckRate(field + ".rate", link.rate);
        CheckDelay(field + ".delay", link.delay);
        CheckRoom(field + ".queue", link.queue);
        CheckRate(field + ".rate_back", link.RateOf(false));
        CheckDelay(field + ".delay_back", link.DelayOf(false));
        CheckBuffers(link, field);
        ValidateImpairments(link, m_topology.mtu, m_file, field + ".");
        const std::vector<std::string> others = link.Names();
        Require(link.queueDisc.empty() || others.empty(),
                field + ".queue_disc",
                link.queueDisc,
                "must not be there with " + (others.empty() ? "" : others.front()) +
                    ": a link has one queue");
    }

    /// A route goes over links from one data centre to another, and to no site twice.
    void CheckRoute(const WanTopology::Route& route, const std::string& field) const
    {
        std::vector<std::uint32_t> sites{route.from};
        sites.insert(sites.end(), route.via.begin(), route.via.end());
        sites.push_back(route.to);
        std::set<std::uint32_t> visited;
        for (std::size_t i = 0; i < sites.size(); ++i)
        {
            const bool isVia = i > 0 && i + 1 < sites.size();
            const std::string at = field + (i == 0 ? ".from" : isVia ? ".via" : ".to");
            Require(sites[i] < m_topology.sites.size(),
                    at,
                    std::to_string(sites[i]),
                    "is no site's index");
            const std::string& name = m_topology.sites[sites[i]].name;
            Require(visited.insert(sites[i]).second, at, name, "is on the route already");
            Require(i == 0 || AreJoined(sites[i - 1], sites[i]),
                    at,
                    name,
                    "has no wan_link from " + (i == 0 ? "" : m_topology.sites[sites[i - 1]].name) +
                        ", the site before it");
        }
    }

    bool AreJoined(std::uint32_t a, std::uint32_t b) const
    {
        return std::any_of(m_topology.links.begin(),
                           m_topology.links.end(),
                           [&](const WanTopology::Link& link)
                           { return std::minmax(link.from, link.to) == std::minmax(a, b); });
    }

    /// A buffer that no packet fits into would let nothing through.
    void CheckBuffers(const WanTopology::Link& link, const std::string& field) const
    {
        if (!link.learned)
        {
            return;
        }
        for (const PathParameters* path : {&link.learned->forward, &link.learned->backward})
        {
            CheckRate(field + ".learned", path->rate);
            CheckDelay(field + ".learned", path->propagation);
            Require(m_topology.mtu <= path->buffer,
                    field + ".learned",
                    Format(path->buffer),
                    "is the buffer that was learned, and must be >= the MTU, " +
                        Format(m_topology.mtu));
        }
    }

    void CheckCaps() const
    {
        const WanTopology::Caps& caps = m_topology.caps;
        for (const auto& [rate, field] : {std::pair(caps.nodePair, "caps.node_pair"),
                                          std::pair(caps.nodeEgress, "caps.node_egress"),
                                          std::pair(caps.nodeIngress, "caps.node_ingress"),
                                          std::pair(caps.connection, "caps.connection")})
        {
            if (rate)
            {
                CheckRate(field, *rate);
            }
        }
        CheckRoom("caps.queue", caps.queue);
        Require(!caps.police ||
                    (m_topology.mtu <= caps.policerBurst && caps.policerBurst <= maxPolicerBurst),
                "caps.policer_burst",
                Format(caps.policerBurst),
                "must be >= the MTU and <= 1 GB");
    }

    void CheckPackets() const
    {
        Require(Bytes::Of(576) <= m_topology.mtu && m_topology.mtu <= Bytes::Of(65535),
                "mtu",
                Format(m_topology.mtu),
                "must be 576 to 65,535 bytes");
        Require(m_topology.mtu <= m_topology.portQueue && m_topology.portQueue <= maxWanQueue,
                "port_queue",
                Format(m_topology.portQueue),
                "must be >= the MTU and <= 1 TB");
    }

    /// Every site with nodes must be within reach of the first one.
    void CheckReach() const
    {
        boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS> graph(
            m_topology.sites.size());
        for (const WanTopology::Link& link : m_topology.links)
        {
            boost::add_edge(link.from, link.to, graph);
        }
        std::vector<std::size_t> component(m_topology.sites.size());
        boost::connected_components(graph, component.data());
        std::optional<std::size_t> first;
        for (std::size_t i = 0; i < m_topology.sites.size(); ++i)
        {
            if (m_topology.sites[i].nodes == 0)
            {
                continue;
            }
            first = first.value_or(i);
            Require(component[i] == component[*first],
                    "data_center",
                    m_topology.sites[i].name,
                    "has no path of WAN links from " + m_topology.sites[*first].name +
                        PlacesFor(i));
        }
    }

    /// Returns the transit sites that a data centre without a link may have been meant to be at.
    std::string PlacesFor(std::size_t site) const
    {
        std::string places;
        std::size_t left = 6;
        for (const WanTopology::Link& link : m_topology.links)
        {
            if (link.from == site || link.to == site)
            {
                return "";
            }
        }
        for (const WanTopology::Site& other : m_topology.sites)
        {
            if (other.nodes == 0 && left > 0)
            {
                places += (places.empty() ? "" : ", ") + other.name;
                --left;
            }
        }
        return places.empty() ? ""
                              : ": it has no link; `at` puts it at another site of the WAN (" +
                                    places + (left == 0 ? ", ...)" : ")");
    }

    const WanTopology& m_topology;
    const std::string& m_file;
};

} // namespace

void
Validate(const WanTopology& topology, const std::string& file)
{
    TopologyValidator(topology, file).Run();
}

} // namespace geotrain
