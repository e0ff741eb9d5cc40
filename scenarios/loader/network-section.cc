// SPDX-License-Identifier: GPL-2.0-only
#include "loader/network-section.h"

#include "loader/learned-links.h"
#include "loader/link-impairments.h"
#include "loader/model-section.h"
#include "loader/nearest-names.h"
#include "loader/network-kinds.h"
#include "loader/queue-size.h"
#include "loader/rate-traces.h"
#include "loader/regions.h"
#include "loader/topology-import.h"
#include "loader/transport-section.h"
#include "schema/scenario.pb.h"
#include "units/quantity-parser.h"
#include "topology-import/topology-import.h"
#include "wan/wan-validation.h"

#include <fmt/format.h>

#include <map>
#include <optional>

namespace geotrain
{

namespace
{

using scenario::Scenario;

std::string
Indexed(const std::string& list, int index)
{
    return list + "[" + std::to_string(index) + "]";
}

int
FindTransitSite(const Scenario& scenario, const std::string& name)
{
    for (int i = 0; i < scenario.transit_site_size(); ++i)
    {
        if (scenario.transit_site(i).name() == name)
        {
            return i;
        }
    }
    return -1;
}

void
RenameEnds(Scenario& scenario, const std::string& from, const std::string& to)
{
    for (auto& link : *scenario.mutable_wan_link())
    {
        if (link.from() == from)
        {
            link.set_from(to);
        }
        if (link.to() == from)
        {
            link.set_to(to);
        }
    }
}

std::vector<std::string>
TransitNames(const Scenario& scenario)
{
    std::vector<std::string> names;
    for (const auto& site : scenario.transit_site())
    {
        names.push_back(site.name());
    }
    return names;
}

/// Puts each data centre in the place of the site at which it stands; the site's links become its
/// own.
void
AttachDataCenters(Scenario& scenario, const ScenarioFile& file)
{
    for (int i = 0; i < scenario.data_center_size(); ++i)
    {
        auto& dataCenter = *scenario.mutable_data_center(i);
        const auto at = dataCenter.has_at() ? dataCenter.at() : dataCenter.name();
        const int site = FindTransitSite(scenario, at);
        if (site >= 0)
        {
            RenameEnds(scenario, at, dataCenter.name());
            scenario.mutable_transit_site()->DeleteSubrange(site, 1);
        }
        else if (dataCenter.has_at())
        {
            file.Fail(Indexed("data_center", i) + ".at",
                      at,
                      UnknownName("free site", at, TransitNames(scenario)));
        }
        dataCenter.clear_at();
    }
}

/// Refuses a transit site of a data centre's name. Each list has its names once.
void
CheckNames(const Scenario& scenario, const ScenarioFile& file)
{
    for (int i = 0; i < scenario.data_center_size(); ++i)
    {
        const auto& name = scenario.data_center(i).name();
        if (FindTransitSite(scenario, name) >= 0)
        {
            file.Fail(Indexed("data_center", i) + ".name", name, "is that of a transit_site, too");
        }
    }
}

/// SiteFacts are the facts about a site from which the delays of its links follow.
struct SiteFacts
{
    std::optional<std::size_t> region;
    std::optional<GeoPosition> point;
};

std::map<std::string, SiteFacts>
FactsOfSites(const Scenario& scenario, const ScenarioFile& file)
{
    std::map<std::string, SiteFacts> facts;
    std::vector<std::string> regionNames;
    for (const auto& region : Regions())
    {
        regionNames.push_back(region.name);
    }
    for (int i = 0; i < scenario.data_center_size(); ++i)
    {
        const auto& dataCenter = scenario.data_center(i);
        const auto region = FindRegion(dataCenter.region());
        if (dataCenter.has_region() && !region)
        {
            file.Fail(Indexed("data_center", i) + ".region",
                      dataCenter.region(),
                      UnknownName("region", dataCenter.region(), regionNames, "regions"));
        }
        facts[dataCenter.name()].region = region;
    }
    for (int i = 0; i < scenario.transit_site_size(); ++i)
    {
        const auto& site = scenario.transit_site(i);
        if (site.has_latitude())
        {
            facts[site.name()].point = GeoPosition{site.latitude(), site.longitude()};
        }
    }
    return facts;
}

std::optional<Duration>
DelayBetween(const SiteFacts& a, const SiteFacts& b)
{
    if (a.region && b.region && *a.region != *b.region)
    {
        const auto roundTrip = RegionRoundTrip(*a.region, *b.region);
        return Duration::Nanoseconds(roundTrip.ToNanoseconds() / 2);
    }
    if (a.point && b.point)
    {
        return GreatCircleDelay(*a.point, *b.point);
    }
    return std::nullopt;
}

/// Sets the delay of each link that has none. Call it before AttachDataCenters(), so that the sites
/// of data centres still have coordinates.
void
FillDelays(Scenario& scenario, const ScenarioFile& file)
{
    auto facts = FactsOfSites(scenario, file);
    for (const auto& dataCenter : scenario.data_center())
    {
        const auto at = dataCenter.has_at() ? dataCenter.at() : dataCenter.name();
        const auto site = facts.find(at);
        if (site != facts.end())
        {
            facts[dataCenter.name()].point = site->second.point;
        }
    }
    for (int i = 0; i < scenario.wan_link_size(); ++i)
    {
        auto& link = *scenario.mutable_wan_link(i);
        if (link.has_learned())
        {
            continue;
        }
        const auto delay = DelayBetween(facts[link.from()], facts[link.to()]);
        if (!link.has_delay() && !delay)
        {
            file.Fail(Indexed("wan_link", i) + ".delay",
                      "",
                      "must be set: no round-trip time is known between " + link.from() + " and " +
                          link.to());
        }
        if (!link.has_delay())
        {
            link.set_delay(Format(*delay));
        }
    }
}

void
AddDataCenters(Scenario& scenario, const ScenarioFile& file, WanTopology& topology)
{
    for (int i = 0; i < scenario.data_center_size(); ++i)
    {
        auto& dataCenter = *scenario.mutable_data_center(i);
        const std::int64_t nics = dataCenter.nics_per_node();
        WanTopology::Site site;
        site.name = dataCenter.name();
        site.nodes = static_cast<std::uint32_t>(dataCenter.nodes());
        site.nicRate =
            BitRate::BitsPerSecond(ParseBitRate(dataCenter.nic_rate()).ToBitsPerSecond() * nics);
        const std::string allNics = nics == 1 ? dataCenter.nic_rate() : Format(site.nicRate);
        if (!dataCenter.has_intra_rate())
        {
            dataCenter.set_intra_rate(allNics);
        }
        site.intraRate = ParseBitRate(dataCenter.intra_rate());
        site.intraDelay = ParseDuration(dataCenter.intra_delay());
        if (site.nicRate < site.intraRate)
        {
            file.Fail(
                Indexed("data_center", i) + ".intra_rate",
                dataCenter.intra_rate(),
                (nics == 1 ? "must be <= nic_rate (" : "must be <= nics_per_node x nic_rate (") +
                    allNics + ")");
        }
        topology.sites.push_back(site);
    }
}

void
AddTransitSites(const Scenario& scenario, WanTopology& topology)
{
    for (const auto& written : scenario.transit_site())
    {
        WanTopology::Site site;
        site.name = written.name();
        if (written.has_latitude())
        {
            site.latitude = written.latitude();
            site.longitude = written.longitude();
        }
        topology.sites.push_back(site);
    }
}

/// Sets what is another way back.
void
ResolveBackward(const scenario::WanLink& written, WanTopology::Link& link)
{
    if (written.has_rate_back())
    {
        link.rateBack = ParseBitRate(written.rate_back());
    }
    if (written.has_delay_back())
    {
        link.delayBack = ParseDuration(written.delay_back());
    }
    const bool anyStep = std::any_of(written.rate_step().begin(),
                                     written.rate_step().end(),
                                     [](const auto& step) { return step.has_rate_back(); });
    if (!written.has_rate_back() && !anyStep)
    {
        return;
    }
    link.ratesBack.emplace();
    for (const auto& step : written.rate_step())
    {
        if (step.has_rate_back() || !written.has_rate_back())
        {
            const std::string& rate = step.has_rate_back() ? step.rate_back() : step.rate();
            link.ratesBack->steps.push_back({ParseDuration(step.at()), ParseBitRate(rate)});
        }
    }
}

void
AddLinks(Scenario& scenario, const ScenarioFile& file, WanTopology& topology)
{
    for (int i = 0; i < scenario.wan_link_size(); ++i)
    {
        auto& written = *scenario.mutable_wan_link(i);
        const auto field = Indexed("wan_link", i);
        ResolveQueueDisc(written, field + ".queue_disc", file);
        WanTopology::Link link;
        static_cast<LinkImpairments&>(link) = ImpairmentsOf(written);
        link.from = SiteNamed(topology, written.from(), field + ".from", file);
        link.to = SiteNamed(topology, written.to(), field + ".to", file);
        if (link.from == link.to)
        {
            file.Fail(field + ".to", written.to(), "must be another site than from");
        }
        if (written.has_learned())
        {
            ResolveLearnedLink(written, field, file, link);
        }
        else
        {
            link.rate = ParseBitRate(written.rate());
            link.delay = ParseDuration(written.delay());
            ResolveBackward(written, link);
            ResolveRateTraces(written, field, file, link);
            link.queue = ParseQueueSize(written.queue());
            link.queueDisc = written.queue_disc();
        }
        topology.links.push_back(link);
    }
}

/// Throws ConfigError for a setting of the topology that the bearer doesn't have. A network without
/// packets has no bearer; it warns of what it ignores.
void
CheckBearer(const Scenario& scenario, const WanTopology& topology, const ScenarioFile& file)
{
    if (NetworkKindOf(scenario.run()).hasPackets)
    {
        ns3::CheckTopology(BearerOf(scenario.transport()), topology, file.name);
    }
}

std::optional<BitRate>
OptionalRate(bool set, const std::string& text)
{
    return set ? std::optional(ParseBitRate(text)) : std::nullopt;
}

WanTopology::Caps
CapsOf(const scenario::Caps& written)
{
    WanTopology::Caps caps;
    caps.nodePair = OptionalRate(written.has_node_pair(), written.node_pair());
    caps.nodeEgress = OptionalRate(written.has_node_egress(), written.node_egress());
    caps.nodeIngress = OptionalRate(written.has_node_ingress(), written.node_ingress());
    caps.connection = OptionalRate(written.has_connection(), written.connection());
    caps.queue = ParseQueueSize(written.queue());
    caps.police = written.police();
    return caps;
}

/// A SitePlace says where the name of a site stands, and what it names.
struct SitePlace
{
    const std::string& field;
    const ScenarioFile& file;
    const char* what;
    std::uint32_t leastNodes; ///< of such a site
};

/// Sets what collectives get of the NICs' rate where the training software says so.
void
SetRatesOfSoftware(Scenario& scenario)
{
    for (auto& dataCenter : *scenario.mutable_data_center())
    {
        if (!dataCenter.has_intra_rate() &&
            SoftwareOf(scenario.model()) == Software::MegatronDeepspeed)
        {
            const auto nic = ParseBitRate(dataCenter.nic_rate()).ToBitsPerSecond();
            dataCenter.set_intra_rate(
                Format(BitRate::BitsPerSecond(nic * dataCenter.nics_per_node() / 2)));
        }
    }
}

std::uint32_t
FindSite(const WanTopology& topology, const std::string& name, const SitePlace& place)
{
    std::vector<std::string> names;
    for (std::uint32_t site = 0; site < topology.sites.size(); ++site)
    {
        if (topology.sites[site].nodes >= place.leastNodes)
        {
            names.push_back(topology.sites[site].name);
            if (names.back() == name)
            {
                return site;
            }
        }
    }
    place.file.Fail(place.field, name, UnknownName(place.what, name, names));
}

} // namespace

std::uint32_t
SiteNamed(const WanTopology& topology,
          const std::string& name,
          const std::string& field,
          const ScenarioFile& file)
{
    return FindSite(topology, name, {field, file, "data_center or transit_site", 0});
}

std::uint32_t
DataCenterNamed(const WanTopology& topology,
                const std::string& name,
                const std::string& field,
                const ScenarioFile& file)
{
    return FindSite(topology, name, {field, file, "data_center", 1});
}

namespace
{

void
AddRoutes(const Scenario& scenario, const ScenarioFile& file, WanTopology& topology)
{
    for (int i = 0; i < scenario.route_size(); ++i)
    {
        const scenario::Route& written = scenario.route(i);
        const std::string field = fmt::format("route[{}].", i);
        WanTopology::Route route;
        route.from = DataCenterNamed(topology, written.from(), field + "from", file);
        route.to = DataCenterNamed(topology, written.to(), field + "to", file);
        for (const std::string& site : written.via())
        {
            route.via.push_back(SiteNamed(topology, site, field + "via", file));
        }
        route.weight = written.weight();
        topology.routes.push_back(route);
    }
    if (scenario.has_reroute_after())
    {
        topology.rerouteAfter = ParseDuration(scenario.reroute_after());
    }
}

} // namespace

WanTopology
ResolveNetwork(Scenario& scenario, const ScenarioFile& file, std::vector<std::string>& warnings)
{
    if (scenario.data_center_size() == 0)
    {
        file.Fail("data_center", "", "must be given at least once");
    }
    SetRatesOfSoftware(scenario);
    if (scenario.has_topology_import())
    {
        const auto ofImport = ImportInto(scenario, file);
        warnings.insert(warnings.end(), ofImport.begin(), ofImport.end());
    }
    FillDelays(scenario, file);
    AttachDataCenters(scenario, file);
    CheckNames(scenario, file);
    WanTopology topology;
    AddDataCenters(scenario, file, topology);
    AddTransitSites(scenario, topology);
    AddLinks(scenario, file, topology);
    topology.routing = EnumOf<WanRouting>(scenario.wan_routing());
    topology.parallel = EnumOf<ParallelLinks>(scenario.parallel());
    AddRoutes(scenario, file, topology);
    topology.caps = CapsOf(scenario.caps());
    CheckBearer(scenario, topology, file);
    CheckPacketTrace(scenario, topology, file);
    topology.mtu = Bytes::Of(scenario.mtu());
    Validate(topology, file.name);
    return topology;
}

} // namespace geotrain
