// SPDX-License-Identifier: GPL-2.0-only
#include "runner/analytic-run-network.h"

#include "analytic/analytic-network.h"
#include "units/config-error.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

/// Counts that the second link of a way inside a data centre stores the last packet once more. A
/// message's bytes alone leave it out, which shows in pieces of few packets, and ZeRO-3's collectives
/// are chains of them.
void
StoreLastPackets(AnalyticTopology& topology, Bytes mtu)
{
    topology.pathOf = [pathOf = std::move(topology.pathOf), rates = topology.linkRates, mtu](
                          NodeIndex source, NodeIndex destination)
    {
        AnalyticPath path = pathOf(source, destination);
        Duration packet;
        for (const std::size_t link : path.links)
        {
            packet = std::max(packet, rates[link].TransmissionTime(mtu));
        }
        if (!path.crossesWan)
        {
            path.delay += packet;
            path.roundTrip += packet;
        }
        return path;
    };
}

} // namespace

void
RefuseLossesWithoutModel(const LoadedScenario& scenario)
{
    const auto& links = scenario.cluster.wan.links;
    const std::string& control = scenario.transport.congestionControl;
    const bool loses =
        std::any_of(links.begin(), links.end(), [](const auto& link) { return link.lossRate > 0; });
    if (loses && AnalyticNetwork::StaticKind().ignores("transport.congestion_control", control))
    {
        throw ConfigError(scenario.file,
                          "transport.congestion_control",
                          control,
                          "has no model of its response to wan_link.loss on the analytic network: "
                          "run it over packets");
    }
}

std::unique_ptr<Network>
MakeAnalyticNetwork(const LoadedScenario& scenario, const PlanStreams& plan)
{
    AnalyticTransport transport = scenario.cluster.transport;
    transport.seed = scenario.run.seed;
    AnalyticTopology topology = MakeAnalyticTopology(scenario.cluster.wan, transport, plan.pairs);
    topology.portRoom =
        static_cast<double>(scenario.cluster.wan.portQueue.Count()) * transport.payloadShare;
    if (scenario.plan.dataParallelism == DataParallelism::Zero3)
    {
        StoreLastPackets(topology, scenario.cluster.wan.mtu);
    }
    return std::make_unique<AnalyticNetwork>(std::move(topology));
}

} // namespace geotrain
