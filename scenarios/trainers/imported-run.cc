// SPDX-License-Identifier: GPL-2.0-only
#include "trainers/imported-run.h"

#include "loader/scenario-text.h"
#include "loader/transformer-section.h"
#include "schedule/schedule-catalogue.h"
#include "schema/scenario.pb.h"
#include "workload/model-catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace geotrain
{

namespace
{

/// Returns the number of groups of a worker's GPUs that a node has room for.
std::uint32_t
GroupsOfNode(const ImportedRun& run)
{
    return std::max(1U, run.gpusPerNode / run.tensorParallel);
}

bool
HasStagesAcross(const ImportedRun& run)
{
    return run.pipelineStages > 1;
}

/// Returns the stages or replicas of each site.
std::vector<std::uint32_t>
SharesOfSites(const ImportedRun& run)
{
    const auto parts = HasStagesAcross(run) ? run.pipelineStages : run.dataParallel;
    return parts == 1 ? std::vector<std::uint32_t>{1}
                      : std::vector<std::uint32_t>{parts - parts / 2, parts / 2};
}

void
WriteModel(const ImportedRun& run, scenario::Model& model)
{
    const auto known = FindModel(run.model.name);
    if (known && run.sequence <= known->maxContext)
    {
        model.set_catalogue(run.model.name);
    }
    else
    {
        auto spec = run.model;
        spec.maxContext = std::max(spec.maxContext, run.sequence);
        WriteTransformer(spec, *model.mutable_transformer());
    }
    model.set_sequence(run.sequence);
    model.set_microbatches(run.microbatches);
    model.set_microbatch_size(run.microbatchSize);
    model.set_recomputation(run.recomputation == Recomputation::None        ? scenario::NONE
                            : run.recomputation == Recomputation::Selective ? scenario::SELECTIVE
                                                                            : scenario::FULL);
    model.set_gradient_bytes_per_parameter(run.model.gradientBytesPerParameter);
    model.set_precision(run.precision == Precision::Fp32   ? scenario::FP32
                        : run.precision == Precision::Fp16 ? scenario::FP16
                        : run.precision == Precision::Fp8  ? scenario::FP8
                                                           : scenario::BF16);
    if (run.model.experts.capacityFactor > 0)
    {
        model.set_capacity_factor(run.model.experts.capacityFactor);
    }
    if (run.attention == Attention::Unfused)
    {
        model.set_attention(scenario::UNFUSED);
    }
}

void
WriteParallelism(const ImportedRun& run, scenario::Parallelism& parallelism)
{
    parallelism.set_pipeline_stages(run.pipelineStages);
    parallelism.set_data_parallel(run.dataParallel);
    parallelism.set_tensor_parallel(run.tensorParallel);
    if (run.expertParallel > 1)
    {
        parallelism.set_expert_parallel(run.expertParallel);
    }
    for (const auto layers : run.layersPerStage)
    {
        parallelism.add_layers_per_stage(layers);
    }
    if (run.sharded == ShardedState::All)
    {
        parallelism.set_data_parallelism(scenario::ZERO3);
    }
    else
    {
        parallelism.set_shard_optimizer(run.sharded == ShardedState::Optimizer);
    }
    parallelism.set_across(HasStagesAcross(run)      ? scenario::STAGES
                           : run.reducesInSitesFirst ? scenario::REPLICAS_HIERARCHICAL
                                                     : scenario::REPLICAS);
    if (run.gradientBucket)
    {
        parallelism.set_gradient_bucket(fmt::format("{}B", run.gradientBucket->Count()));
    }
}

void
WriteSites(const ImportedRun& run, const ImportOptions& options, scenario::Scenario& scenario)
{
    const auto shares = SharesOfSites(run);
    for (std::size_t i = 0; i < shares.size(); ++i)
    {
        const auto groups =
            HasStagesAcross(run) ? std::uint64_t{shares[i]} * run.dataParallel : shares[i];
        auto& site = *scenario.add_data_center();
        site.set_name(i == 0 ? "site-a" : "site-b");
        site.set_nodes(
            static_cast<std::int64_t>((groups + GroupsOfNode(run) - 1) / GroupsOfNode(run)));
        site.set_gpus_per_node(std::max(run.gpusPerNode, run.tensorParallel));
        site.set_gpu(options.gpu);
        site.set_nic_rate("400Gbps");
        site.set_nics_per_node(std::min(8U, run.gpusPerNode));
        HasStagesAcross(run) ? site.set_stages(shares[i]) : site.set_replicas(shares[i]);
    }
    if (shares.size() > 1)
    {
        auto& link = *scenario.add_wan_link();
        link.set_from("site-a");
        link.set_to("site-b");
        link.set_rate("100Gbps");
        link.set_delay("20ms");
    }
    scenario.set_mtu(9000);
    scenario.mutable_transport()->set_connections(
        16); // 16 x 64 MB are two round trips at 100 Gbit/s
    scenario.mutable_transport()->set_window("64MB");
}

/// Returns the lines as bullets of a comment, below its heading; nothing without lines.
std::string
Bullets(const std::string& heading, const std::vector<std::string>& lines)
{
    std::string text;
    for (const auto& line : lines)
    {
        std::string clean = line;
        std::replace_if(
            clean.begin(), clean.end(), [](unsigned char c) { return c < ' '; }, ' ');
        text += "#   " + clean + "\n";
    }
    return text.empty() ? "" : "#\n# " + heading + "\n" + text;
}

std::string
HeadComment(const ImportedRun& run, const TrainerConfig& config)
{
    const auto gpus = std::uint64_t{run.pipelineStages} * run.dataParallel * run.tensorParallel;
    const bool isAcross = SharesOfSites(run).size() > 1;
    std::string text =
        fmt::format("# {} on {} GPUs, from {}.\n#\n", run.model.name, gpus, config.File());
    text += isAcross
                ? fmt::format(
                      "# The second half of the {} is at site-b, as the ranks' order has it. The "
                      "sites and the link\n# between them are examples: change the lines of "
                      "data_center, wan_link and transport.\n# connections x window should be "
                      "at least rate x round trip. Then:\n",
                      HasStagesAcross(run) ? "pipeline stages" : "replicas")
                : "# One replica of one stage can't be spread over sites. Change data_center to "
                  "yours. Then:\n";
    text += "#   geotrain check FILE       memory, sizes of messages, how long a run takes\n"
            "#   geotrain run FILE         by formulas; over packets with --network "
            "packet\n"
            "#   geotrain compare FILE --vary 'wan_link[0].delay=1ms,20ms,80ms'\n";
    return text +
           Bullets("Without counterpart here, so that the run is as if it were not there:",
                   config.WithoutCounterpart()) +
           Bullets("Assumed:", run.assumptions) + "\n";
}

} // namespace

void
SetReplicas(ImportedRun& run,
            std::uint32_t gpus,
            std::uint32_t unit,
            const TrainerConfig& config,
            const TrainerConfig::Keys& keys)
{
    const auto ofReplica =
        std::uint64_t{run.pipelineStages} * run.tensorParallel * run.contextParallel;
    if (gpus > 0)
    {
        if (gpus % ofReplica != 0 || gpus / ofReplica % unit != 0)
        {
            config.Fail(
                keys,
                fmt::format("must make replicas of {} GPUs{} that the {} GPUs of the run go up in",
                            ofReplica,
                            unit > 1 ? fmt::format(", in groups of {},", unit) : "",
                            gpus));
        }
        run.dataParallel = static_cast<std::uint32_t>(gpus / ofReplica);
        return;
    }
    const auto groups = GroupsOfNode(run);
    const auto filled =
        HasStagesAcross(run) ? std::max(1U, groups / (run.pipelineStages / 2)) : 2 * groups;
    // Replicas that share experts stay at one site.
    const auto experts =
        run.expertParallel * (HasStagesAcross(run) || run.expertParallel == 1 ? 1 : 2);
    const auto step = std::lcm(unit, experts);
    run.dataParallel = (filled + step - 1) / step * step;
    run.assumptions.push_back(
        fmt::format("{} GPUs, {} data-parallel replicas: their number is not in the configuration "
                    "(--gpus N sets it)",
                    ofReplica * run.dataParallel,
                    run.dataParallel));
}

void
SetMicrobatches(ImportedRun& run,
                std::uint32_t globalBatch,
                const TrainerConfig& config,
                const TrainerConfig::Keys& keys)
{
    const auto ofStep = std::uint64_t{run.dataParallel} * run.microbatchSize;
    if (globalBatch % ofStep != 0)
    {
        config.Fail(
            keys,
            fmt::format("must be a multiple of {}, {} replicas x {} sequences per microbatch",
                        ofStep,
                        run.dataParallel,
                        run.microbatchSize));
    }
    run.microbatches = static_cast<std::uint32_t>(globalBatch / ofStep);
}

void
Settle(ImportedRun& run)
{
    const auto degree = run.expertParallel;
    if (degree > 1 && (run.model.experts.count == 0 || run.model.experts.count % degree != 0 ||
                       run.dataParallel % degree != 0))
    {
        run.assumptions.push_back(fmt::format(
            "each replica has all experts: groups of {} can't share {} among {} replicas",
            degree,
            run.model.experts.count,
            run.dataParallel));
        run.expertParallel = 1;
    }
    else if (degree > 1 && run.sharded == ShardedState::All)
    {
        run.sharded = ShardedState::Optimizer;
        run.assumptions.push_back(
            "FSDP with shared experts as a sharded optimiser: parameters are not "
            "gathered layer by layer");
    }

    ScheduleShape shape;
    shape.stages = run.pipelineStages;
    shape.virtualStages = run.virtualStages;
    shape.microbatches = run.microbatches;
    const auto refusal = RefusalOf(*FindSchedule(run.schedule), shape);
    if (!refusal.empty())
    {
        run.assumptions.push_back("1F1B as the schedule: " + refusal);
        run.schedule = "1f1b";
        run.virtualStages = 1;
        run.layersPerStage.clear();
    }
}

std::string
ScenarioOf(const ImportedRun& run, const TrainerConfig& config, const ImportOptions& options)
{
    scenario::Scenario scenario;
    scenario.set_name(run.name);
    WriteModel(run, *scenario.mutable_model());
    WriteParallelism(run, *scenario.mutable_parallelism());
    WriteSites(run, options, scenario);
    scenario.mutable_schedule()->set_name(run.schedule);
    if (run.virtualStages > 1)
    {
        scenario.mutable_schedule()->set_virtual_stages(run.virtualStages);
    }
    auto& settings = *scenario.mutable_run();
    settings.set_warmup_iterations(1);
    settings.set_all_reduce_fidelity(scenario::ANALYTIC); // many messages are not made
    settings.set_network(scenario::Network::ANALYTIC);
    settings.set_memory_check(
        scenario::WARN); // a trainer's own ways to save memory are not all here
    return HeadComment(run, config) + PrintScenario(scenario);
}

} // namespace geotrain
