// SPDX-License-Identifier: GPL-2.0-only
// Runs one training iteration over two data centres, built from the helpers as an ns-3 user would.
//
//    east: 2 x A100-80   <-- 10 Gbit/s, 20 ms -->   west: 2 x A100-80
//        stage 0                                       stage 1
//
// There are two pipelines of two stages, 8 microbatches, 1F1B and four TCP connections per node
// pair. The program prints when the iteration ends and how much crossed the WAN. `--connections=1`
// shows what a single connection costs.
#include "execution/plan-run.h"
#include "execution/warm-ups.h"
#include "hardware/gpu-catalogue.h"
#include "schedule/instruction-streams.h"
#include "schedule/one-forward-one-backward.h"
#include "training-network/helper/bearer-kinds.h"
#include "training-network/model/training-network.h"

#include <ns3/command-line.h>

#include <iostream>

namespace
{

geotrain::WanTopology
TwoSites()
{
    geotrain::WanTopology topology;
    for (const auto* name : {"east", "west"})
    {
        geotrain::WanTopology::Site site;
        site.name = name;
        site.nodes = 2;
        site.nicRate = geotrain::BitRate::GigabitsPerSecond(100);
        site.intraRate = site.nicRate;
        site.intraDelay = geotrain::Duration::Microseconds(10);
        topology.sites.push_back(site);
    }
    geotrain::WanTopology::Link link;
    link.to = 1;
    link.rate = geotrain::BitRate::GigabitsPerSecond(10);
    link.delay = geotrain::Duration::Milliseconds(20);
    topology.links.push_back(link);
    topology.mtu = geotrain::Bytes::Of(9000);
    return topology;
}

geotrain::ExecutionPlan
TwoPipelines(const geotrain::TransformerSpec& model)
{
    geotrain::StreamInputs inputs;
    inputs.order = geotrain::OneForwardOneBackward({2, 8, 1});
    inputs.placement = geotrain::Place({{{"east", 2, 1, 1}, {"west", 2, 1, 1}}, 2, 2, 1});
    inputs.boundary = geotrain::BoundaryActivationBytes(model, 1);
    for (const auto& share : geotrain::SplitEvenly(model, 2))
    {
        inputs.timing.push_back(
            geotrain::TimeStage(model, share, *geotrain::FindGpu("A100-80"), {}));
        inputs.gradients.push_back(geotrain::StageGradientBytes(model, share));
    }
    return geotrain::BuildStreams(inputs);
}

} // namespace

int
main(int argc, char** argv)
{
    std::uint32_t connections = 4;
    ns3::CommandLine command(__FILE__);
    command.AddValue("connections", "TCP connections of a node pair", connections);
    command.Parse(argc, argv);

    const auto bearer = ns3::MakeBearer("stock", TwoSites());
    ns3::TransportOptions transport;
    transport.congestionControl = "geotrain::TcpCubic";
    const auto network = ns3::CreateObject<ns3::TrainingNetwork>(
        bearer->Links(),
        bearer->MakeTransport(transport),
        ns3::TrainingNetwork::ConnectionCounts{connections, 1});

    const auto plan = TwoPipelines(geotrain::MakeGpt("small GPT", 4, 1024, 16, 8192, 1024, false));
    geotrain::PlanRunSettings settings;
    settings.warmUps = geotrain::WarmUpsOf(plan, std::nullopt, [](const auto&) { return true; });
    geotrain::PlanRun run(plan, *network, settings);
    run.Prepare();
    const auto outcome = run.Run(geotrain::Instant::FromNanoseconds(60000000000));
    if (!outcome.IsDone())
    {
        std::cerr << outcome.report << "\n";
        return 2;
    }
    network->CheckConservation();
    const auto carried = network->Counters();
    std::cout << "iteration: " << outcome.end.ToSeconds() << " s\n"
              << "WAN payload: " << carried.wanPayload.Count() << " bytes, " << carried.wanPackets
              << " packets\n";
    return 0;
}
