// SPDX-License-Identifier: GPL-2.0-only
#include "runner/training-header.h"

#include "runner/kv-network.h"
#include "runner/trace-header.h"
#include "workload/flop-count.h"

namespace geotrain
{

namespace
{

void
AddWorkers(const TrainingSpec& spec, trace::RunHeader& header)
{
    const auto& training = spec.prepared;
    const auto& placement = training.placement;
    for (WorkerIndex i = 0; i < placement.nodeOfWorker.size(); ++i)
    {
        const auto stage = i % placement.stages;
        auto& worker = *header.add_workers();
        worker.set_node(spec.nodes[placement.nodeOfWorker[i]]);
        worker.set_replica(i / placement.stages);
        worker.set_stage(stage);
        worker.set_gpus(spec.plan.tensorParallel);
        worker.set_peak_flops_per_gpu(PeakFlopsPerSecond(
            spec.cluster.GpuOfNode(placement.nodeOfWorker[i]), spec.job.model.precision));
    }
}

void
AddServing(const TrainingSpec& spec, const PlanStreams& plan, trace::RunHeader& header)
{
    const auto& inference = *spec.inference;
    const char* policies[] = {"fifo", "earliest-deadline", "", "strict"};
    const char* preemptions[] = {"continue", "restart", "instant"};
    auto& serving = *header.mutable_serving();
    serving.set_model(inference.request.model.name);
    serving.set_pp_degree(inference.chains.ppDegree);
    serving.set_mode(preemptions[static_cast<std::size_t>(inference.options.preemption)]);
    serving.set_policy(policies[static_cast<std::size_t>(inference.options.policy)]);
    serving.set_gpus(static_cast<std::uint32_t>(inference.chains.chains.size()) *
                     inference.chains.ppDegree * inference.request.tensorParallel);
    serving.set_requests_per_second(inference.OfferedRate());
    serving.set_weight_bytes_per_gpu(static_cast<std::uint64_t>(inference.chains.weights.Count()));
    const auto hardware = HardwareOf(spec, plan);
    serving.set_decode_gpus(hardware.decodeGpus);
    serving.set_kv_nics(hardware.kvNics);
    serving.set_decode_nodes(hardware.decodeNodes);
    serving.set_decode_step_s(hardware.decodeStepSeconds);
    serving.set_decode_token_s(hardware.decodeTokenSeconds);
    serving.set_output_tokens(inference.outputTokens);
    serving.set_ttft_objective_s(inference.options.objective.value_or(Duration()).ToSeconds());
}

double
FlopsPerIteration(const TrainingSpec& spec)
{
    const auto sequences = std::int64_t{spec.plan.microbatches} * spec.plan.microbatchSize;
    const auto flopsOfOne = ModelFlops(spec.job.model, 1).Count();
    return flopsOfOne * static_cast<double>(sequences) *
           static_cast<double>(spec.prepared.placement.replicas);
}

} // namespace

void
DescribeTraining(const Experiment& experiment,
                 const TrainingSpec& spec,
                 const PlanStreams& plan,
                 trace::RunHeader& header)
{
    header.set_schedule(spec.plan.schedule);
    header.set_sharing(plan.temporal ? "temporal" : "spatial");
    *header.mutable_wan_conditions() = ConditionsOf(experiment);
    AddWorkers(spec, header);
    header.set_warmup_iterations(experiment.run.warmUpIterations);
    header.set_measured_iterations(experiment.run.iterations);
    header.set_precision(NameOf(spec.job.model.precision));
    header.set_model_flops_per_iteration(FlopsPerIteration(spec));
    if (experiment.run.network->hasPackets && !plan.collectivesOverNetwork)
    {
        header.add_analytic_parts("all_reduce");
    }
    if (experiment.run.formulaInside)
    {
        header.add_analytic_parts("messages_inside_data_centers");
    }
    header.set_stages(spec.prepared.placement.stages);
    header.set_replicas(spec.prepared.placement.replicas);
    header.set_microbatches(spec.plan.microbatches);
    if (spec.plan.dataParallelism != DataParallelism::Replicated || spec.inNetwork)
    {
        header.set_tokens_per_iteration(static_cast<double>(spec.plan.Sequences()) *
                                        spec.job.model.sequence);
    }
    header.set_without_flush(spec.prepared.order.noFlush.has_value());
    if (spec.inference)
    {
        AddServing(spec, plan, header);
    }
}

} // namespace geotrain
