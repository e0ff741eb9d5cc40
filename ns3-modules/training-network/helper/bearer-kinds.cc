// SPDX-License-Identifier: GPL-2.0-only
// Holds the table of bearers and looks them up in it.
#include "training-network/helper/bearer-kinds.h"

#include "training-network/helper/device-bearer.h"
#include "training-network/helper/express-bearer.h"
#include "units/config-error.h"
#include "units/quantity-parser.h"

#include <boost/algorithm/string/case_conv.hpp>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace ns3
{

namespace
{

/// Returns the bearers of this process.
std::vector<BearerKind>&
AddedBearers()
{
    static std::vector<BearerKind> kinds;
    return kinds;
}

/// Returns the names as "a, b or c".
std::string
Alternatives(const std::vector<std::string>& names)
{
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        const bool isLast = i + 1 == names.size();
        text += (i == 0 ? "" : (isLast ? " or " : ", ")) + names[i];
    }
    return text;
}

} // namespace

bool
BearerKind::Has(BearerFeature feature) const
{
    return features.count(feature) > 0;
}

std::string
BearerKind::NameInScenario() const
{
    return boost::to_upper_copy(name);
}

const std::vector<BearerKind>&
BearerKinds()
{
    static const std::vector<BearerKind> kinds{
        {"express",
         {BearerFeature::BulkTcp,
          BearerFeature::Rival,
          BearerFeature::PacingRate,
          BearerFeature::CrossTraffic,
          BearerFeature::OwnPaths,
          BearerFeature::AccurateEcn,
          BearerFeature::Offload},
         &ExpressBearer::Make},
        {"device",
         {BearerFeature::Ns3Devices, BearerFeature::BulkTcp},
         &DeviceBearer::MakeWithBulkTcp},
        {"stock", {BearerFeature::Ns3Devices}, &DeviceBearer::MakeWithStockTcp}};
    return kinds;
}

void
AddBearer(BearerKind kind)
{
    AddedBearers().push_back(std::move(kind));
}

const BearerKind&
FindBearer(const std::string& name)
{
    std::vector<std::string> names;
    for (const BearerKind& kind : BearerKinds())
    {
        if (kind.name == name)
        {
            return kind;
        }
        names.push_back(kind.name);
    }
    for (const BearerKind& kind : AddedBearers())
    {
        if (kind.name == name)
        {
            return kind;
        }
    }
    throw std::invalid_argument("must be " + Alternatives(names));
}

std::string
BearersWith(BearerFeature feature)
{
    std::vector<std::string> names;
    for (const BearerKind& kind : BearerKinds())
    {
        if (kind.Has(feature))
        {
            names.push_back(kind.NameInScenario());
        }
    }
    return Alternatives(names);
}

void
CheckTopology(const BearerKind& kind,
              const geotrain::WanTopology& topology,
              const std::string& file)
{
    if (kind.Has(BearerFeature::Ns3Devices))
    {
        const auto refuse = [&](bool isThere, const char* field, const char* value)
        {
            if (isThere)
            {
                throw geotrain::ConfigError(file,
                                            field,
                                            value,
                                            "is not what the " + kind.name +
                                                " bearer can do: take transport.bearer EXPRESS");
            }
        };
        refuse(!topology.routes.empty(), "route", "");
        refuse(topology.rerouteAfter.has_value(), "reroute_after", "");
    }
    if (topology.caps.connection && !kind.Has(BearerFeature::OwnPaths))
    {
        throw geotrain::ConfigError(file,
                                    "caps.connection",
                                    geotrain::Format(*topology.caps.connection),
                                    "is what the " + kind.name +
                                        " bearer does not have: take transport.bearer " +
                                        BearersWith(BearerFeature::OwnPaths));
    }
    std::set<std::pair<std::uint32_t, std::uint32_t>> joined;
    for (std::size_t i = 0; i < topology.links.size(); ++i)
    {
        const bool isParallel =
            !joined.insert(std::minmax(topology.links[i].from, topology.links[i].to)).second;
        if (isParallel && topology.parallel == geotrain::ParallelLinks::Share &&
            kind.Has(BearerFeature::Ns3Devices))
        {
            throw geotrain::ConfigError(file,
                                        "parallel",
                                        "SHARE",
                                        "is not what the " + kind.name +
                                            " bearer can do with wan_link[" + std::to_string(i) +
                                            "], which is parallel to another: take FIRST, or "
                                            "transport.bearer EXPRESS");
        }
        const geotrain::WanTopology::Link& link = topology.links[i];
        if (link.Reorders() && kind.Has(BearerFeature::Ns3Devices))
        {
            throw geotrain::ConfigError(
                file,
                "wan_link[" + std::to_string(i) + "]." + link.Names().front(),
                "",
                "stands before a light link, which the " + kind.name +
                    " bearer does not have: take transport.bearer EXPRESS, or "
                    "a queue_disc of ns-3");
        }
        const std::string& disc = link.queueDisc;
        if (!disc.empty() && !kind.Has(BearerFeature::Ns3Devices))
        {
            throw geotrain::ConfigError(file,
                                        "wan_link[" + std::to_string(i) + "].queue_disc",
                                        disc,
                                        "is a queue disc of ns-3, which the " + kind.name +
                                            " bearer does not have: take transport.bearer " +
                                            BearersWith(BearerFeature::Ns3Devices) +
                                            ", or wan_link.red or codel");
        }
    }
}

std::unique_ptr<Bearer>
MakeBearer(const std::string& name, const geotrain::WanTopology& topology, const std::string& file)
{
    const BearerKind& kind = FindBearer(name);
    CheckTopology(kind, topology, file);
    return kind.make(topology, file);
}

} // namespace ns3
