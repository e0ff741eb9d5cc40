// SPDX-License-Identifier: GPL-2.0-only
#include "runner/trace-header.h"

#include "bulk-tcp/model/congestion-control-types.h"
#include "execution/warm-ups.h"
#include "loader/random-draws.h"
#include "runner/fair-shares.h"
#include "runner/kv-network.h"
#include "wan/capacity.h"
#include "wan/throughput-bound.h"
#include "wan/wan-paths.h"
#include "workload/flop-count.h"

#include <algorithm>
#include <set>

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

void
AddWorkers(const LoadedScenario& scenario, trace::RunHeader& header)
{
    const auto& training = scenario.training;
    const auto& placement = training.placement;
    for (WorkerIndex i = 0; i < placement.nodeOfWorker.size(); ++i)
    {
        const auto stage = i % placement.stages;
        auto& worker = *header.add_workers();
        worker.set_node(placement.nodeOfWorker[i]);
        worker.set_replica(i / placement.stages);
        worker.set_stage(stage);
        worker.set_gpus(scenario.plan.tensorParallel);
        worker.set_peak_flops_per_gpu(PeakFlopsPerSecond(
            scenario.cluster.GpuOfNode(placement.nodeOfWorker[i]), scenario.job.model.precision));
    }
}

void
AddServing(const LoadedScenario& scenario, const PlanStreams& plan, trace::RunHeader& header)
{
    const auto& inference = *scenario.inference;
    const char* policies[] = {"fifo", "earliest-deadline", "best-fit"};
    auto& serving = *header.mutable_serving();
    serving.set_model(inference.request.model.name);
    serving.set_pp_degree(inference.chains.ppDegree);
    serving.set_mode(inference.options.isRelaxed ? "relaxed" : "strict");
    serving.set_policy(policies[static_cast<std::size_t>(inference.options.policy)]);
    serving.set_gpus(static_cast<std::uint32_t>(inference.chains.chains.size()) *
                     inference.chains.ppDegree * inference.request.tensorParallel);
    serving.set_requests_per_second(inference.OfferedRate());
    serving.set_weight_bytes_per_gpu(static_cast<std::uint64_t>(inference.chains.weights.Count()));
    const auto hardware = HardwareOf(scenario, plan);
    serving.set_decode_gpus(hardware.decodeGpus);
    serving.set_kv_nics(hardware.kvNics);
    serving.set_ttft_objective_s(inference.options.objective.value_or(Duration()).ToSeconds());
}

double
FlopsPerIteration(const LoadedScenario& scenario)
{
    const auto sequences = std::int64_t{scenario.plan.microbatches} * scenario.plan.microbatchSize;
    const auto flopsOfOne = ModelFlops(scenario.job.model, 1).Count();
    return flopsOfOne * static_cast<double>(sequences) *
           static_cast<double>(scenario.training.placement.replicas);
}

/// Returns the largest load of cross traffic over all pairs of sites.
double
CrossTrafficLoad(const LoadedScenario& scenario)
{
    double load = 0;
    for (const auto& pair : scenario.crossTraffic)
    {
        load = std::max(load, pair.load);
    }
    return load;
}

/// Returns the worst conditions of any link.
trace::WanConditions
ConditionsOf(const LoadedScenario& scenario)
{
    trace::WanConditions conditions;
    conditions.set_cross_traffic_load(CrossTrafficLoad(scenario));
    for (const auto& link : scenario.cluster.wan.links)
    {
        const std::int64_t roundTripNs = 2 * link.delay.ToNanoseconds();
        conditions.set_round_trip_ns(std::max(conditions.round_trip_ns(), roundTripNs));
        conditions.set_loss(std::max(conditions.loss(), link.lossRate));
    }
    if (!scenario.linkQueues.empty())
    {
        conditions.set_queue(scenario.linkQueues.front());
    }
    return conditions;
}

/// Returns the conditions of a path from node to node in a run of transfers.
trace::WanConditions
PathConditionsOf(const LoadedScenario& scenario, std::uint32_t source, std::uint32_t destination)
{
    const auto& topology = scenario.cluster.wan;
    const WanPaths paths(topology);
    const auto path = paths.SitePath(topology.SiteOf(source), topology.SiteOf(destination));
    trace::WanConditions conditions;
    conditions.set_cross_traffic_load(CrossTrafficLoad(scenario));
    double delivered = 1;
    std::int64_t delayNs = 0;
    for (const auto& hop : path.value())
    {
        const auto& link = topology.links[hop.link];
        delayNs += link.delay.ToNanoseconds();
        delivered *= 1 - link.lossRate;
    }
    conditions.set_round_trip_ns(2 * delayNs);
    // With a single link, 1 - (1 - rate) would differ from the rate in the last digit.
    conditions.set_loss(path->size() == 1 ? topology.links[path->front().link].lossRate
                                          : 1 - delivered);
    conditions.set_queue(scenario.linkQueues[path->front().link]);
    return conditions;
}

/// Returns what the series of the WAN's throughput can't exceed. Links that also carry cross traffic
/// are bound by their own rate alone, and so are those behind caps that drop, which let bursts
/// through.
std::vector<ThroughputBound>
BoundsOf(const LoadedScenario& scenario, const std::vector<NodePair>& pairs)
{
    const auto& wan = scenario.cluster.wan;
    if (!scenario.run.network->hasPackets)
    {
        return BoundsOfDataCentres(wan, pairs);
    }
    const bool nodesBind = scenario.crossTraffic.empty() && !wan.caps.police;
    return BoundsOfLinks(wan, nodesBind ? pairs : std::vector<NodePair>());
}

/// Returns what a trace calls the network of the run.
std::string
NameOfNetwork(const LoadedScenario& scenario)
{
    const bool isLive = scenario.transport.bearer == "live";
    return isLive ? scenario.transport.bearer : scenario.run.network->name;
}

/// Makes the fields that runs of training and of bulk messages share. `pairs` are the node pairs
/// between which the run sends.
trace::RunHeader
CommonHeader(const LoadedScenario& scenario,
             const std::vector<NodePair>& pairs,
             const RunVariant& variant)
{
    const NetworkKind& network = *scenario.run.network;
    trace::RunHeader header;
    header.set_scenario(scenario.run.name);
    header.set_variant(variant.name);
    header.set_variant_title(variant.title == variant.name ? "" : variant.title);
    header.set_seed(scenario.run.seed);
    header.set_network(NameOfNetwork(scenario));
    header.set_without_packets(!network.hasPackets);
    if (network.hasPackets)
    {
        header.set_congestion_control(
            ns3::NameOfCongestionControl(scenario.transport.congestionControl));
    }
    AddNodes(scenario.cluster.wan, header);
    header.set_wan_capacity_bps(UsableWanCapacity(scenario.cluster.wan, pairs));
    for (const auto& bound : BoundsOf(scenario, pairs))
    {
        auto& capacity = *header.add_wan_capacities();
        capacity.set_name(bound.name);
        capacity.set_bps(bound.bitsPerSecond);
    }
    for (const auto& what : DrawsOf(scenario))
    {
        header.add_draws(what);
    }
    return header;
}

/// Returns the pairs of nodes between which flows go, each once.
std::vector<NodePair>
PairsOfFlows(const TransferSection& transfer)
{
    std::vector<NodePair> pairs;
    for (const auto& flow : transfer.flows)
    {
        const NodePair pair{flow.source, flow.destination};
        if (std::find(pairs.begin(), pairs.end(), pair) == pairs.end())
        {
            pairs.push_back(pair);
        }
    }
    return pairs;
}

std::string
ShortNameOf(const std::string& control)
{
    return control.substr(control.rfind(':') + 1);
}

void
SetFlow(const TransferFlow& flow,
        const WanTopology& topology,
        const WanPaths& paths,
        trace::TransferFlow& written)
{
    written.set_name(flow.name);
    written.set_group(flow.group);
    written.set_source(flow.source);
    written.set_destination(flow.destination);
    written.set_congestion_control(ShortNameOf(flow.congestionControl));
    written.set_connections(flow.connections);
    written.set_window_bytes(static_cast<std::uint64_t>(flow.window.Count()));
    written.set_stop_ns(flow.stop.ToNanoseconds());
    written.set_message_bytes(static_cast<std::uint64_t>(flow.size.Count()));
    written.set_draws_sizes(flow.sizes != FlowSizes::Equal);
    const auto path =
        paths.SitePath(topology.SiteOf(flow.source), topology.SiteOf(flow.destination));
    std::set<std::int64_t> ends;
    std::set<std::int64_t> steps;
    for (const auto& hop : path.value())
    {
        const auto names = topology.NamesOfLink(hop.link);
        written.add_links(hop.forward ? names.first : names.second);
        for (const auto& outage : topology.links[hop.link].outages)
        {
            ends.insert(outage.end.ToNanoseconds());
        }
        for (const auto& step : topology.links[hop.link].rateSteps)
        {
            steps.insert(step.at.ToNanoseconds());
        }
    }
    written.mutable_outage_ends_ns()->Add(ends.begin(), ends.end());
    written.set_capacity_bps(UsableWanCapacity(topology, {{flow.source, flow.destination}}));
    if (!steps.empty())
    {
        steps.insert(0);
    }
    for (const std::int64_t fromNs : steps)
    {
        auto& step = *written.add_capacity_steps();
        step.set_from_ns(fromNs);
        step.set_bps(UsableWanCapacity(TopologyAt(topology, Duration::Nanoseconds(fromNs)),
                                       {{flow.source, flow.destination}}));
    }
    written.set_round_trip_ns(
        paths.RoundTripTime(flow.source, flow.destination).value().ToNanoseconds());
}

void
AddFlows(const LoadedScenario& scenario, trace::RunHeader& header)
{
    const auto& topology = scenario.cluster.wan;
    const WanPaths paths(topology);
    auto& transfers = *header.mutable_transfers();
    transfers.set_source(scenario.transfer->flows.front().source);
    transfers.set_destination(scenario.transfer->flows.front().destination);
    transfers.set_duration_ns(scenario.transfer->duration.ToNanoseconds());
    transfers.set_payload_share(PayloadShareOf(topology));
    const auto times = TimesOf(scenario);
    const auto shares = FairSharesOf(scenario);
    for (std::size_t i = 0; i < times.size(); ++i)
    {
        auto& written = *transfers.add_flows();
        SetFlow(scenario.transfer->flows[i], topology, paths, written);
        written.set_start_ns(times[i].start.ToNanoseconds());
        written.set_joins(times[i].start > Duration());
        for (const FairStep& step : shares[i])
        {
            auto& share = *written.add_fair_shares();
            share.set_from_ns(step.from.ToNanoseconds());
            share.set_bps(step.bitsPerSecond);
        }
    }
}

} // namespace

trace::RunHeader
MakeTransferHeader(const LoadedScenario& scenario, const RunVariant& variant)
{
    const auto& nodes = *scenario.transfer;
    if (nodes.IsOfFlows())
    {
        trace::RunHeader header = CommonHeader(scenario, PairsOfFlows(nodes), variant);
        *header.mutable_wan_conditions() =
            PathConditionsOf(scenario, nodes.flows.front().source, nodes.flows.front().destination);
        AddFlows(scenario, header);
        return header;
    }
    trace::RunHeader header = CommonHeader(scenario, {{nodes.source, nodes.destination}}, variant);
    *header.mutable_wan_conditions() = PathConditionsOf(scenario, nodes.source, nodes.destination);
    auto& transfers = *header.mutable_transfers();
    transfers.set_source(nodes.source);
    transfers.set_destination(nodes.destination);
    transfers.set_bytes(static_cast<std::uint64_t>(nodes.size.Count()));
    transfers.set_messages(nodes.messages);
    transfers.set_connections(scenario.transport.connections);
    transfers.set_cold(nodes.cold);
    transfers.set_rival(nodes.rival.substr(nodes.rival.rfind(':') + 1));
    return header;
}

trace::RunHeader
MakeTraceHeader(const LoadedScenario& scenario, const PlanStreams& plan, const RunVariant& variant)
{
    trace::RunHeader header = CommonHeader(scenario, NodePairsOf(plan.pairs), variant);
    header.set_schedule(scenario.plan.schedule);
    header.set_sharing(plan.temporal ? "temporal" : "spatial");
    *header.mutable_wan_conditions() = ConditionsOf(scenario);
    AddWorkers(scenario, header);
    header.set_warmup_iterations(scenario.run.warmUpIterations);
    header.set_measured_iterations(scenario.run.iterations);
    header.set_precision(NameOf(scenario.job.model.precision));
    header.set_model_flops_per_iteration(FlopsPerIteration(scenario));
    if (scenario.run.network->hasPackets && !plan.collectivesOverNetwork)
    {
        header.add_analytic_parts("all_reduce");
    }
    header.set_stages(scenario.training.placement.stages);
    header.set_replicas(scenario.training.placement.replicas);
    header.set_microbatches(scenario.plan.microbatches);
    if (scenario.plan.dataParallelism != DataParallelism::Replicated || scenario.inNetwork)
    {
        header.set_tokens_per_iteration(static_cast<double>(scenario.plan.Sequences()) *
                                        scenario.job.model.sequence);
    }
    header.set_without_flush(scenario.training.order.noFlush.has_value());
    if (scenario.inference)
    {
        AddServing(scenario, plan, header);
    }
    return header;
}

} // namespace geotrain
