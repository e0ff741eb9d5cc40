// SPDX-License-Identifier: GPL-2.0-only
#include "loader/topology-import.h"

#include "schema/scenario.pb.h"
#include "units/quantity-parser.h"
#include "wan/topology-import.h"

namespace geotrain
{

namespace
{

ImportOptions
OptionsOf(const scenario::TopologyImport& written)
{
    ImportOptions options;
    options.defaultRate = ParseBitRate(written.default_rate());
    for (const auto& entry : written.coordinates())
    {
        options.coordinates[entry.node()] = {entry.latitude(), entry.longitude()};
    }
    return options;
}

void
AddSites(const WanTopology& topology, scenario::Scenario& scenario)
{
    for (const auto& site : topology.sites)
    {
        auto& written = *scenario.add_transit_site();
        written.set_name(site.name);
        if (site.latitude && site.longitude)
        {
            written.set_latitude(*site.latitude);
            written.set_longitude(*site.longitude);
        }
    }
}

void
AddLinks(const WanTopology& topology, scenario::Scenario& scenario)
{
    for (const auto& link : topology.links)
    {
        auto& written = *scenario.add_wan_link();
        written.set_from(topology.sites.at(link.from).name);
        written.set_to(topology.sites.at(link.to).name);
        written.set_rate(Format(link.rate));
        written.set_delay(Format(link.delay));
        if (link.rateBack)
        {
            written.set_rate_back(Format(*link.rateBack));
        }
        if (link.delayBack)
        {
            written.set_delay_back(Format(*link.delayBack));
        }
        written.set_queue("1bdp");
        written.set_loss(link.lossRate);
    }
}

} // namespace

void
ImportInto(scenario::Scenario& scenario, const ScenarioFile& file)
{
    const auto& written = scenario.topology_import();
    const auto topology =
        ImportTopology(file.PathOf(written.file(), "topology_import.file"), OptionsOf(written));
    AddSites(topology, scenario);
    AddLinks(topology, scenario);
    scenario.clear_topology_import();
}

} // namespace geotrain
