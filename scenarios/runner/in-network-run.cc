// SPDX-License-Identifier: GPL-2.0-only
#include "runner/in-network-run.h"

#include <utility>

namespace geotrain
{

namespace
{

ns3::InNetworkJob
InNetworkJobOf(const LoadedScenario& scenario)
{
    ns3::InNetworkJob job;
    for (const LayerWork& layer : scenario.training.layers)
    {
        job.parameters.push_back(layer.parameters.Count() /
                                 ActivationBytes(scenario.job.model.precision));
    }
    job.iterations = scenario.run.warmUpIterations + scenario.run.iterations;
    return job;
}

} // namespace

InNetworkRun::InNetworkRun(const LoadedScenario& scenario, Network& network, PlanRun& run)
{
    std::unique_ptr<ns3::InNetworkCollectives> made;
    if (network.Kind().hasPackets)
    {
        m_cluster = std::make_unique<ns3::InNetworkCluster>(*scenario.inNetwork);
        made = std::make_unique<ns3::PacketInNetworkCollectives>(
            network.GetClock(), *m_cluster, InNetworkJobOf(scenario));
    }
    else
    {
        made = std::make_unique<ns3::EstimatedInNetworkCollectives>(
            network.GetClock(), *scenario.inNetwork, InNetworkJobOf(scenario));
    }
    m_collectives = made.get();
    run.Observe(*made);
    run.Layer().Decorate(
        [&made](std::unique_ptr<Collectives> others)
        {
            made->SetOthers(std::move(others));
            return std::move(made);
        });
}

NetworkCounters
InNetworkRun::AddTo(NetworkCounters counters) const
{
    const NetworkCounters own = m_collectives->Counters();
    counters.intraDcPayload = counters.intraDcPayload + own.intraDcPayload;
    counters.intraDcPackets += own.intraDcPackets;
    counters.droppedPackets += own.droppedPackets;
    counters.lostPackets += own.droppedPackets; // its switches drop none at queues
    return counters;
}

} // namespace geotrain
