// SPDX-License-Identifier: GPL-2.0-only
#include "runner/in-network-run.h"

#include "in-network-optimizer/helper/in-network-sites.h"
#include "in-network/formula-sites.h"
#include "in-network/in-network-collectives.h"
#include "in-network/switch-all-reduce.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

InNetworkJob
InNetworkJobOf(const TrainingSpec& spec, std::uint32_t iterations)
{
    InNetworkJob job;
    for (const LayerWork& layer : spec.prepared.layeredWorks.front().layers)
    {
        job.parameters.push_back(layer.parameters.Count() /
                                 ActivationBytes(spec.job.model.precision));
    }
    job.iterations = iterations;
    return job;
}

std::unique_ptr<OptimizerSites>
MakeSites(const TrainingSpec& spec, MessageLayer& layer)
{
    if (layer.GetNetwork().Kind().hasPackets)
    {
        return std::make_unique<ns3::InNetworkSites>(*spec.inNetwork, spec.inNetworkWan);
    }
    return std::make_unique<FormulaSites>(layer.GetClock(), *spec.inNetwork, spec.inNetworkWan);
}

} // namespace

InNetworkRun::InNetworkRun(const TrainingSpec& spec, std::uint32_t iterations, PlanRun& run)
    : m_sites(MakeSites(spec, run.Layer()))
{
    std::unique_ptr<StreamCollectives> made;
    if (spec.inNetwork->aggregation.acknowledgement == AggregationSettings::Acknowledgement::Result)
    {
        made = std::make_unique<SwitchAllReduce>(run.Layer().GetClock(), *m_sites);
    }
    else
    {
        auto pulls = std::make_unique<InNetworkCollectives>(
            run.Layer(), *m_sites, InNetworkJobOf(spec, iterations));
        run.Observe(*pulls);
        made = std::move(pulls);
    }
    m_collectives = made.get();
    run.Decorate(
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

void
AddPairsOfRelays(const TrainingSpec& spec, std::vector<Network::WarmUp>& pairs)
{
    if (!spec.inNetworkWan)
    {
        return;
    }
    const InNetworkWan& wan = *spec.inNetworkWan;
    for (const auto& site : wan.sites)
    {
        // What a stream may have under way, or two round trips where that is less.
        const Bytes size = std::min(wan.relayBuffer, site.roundTrip * 2 + wan.block);
        pairs.push_back({wan.relay, site.relay, size});
        pairs.push_back({site.relay, wan.relay, size});
    }
}

} // namespace geotrain
