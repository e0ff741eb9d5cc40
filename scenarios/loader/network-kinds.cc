// SPDX-License-Identifier: GPL-2.0-only
// The catalogue of network kinds. A scenario writes a kind's name in upper case.
#include "loader/network-kinds.h"

#include "analytic/analytic-network.h"
#include "schema/scenario.pb.h"
#include "training-network/model/training-network.h"

#include <algorithm>

namespace geotrain
{

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
    return *NetworkKinds().at(static_cast<std::size_t>(run.network()) - 1); // after UNSPECIFIED
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
    const auto names = NetworkNames();
    const auto index = std::find(names.begin(), names.end(), name) - names.begin();
    return "run.network=" +
           scenario::Network::Kind_Name(static_cast<scenario::Network::Kind>(index + 1));
}

} // namespace geotrain
