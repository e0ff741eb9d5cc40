#include "runner/analytic-run-network.h"

#include "runner/node-pair-resources.h"
#include "units/quantity-parser.h"

namespace geotrain
{

namespace
{

// IPv4 and TCP headers with the timestamp option: 20 + 20 + 12 bytes a packet (RFC 791, 9293, 7323).
constexpr double headerBytes = 52;

} // namespace

std::unique_ptr<Network>
MakeAnalyticNetwork(const LoadedScenario& scenario, const RunPlan& plan)
{
    const auto resources = std::make_shared<const NodePairResources>(scenario.topology, plan.pairs);
    const auto& transport = scenario.resolved.transport();
    const auto wanConnections = static_cast<std::uint32_t>(transport.connections());
    const auto intraConnections = static_cast<std::uint32_t>(transport.intra_dc_connections());
    const auto window = ParseBytes(transport.window());
    const auto mtu = static_cast<double>(scenario.resolved.mtu());

    AnalyticTopology topology;
    topology.linkRates = resources->Rates();
    topology.payloadShare = (mtu - headerBytes) / mtu;
    topology.pathOf = [=](NodeIndex source, NodeIndex destination)
    {
        AnalyticPath path;
        path.links = resources->Of(source, destination);
        path.delay = resources->Delay(source, destination);
        path.roundTrip = path.delay + resources->Delay(destination, source);
        path.crossesWan = resources->CrossesWan(source, destination);
        path.connections = path.crossesWan ? wanConnections : intraConnections;
        path.window = window;
        return path;
    };
    return std::make_unique<AnalyticNetwork>(std::move(topology));
}

} // namespace geotrain
