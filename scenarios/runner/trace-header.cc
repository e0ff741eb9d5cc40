#include "runner/trace-header.h"

#include "runner/wan-capacity.h"
#include "workload/flop-count.h"

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
AddNodes(const ns3::WanTopology& topology, trace::RunHeader& header)
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
        worker.set_gpus(
            static_cast<std::uint32_t>(scenario.resolved.parallelism().tensor_parallel()));
        const auto dataCenter = placement.dataCenterOfReplica.empty()
                                    ? placement.dataCenterOfStage[stage]
                                    : placement.dataCenterOfReplica[i / placement.stages];
        worker.set_peak_flops_per_gpu(training.gpuOfDataCenter[dataCenter].peakFlopsPerSecond);
    }
}

void
AddServing(const LoadedScenario& scenario, trace::RunHeader& header)
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
}

double
FlopsPerIteration(const LoadedScenario& scenario)
{
    const auto& model = scenario.resolved.model();
    const auto sequences = model.microbatches() * model.microbatch_size();
    const auto flopsOfOne = ModelFlops(scenario.model.spec, 1).Count();
    return flopsOfOne * static_cast<double>(sequences) *
           static_cast<double>(scenario.training.placement.replicas);
}

} // namespace

trace::RunHeader
MakeTraceHeader(const LoadedScenario& scenario, const RunPlan& plan, const std::string& variant)
{
    const auto& resolved = scenario.resolved;
    const bool packet = resolved.run().network() == scenario::Network::PACKET;
    trace::RunHeader header;
    header.set_scenario(resolved.name());
    header.set_variant(variant);
    header.set_seed(static_cast<std::uint64_t>(resolved.run().seed()));
    header.set_network(packet ? "packet" : "analytic");
    header.set_schedule(resolved.schedule().name());
    header.set_sharing(plan.temporal ? "temporal" : "spatial");
    if (packet)
    {
        const std::string& control = resolved.transport().congestion_control();
        header.set_congestion_control(control.substr(control.rfind(':') + 1));
    }
    AddNodes(scenario.topology, header);
    AddWorkers(scenario, header);
    header.set_wan_capacity_bps(UsableWanCapacity(scenario.topology, plan.pairs));
    header.set_warmup_iterations(static_cast<std::uint32_t>(resolved.run().warmup_iterations()));
    header.set_measured_iterations(static_cast<std::uint32_t>(resolved.run().iterations()));
    header.set_model_flops_per_iteration(FlopsPerIteration(scenario));
    if (packet && !plan.collectivesOverNetwork)
    {
        header.add_analytic_parts("all_reduce");
    }
    header.set_stages(scenario.training.placement.stages);
    header.set_replicas(scenario.training.placement.replicas);
    header.set_microbatches(static_cast<std::uint32_t>(resolved.model().microbatches()));
    header.set_without_flush(scenario.training.order.noFlush.has_value());
    if (scenario.inference)
    {
        AddServing(scenario, header);
    }
    return header;
}

} // namespace geotrain
