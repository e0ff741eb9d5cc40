// SPDX-License-Identifier: GPL-2.0-only
// The catalogue of network kinds. A scenario writes a kind's name in upper case.
#include "loader/network-kinds.h"

#include "analytic/analytic-network.h"
#include "schema/scenario.pb.h"
#include "training-network/model/training-network.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace geotrain
{

namespace
{

std::string
InScenario(std::string name)
{
    std::transform(name.begin(),
                   name.end(),
                   name.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
    return name;
}

} // namespace

const std::vector<const NetworkKind*>&
NetworkKinds()
{
    static const std::vector<const NetworkKind*> kinds{&ns3::TrainingNetwork::StaticKind(),
                                                       &AnalyticNetwork::StaticKind()};
    return kinds;
}

std::vector<std::string>
NetworkNames()
{
    std::vector<std::string> names;
    for (const NetworkKind* kind : NetworkKinds())
    {
        names.push_back(kind->name);
    }
    return names;
}

const NetworkKind&
NetworkKindOf(const scenario::Run& run)
{
    const auto& kinds = NetworkKinds();
    return **std::find_if(kinds.begin(),
                          kinds.end(),
                          [name = scenario::Network::Kind_Name(run.network())](const auto* kind)
                          { return InScenario(kind->name) == name; });
}

std::string
NetworksWithPackets()
{
    std::vector<std::string> names;
    for (const NetworkKind* kind : NetworkKinds())
    {
        if (kind->hasPackets)
        {
            names.push_back(InScenario(kind->name));
        }
    }
    return fmt::format("{}", fmt::join(names, " or "));
}

const NetworkKind&
PacketNetworkKind()
{
    const auto& kinds = NetworkKinds();
    return **std::find_if(
        kinds.begin(), kinds.end(), [](const auto* kind) { return kind->hasPackets; });
}

std::string
NetworkAssignment(const std::string& name)
{
    return "run.network=" + InScenario(name);
}

} // namespace geotrain
