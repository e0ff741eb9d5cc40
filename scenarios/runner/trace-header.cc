// SPDX-License-Identifier: GPL-2.0-only
#include "runner/trace-header.h"

#include "bulk-tcp/model/congestion-control-types.h"
#include "loader/random-draws.h"
#include "wan/capacity.h"
#include "wan/rates-over-time.h"
#include "wan/throughput-bound.h"

#include <algorithm>

namespace geotrain
{

namespace
{

double
BitsPerSecond(BitRate rate)
{
    return static_cast<double>(rate.ToBitsPerSecond());
}

void
AddNodes(const WanTopology& topology, trace::RunHeader& header)
{
    for (const auto& site : topology.sites)
    {
        for (std::uint32_t i = 0; i < site.nodes; ++i)
        {
            auto& node = *header.add_nodes();
            node.set_name(site.name + "/" + std::to_string(i));
            node.set_data_centre(site.name);
            node.set_nic_rate_bps(BitsPerSecond(site.nicRate));
            node.set_wan_egress_bps(BitsPerSecond(topology.caps.nodeEgress.value_or(BitRate())));
            node.set_wan_ingress_bps(BitsPerSecond(topology.caps.nodeIngress.value_or(BitRate())));
        }
    }
}

/// Returns the largest load of cross traffic over all pairs of sites.
double
CrossTrafficLoad(const Experiment& experiment)
{
    double load = 0;
    for (const auto& pair : experiment.crossTraffic)
    {
        load = std::max(load, pair.load);
    }
    return load;
}

/// Returns what the series of the WAN's throughput can't exceed. Links that also carry cross traffic
/// are bound by their own rate alone, and so are those behind caps that drop, which let bursts
/// through.
std::vector<ThroughputBound>
BoundsOf(const Experiment& experiment, const WanTopology& wan, const std::vector<NodePair>& pairs)
{
    if (!experiment.run.network->hasPackets)
    {
        return BoundsOfDataCentres(wan, pairs);
    }
    const bool nodesBind = experiment.crossTraffic.empty() && !wan.caps.police;
    return BoundsOfLinks(
        wan, nodesBind ? pairs : std::vector<NodePair>(), experiment.testbed.paths);
}

/// Adds what the WAN and its links allow: at most, and over time where that changes. A network without
/// packets ignores changes.
void
AddCapacities(const Experiment& experiment,
              const std::vector<NodePair>& pairs,
              trace::RunHeader& header)
{
    const WanTopology& wan = experiment.testbed.wan;
    const auto& paths = experiment.testbed.paths;
    header.set_wan_capacity_bps(UsableWanCapacity(wan, pairs, paths));
    for (const auto& bound : BoundsOf(experiment, wan, pairs))
    {
        auto& capacity = *header.add_wan_capacities();
        capacity.set_name(bound.name);
        capacity.set_bps(bound.bitsPerSecond);
    }
    if (!experiment.run.network->hasPackets)
    {
        return;
    }
    RatesOverTime rates(wan);
    header.set_capacity_period_ns(rates.Period().ToNanoseconds());
    for (const Duration at : rates.Changes())
    {
        const WanTopology& now = rates.At(at);
        AddCapacityStep(
            at, UsableWanCapacity(now, pairs, paths), *header.mutable_wan_capacity_steps());
        int link = 0;
        for (const auto& bound : BoundsOf(experiment, now, pairs))
        {
            AddCapacityStep(
                at, bound.bitsPerSecond, *header.mutable_wan_capacities(link++)->mutable_steps());
        }
    }
}

/// Returns what a trace calls the network of the run.
std::string
NameOfNetwork(const Experiment& experiment)
{
    const bool isLive = experiment.testbed.transport.bearer == "live";
    return isLive ? experiment.testbed.transport.bearer : experiment.run.network->name;
}

} // namespace

void
AddCapacityStep(Duration at,
                double bitsPerSecond,
                google::protobuf::RepeatedPtrField<trace::CapacityStep>& steps)
{
    if (steps.empty() || steps.rbegin()->bps() != bitsPerSecond)
    {
        auto& step = *steps.Add();
        step.set_from_ns(at.ToNanoseconds());
        step.set_bps(bitsPerSecond);
    }
}

trace::WanConditions
ConditionsOf(const Experiment& experiment)
{
    trace::WanConditions conditions;
    conditions.set_cross_traffic_load(CrossTrafficLoad(experiment));
    for (const auto& link : experiment.testbed.wan.links)
    {
        conditions.set_round_trip_ns(
            std::max(conditions.round_trip_ns(), link.RoundTrip().ToNanoseconds()));
        conditions.set_loss(std::max(conditions.loss(), link.lossRate));
    }
    if (!experiment.testbed.linkQueues.empty())
    {
        conditions.set_queue(experiment.testbed.linkQueues.front());
    }
    return conditions;
}

trace::WanConditions
PathConditionsOf(const Experiment& experiment, std::uint32_t source, std::uint32_t destination)
{
    const auto& topology = experiment.testbed.wan;
    const WanPaths& paths = *experiment.testbed.paths;
    const std::uint32_t from = topology.SiteOf(source);
    const std::uint32_t to = topology.SiteOf(destination);
    const auto path = paths.SitePath(from, to);
    trace::WanConditions conditions;
    conditions.set_cross_traffic_load(CrossTrafficLoad(experiment));
    double delivered = 1;
    for (const auto& hop : path.value())
    {
        const auto& link = topology.links[hop.link];
        delivered *= 1 - link.lossRate;
    }
    const Duration roundTrip =
        paths.SiteDelay(from, to).value() + paths.SiteDelay(to, from).value();
    conditions.set_round_trip_ns(roundTrip.ToNanoseconds());
    // With a single link, 1 - (1 - rate) would differ from the rate in the last digit.
    conditions.set_loss(path->size() == 1 ? topology.links[path->front().link].lossRate
                                          : 1 - delivered);
    conditions.set_queue(experiment.testbed.linkQueues[path->front().link]);
    return conditions;
}

std::string
ShortNameOf(const std::string& control)
{
    return control.substr(control.rfind(':') + 1);
}

trace::RunHeader
MakeRunHeader(const Experiment& experiment, const Workloads& workloads, const RunVariant& variant)
{
    const auto pairs = CollectFrom(workloads, &Workload::Pairs);
    const NetworkKind& network = *experiment.run.network;
    trace::RunHeader header;
    header.set_scenario(experiment.run.name);
    header.set_variant(variant.name);
    header.set_variant_title(variant.title == variant.name ? "" : variant.title);
    header.set_seed(experiment.run.seed);
    header.set_network(NameOfNetwork(experiment));
    header.set_without_packets(!network.hasPackets);
    if (network.hasPackets)
    {
        header.set_congestion_control(
            ns3::NameOfCongestionControl(experiment.testbed.transport.congestionControl));
    }
    AddNodes(experiment.testbed.wan, header);
    AddCapacities(experiment, pairs, header);
    for (const auto& what : DrawsOf(experiment))
    {
        header.add_draws(what);
    }
    for (const auto& workload : workloads)
    {
        const std::string name = workload->Name();
        if (!name.empty())
        {
            header.add_jobs()->set_job(name);
        }
        workload->Describe(name.empty() ? header : *header.mutable_jobs()->rbegin());
    }
    if (header.jobs_size() > 0)
    {
        *header.mutable_wan_conditions() = ConditionsOf(experiment);
    }
    return header;
}

} // namespace geotrain
