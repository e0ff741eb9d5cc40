// SPDX-License-Identifier: GPL-2.0-only
#include "runner/in-network-run.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

ns3::InNetworkJob
InNetworkJobOf(const LoadedScenario& scenario)
{
    ns3::InNetworkJob job;
    for (const LayerWork& layer : scenario.training.layeredWorks.front().layers)
    {
        job.parameters.push_back(layer.parameters.Count() /
                                 ActivationBytes(scenario.job.model.precision));
    }
    job.iterations = scenario.run.warmUpIterations + scenario.run.iterations;
    return job;
}

} // namespace

InNetworkRun::InNetworkRun(const LoadedScenario& scenario, const Network& network, PlanRun& run)
{
    const bool hasPackets = network.Kind().hasPackets;
    if (scenario.inNetwork->aggregation.acknowledgement ==
        ns3::AggregationSettings::Acknowledgement::Result)
    {
        ReduceInSwitch(scenario, hasPackets, run.Layer());
        return;
    }
    PullAndPush(scenario, hasPackets, run);
}

/// Gives pulls and pushes to the servers.
void
InNetworkRun::PullAndPush(const LoadedScenario& scenario, bool hasPackets, PlanRun& run)
{
    std::unique_ptr<ns3::InNetworkCollectives> made;
    if (hasPackets)
    {
        m_sites = std::make_unique<ns3::InNetworkSites>(*scenario.inNetwork, scenario.inNetworkWan);
        auto packets = std::make_unique<ns3::PacketInNetworkCollectives>(
            run.Layer(), *m_sites, InNetworkJobOf(scenario));
        run.Observe(*packets);
        made = std::move(packets);
    }
    else
    {
        m_pipedSites = std::make_unique<ns3::PipedSites>(
            run.Layer().GetClock(), *scenario.inNetwork, scenario.inNetworkWan);
        made = std::make_unique<ns3::InNetworkCollectives>(
            run.Layer(), *m_pipedSites, InNetworkJobOf(scenario));
    }
    m_counters = [collectives = made.get()] { return collectives->Counters(); };
    run.Layer().Decorate(
        [&made](std::unique_ptr<Collectives> others)
        {
            made->SetOthers(std::move(others));
            return std::move(made);
        });
}

/// Replaces the rings of replicas by a switch that sends sums back.
void
InNetworkRun::ReduceInSwitch(const LoadedScenario& scenario, bool hasPackets, MessageLayer& layer)
{
    if (hasPackets)
    {
        m_sites = std::make_unique<ns3::InNetworkSites>(*scenario.inNetwork, std::nullopt);
    }
    else
    {
        m_pipedSwitch = std::make_unique<ns3::PipedSwitch>(layer.GetClock(), *scenario.inNetwork);
    }
    std::vector<ns3::StreamEnd*> ends;
    for (std::uint32_t worker = 0; worker < scenario.inNetwork->workers; ++worker)
    {
        ends.push_back(hasPackets ? &m_sites->Worker(worker, 0) : &m_pipedSwitch->Worker(worker));
    }
    auto made = std::make_unique<ns3::SwitchAllReduce>(layer.GetClock(), std::move(ends));
    m_counters = [this, collectives = made.get()]
    {
        NetworkCounters counters;
        counters.intraDcPayload = collectives->Carried();
        if (m_sites)
        {
            m_sites->AddPackets(counters);
        }
        return counters;
    };
    layer.Decorate(
        [&made](std::unique_ptr<Collectives> others)
        {
            made->SetOthers(std::move(others));
            return std::move(made);
        });
}

NetworkCounters
InNetworkRun::AddTo(NetworkCounters counters) const
{
    const NetworkCounters own = m_counters();
    counters.intraDcPayload = counters.intraDcPayload + own.intraDcPayload;
    counters.intraDcPackets += own.intraDcPackets;
    counters.droppedPackets += own.droppedPackets;
    counters.lostPackets += own.droppedPackets; // its switches drop none at queues
    return counters;
}

void
AddPairsOfRelays(const LoadedScenario& scenario, std::vector<Network::WarmUp>& pairs)
{
    if (!scenario.inNetworkWan)
    {
        return;
    }
    const ns3::InNetworkWan& wan = *scenario.inNetworkWan;
    for (const auto& site : wan.sites)
    {
        // What a stream may have under way, or two round trips where that is less.
        const Bytes size = std::min(wan.relayBuffer, site.roundTrip * 2 + wan.block);
        pairs.push_back({wan.relay, site.relay, size});
        pairs.push_back({site.relay, wan.relay, size});
    }
}

} // namespace geotrain
