// SPDX-License-Identifier: GPL-2.0-only
// Makes a node pair's path from its resources and the transport's settings.
#include "analytic/analytic-transport.h"

#include "execution/warm-ups.h"
#include "wan/resources.h"

#include <memory>

namespace geotrain
{

AnalyticTopology
MakeAnalyticTopology(const WanTopology& wan,
                     const AnalyticTransport& transport,
                     const std::vector<Network::WarmUp>& pairs)
{
    const auto resources = std::make_shared<const Resources>(wan, NodePairsOf(pairs));
    AnalyticTopology topology;
    topology.linkRates = resources->Rates();
    topology.payloadShare = transport.payloadShare;
    topology.pathOf = [resources, transport](NodeIndex source, NodeIndex destination)
    {
        AnalyticPath path;
        static_cast<AnalyticConnection&>(path) = transport.connection;
        path.links = resources->Of(source, destination);
        path.delay = resources->Delay(source, destination);
        path.roundTrip = resources->RoundTrip(source, destination);
        path.crossesWan = resources->CrossesWan(source, destination);
        path.connections = path.crossesWan ? transport.connections : transport.intraDcConnections;
        LeaveOutLooseWindow(path, resources->Rates());
        return path;
    };
    return topology;
}

} // namespace geotrain
