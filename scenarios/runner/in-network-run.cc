// SPDX-License-Identifier: GPL-2.0-only
#include "runner/in-network-run.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

ns3::InNetworkJob
InNetworkJobOf(const TrainingSpec& spec, std::uint32_t iterations)
{
    ns3::InNetworkJob job;
    for (const LayerWork& layer : spec.prepared.layeredWorks.front().layers)
    {
        job.parameters.push_back(layer.parameters.Count() /
                                 ActivationBytes(spec.job.model.precision));
    }
    job.iterations = iterations;
    return job;
}

} // namespace

InNetworkRun::InNetworkRun(const TrainingSpec& spec, std::uint32_t iterations, PlanRun& run)
{
    const bool hasPackets = run.Layer().GetNetwork().Kind().hasPackets;
    if (spec.inNetwork->aggregation.acknowledgement ==
        ns3::AggregationSettings::Acknowledgement::Result)
    {
        ReduceInSwitch(spec, hasPackets, run.Layer());
        return;
    }
    PullAndPush(spec, iterations, run);
}

/// Gives pulls and pushes to the servers.
void
InNetworkRun::PullAndPush(const TrainingSpec& spec, std::uint32_t iterations, PlanRun& run)
{
    const bool hasPackets = run.Layer().GetNetwork().Kind().hasPackets;
    std::unique_ptr<ns3::InNetworkCollectives> made;
    if (hasPackets)
    {
        m_sites = std::make_unique<ns3::InNetworkSites>(*spec.inNetwork, spec.inNetworkWan);
        auto packets = std::make_unique<ns3::PacketInNetworkCollectives>(
            run.Layer(), *m_sites, InNetworkJobOf(spec, iterations));
        run.Observe(*packets);
        made = std::move(packets);
    }
    else
    {
        m_pipedSites = std::make_unique<ns3::PipedSites>(
            run.Layer().GetClock(), *spec.inNetwork, spec.inNetworkWan);
        made = std::make_unique<ns3::InNetworkCollectives>(
            run.Layer(), *m_pipedSites, InNetworkJobOf(spec, iterations));
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
InNetworkRun::ReduceInSwitch(const TrainingSpec& spec, bool hasPackets, MessageLayer& layer)
{
    if (hasPackets)
    {
        m_sites = std::make_unique<ns3::InNetworkSites>(*spec.inNetwork, std::nullopt);
    }
    else
    {
        m_pipedSwitch = std::make_unique<ns3::PipedSwitch>(layer.GetClock(), *spec.inNetwork);
    }
    std::vector<ns3::StreamEnd*> ends;
    for (std::uint32_t worker = 0; worker < spec.inNetwork->workers; ++worker)
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
AddPairsOfRelays(const TrainingSpec& spec, std::vector<Network::WarmUp>& pairs)
{
    if (!spec.inNetworkWan)
    {
        return;
    }
    const ns3::InNetworkWan& wan = *spec.inNetworkWan;
    for (const auto& site : wan.sites)
    {
        // What a stream may have under way, or two round trips where that is less.
        const Bytes size = std::min(wan.relayBuffer, site.roundTrip * 2 + wan.block);
        pairs.push_back({wan.relay, site.relay, size});
        pairs.push_back({site.relay, wan.relay, size});
    }
}

} // namespace geotrain
