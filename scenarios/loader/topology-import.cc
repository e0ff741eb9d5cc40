// SPDX-License-Identifier: GPL-2.0-only
#include "loader/topology-import.h"

#include "schema/scenario.pb.h"
#include "units/quantity-parser.h"
#include "topology-import/topology-import.h"

namespace geotrain
{

namespace
{

ImportOptions
OptionsOf(const scenario::TopologyImport& written, const ScenarioFile& file)
{
    ImportOptions options;
    if (written.has_bandwidth_matrix())
    {
        options.rates = file.PathOf(written.bandwidth_matrix(), "topology_import.bandwidth_matrix");
    }
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

std::vector<std::string>
ImportInto(scenario::Scenario& scenario, const ScenarioFile& file)
{
    const auto& written = scenario.topology_import();
    const std::string field = "topology_import.file";
    if (!written.has_file() && !written.has_bandwidth_matrix())
    {
        file.Fail(field, "", "must be set");
    }
    const auto path = written.has_file() ? file.PathOf(written.file(), field) : "";
    const auto imported = ImportTopology(path, OptionsOf(written, file));
    AddSites(imported.wan, scenario);
    AddLinks(imported.wan, scenario);
    scenario.clear_topology_import();
    return imported.warnings;
}

} // namespace geotrain
