// SPDX-License-Identifier: GPL-2.0-only
// Fills in what a scenario leaves open of its plan, checks it, and prepares it.
#include "loader/training-section.h"

#include "execution/hierarchical-all-reduce.h"
#include "loader/catalogue-names.h"
#include "loader/compute-warnings.h"
#include "loader/in-network-section.h"
#include "loader/machine-memory.h"
#include "loader/schedule-section.h"
#include "placement/replica-placement.h"
#include "schema/scenario.pb.h"
#include "training-plan/collective-times.h"
#include "units/config-error.h"
#include "units/quantity-parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <stdexcept>

namespace geotrain
{

namespace
{

using scenario::Scenario;

// Most computations per iteration. Instructions are kept in memory, and more than this is a slip.
constexpr std::int64_t mostComputations = 50000000;

bool
HasReplicasAcross(const Scenario& scenario)
{
    return scenario.parallelism().across() != scenario::STAGES;
}

void
CheckSize(const Scenario& scenario, const ScenarioFile& file)
{
    const auto& parallelism = scenario.parallelism();
    const double computations = static_cast<double>(parallelism.pipeline_stages()) *
                                static_cast<double>(parallelism.data_parallel()) *
                                static_cast<double>(scenario.model().microbatches());
    if (computations > static_cast<double>(mostComputations))
    {
        file.Fail("model.microbatches",
                  std::to_string(scenario.model().microbatches()),
                  fmt::format("must be small enough for pipeline_stages x data_parallel x "
                              "microbatches <= {}",
                              mostComputations));
    }
}

void
ResolveLayers(scenario::Parallelism& parallelism,
              std::size_t virtualStages,
              const TransformerSpec& model,
              const ScenarioFile& file)
{
    const auto stages = static_cast<std::int64_t>(virtualStages);
    if (stages > model.layers)
    {
        const bool isVirtual = stages != parallelism.pipeline_stages();
        file.Fail(
            "parallelism.pipeline_stages",
            std::to_string(parallelism.pipeline_stages()),
            fmt::format("must {}be <= {}, the model's layers",
                        isVirtual ? fmt::format("have {} virtual stages, which must ", stages) : "",
                        model.layers));
    }
    if (parallelism.layers_per_stage_size() == 0)
    {
        for (const auto& share : SplitEvenly(model, Small(stages)))
        {
            parallelism.add_layers_per_stage(share.layers);
        }
        return;
    }
    if (parallelism.layers_per_stage_size() != stages)
    {
        file.Fail("parallelism.layers_per_stage",
                  "",
                  fmt::format("must have {} entries, one for each {} stage, not {}",
                              stages,
                              stages == parallelism.pipeline_stages() ? "pipeline" : "virtual",
                              parallelism.layers_per_stage_size()));
    }
    std::int64_t sum = 0;
    for (const auto count : parallelism.layers_per_stage())
    {
        sum += count;
    }
    if (sum != model.layers)
    {
        file.Fail("parallelism.layers_per_stage",
                  "",
                  fmt::format("must add up to {}, the model's layers, not {}", model.layers, sum));
    }
}

void
CheckTensorParallel(const Scenario& scenario, const ScenarioFile& file)
{
    const auto width = scenario.parallelism().tensor_parallel();
    for (int i = 0; i < scenario.data_center_size(); ++i)
    {
        const auto& dataCenter = scenario.data_center(i);
        const bool hosts = !dataCenter.has_stages() || dataCenter.stages() > 0;
        if (hosts && dataCenter.gpus_per_node() < width)
        {
            file.Fail(
                "parallelism.tensor_parallel",
                std::to_string(width),
                fmt::format("must be <= {}, data_center[{}].gpus_per_node: tensor parallelism "
                            "stays in a node",
                            dataCenter.gpus_per_node(),
                            i));
        }
    }
}

/// Throws ConfigError where replicas can't share the model's experts.
void
CheckExpertParallel(const Scenario& scenario,
                    const TransformerSpec& model,
                    const ScenarioFile& file)
{
    const auto& parallelism = scenario.parallelism();
    const auto degree = parallelism.expert_parallel();
    const auto fail = [&](const std::string& rule)
    { file.Fail("parallelism.expert_parallel", std::to_string(degree), rule); };
    if (degree == 1)
    {
        return;
    }
    if (model.experts.count == 0)
    {
        fail("is for a model with experts");
    }
    if (model.experts.count % degree != 0)
    {
        fail(fmt::format("must divide the {} experts of a layer", model.experts.count));
    }
    if (parallelism.data_parallel() % degree != 0)
    {
        fail(fmt::format("must divide data_parallel ({})", parallelism.data_parallel()));
    }
    const auto* schedule = FindSchedule(scenario.schedule().name());
    if (schedule != nullptr && schedule->recomputesAhead)
    {
        fail("needs a schedule of a fixed order, which " + schedule->name + " has not");
    }
}

/// Warns where replicas of different data centres share experts.
void
WarnOfTokensOverWan(const TrainingSpec& spec, std::vector<std::string>& warnings)
{
    const auto& replicas = spec.prepared.placement.dataCenterOfReplica;
    const auto degree = spec.plan.expertParallel;
    for (std::size_t first = 0; degree > 1 && first + degree <= replicas.size(); first += degree)
    {
        const auto begin = replicas.begin() + static_cast<std::ptrdiff_t>(first);
        if (std::any_of(begin, begin + degree, [begin](auto place) { return place != *begin; }))
        {
            warnings.push_back(fmt::format(
                "parallelism.expert_parallel: replicas {} to {} share experts and are not "
                "in one data centre, so that the tokens of each layer cross the WAN",
                first,
                first + degree - 1));
            return;
        }
    }
}

/// Returns the number of replicas in each data centre where replicas are spread over them. Numbers
/// that the scenario leaves open fill the data centres in order.
std::vector<std::uint32_t>
ReplicasOf(const Scenario& scenario)
{
    const auto& parallelism = scenario.parallelism();
    std::vector<std::uint32_t> replicas;
    std::int64_t left = parallelism.data_parallel();
    for (const auto& dataCenter : scenario.data_center())
    {
        const auto fit = dataCenter.nodes() *
                         (dataCenter.gpus_per_node() / parallelism.tensor_parallel()) /
                         parallelism.pipeline_stages();
        const auto here = dataCenter.has_replicas() ? dataCenter.replicas() : std::min(left, fit);
        replicas.push_back(Small(here));
        left -= std::min(left, here);
    }
    return replicas;
}

/// Returns which data centre hosts how many consecutive stages or replicas.
std::vector<TrainingPlan::Host>
Grouped(const std::vector<std::uint32_t>& dataCenters)
{
    std::vector<TrainingPlan::Host> hosts;
    for (const std::uint32_t dataCenter : dataCenters)
    {
        if (hosts.empty() || hosts.back().dataCenter != dataCenter)
        {
            hosts.push_back({dataCenter, 0});
        }
        ++hosts.back().count;
    }
    return hosts;
}

std::vector<TrainingPlan::Host>
HostsOf(const Scenario& scenario, const ScenarioFile& file)
{
    PlacementRequest request;
    request.pipelineStages = Small(scenario.parallelism().pipeline_stages());
    request.dataParallel = Small(scenario.parallelism().data_parallel());
    request.tensorParallel = Small(scenario.parallelism().tensor_parallel());
    for (const auto& dataCenter : scenario.data_center())
    {
        PlacementRequest::DataCenter place;
        place.name = dataCenter.name();
        place.nodes = Small(dataCenter.nodes());
        place.gpusPerNode = Small(dataCenter.gpus_per_node());
        if (dataCenter.has_stages())
        {
            place.stages = Small(dataCenter.stages());
        }
        request.dataCenters.push_back(place);
    }
    try
    {
        const auto placed = HasReplicasAcross(scenario)
                                ? PlaceReplicas(request, ReplicasOf(scenario)).dataCenterOfReplica
                                : Place(request).dataCenterOfStage;
        return Grouped(placed);
    }
    catch (const std::invalid_argument& broken)
    {
        file.Fail("data_center", "", broken.what());
    }
}

void
CheckCellNodes(const Placement& placement, std::uint32_t cellSize, const ScenarioFile& file)
{
    for (std::uint32_t stage = 0; stage < placement.stages; ++stage)
    {
        std::set<NodeIndex> nodes;
        for (std::uint32_t replica = 0; replica < placement.replicas; ++replica)
        {
            if (replica % cellSize == 0)
            {
                nodes.clear();
            }
            if (!nodes.insert(placement.nodeOfWorker[placement.WorkerOf(replica, stage)]).second)
            {
                file.Fail("parallelism.cell_size",
                          std::to_string(cellSize),
                          fmt::format("must be at most the different nodes of a stage under "
                                      "temporal sharing: two pipelines of a cell have stage {} on "
                                      "the same node",
                                      stage));
            }
        }
    }
}

void
ResolveCells(Scenario& scenario, const Placement& placement, const ScenarioFile& file)
{
    auto& parallelism = *scenario.mutable_parallelism();
    if (!parallelism.has_cell_size())
    {
        parallelism.set_cell_size(parallelism.data_parallel());
    }
    if (parallelism.data_parallel() % parallelism.cell_size() != 0)
    {
        file.Fail("parallelism.cell_size",
                  std::to_string(parallelism.cell_size()),
                  fmt::format("must divide data_parallel ({})", parallelism.data_parallel()));
    }
    if (scenario.sharing() == scenario::TEMPORAL)
    {
        CheckCellNodes(placement, Small(parallelism.cell_size()), file);
    }
}

/// Returns the plan of a scenario without hosts, layers and a user's own order.
TrainingPlan
ShapeOf(const Scenario& scenario)
{
    const auto& parallelism = scenario.parallelism();
    const auto& schedule = scenario.schedule();
    TrainingPlan plan;
    plan.pipelineStages = Small(parallelism.pipeline_stages());
    plan.dataParallel = Small(parallelism.data_parallel());
    plan.tensorParallel = Small(parallelism.tensor_parallel());
    plan.expertParallel = Small(parallelism.expert_parallel());
    plan.microbatchSize = Small(scenario.model().microbatch_size());
    plan.microbatches = Small(scenario.model().microbatches());
    plan.cellSize = parallelism.has_cell_size() ? Small(parallelism.cell_size()) : 1;
    plan.schedule = schedule.name();
    plan.warmupFactor = Small(schedule.warmup_factor());
    plan.virtualStages = schedule.has_virtual_stages() ? Small(schedule.virtual_stages()) : 1;
    plan.memoryCap = schedule.has_memory_cap() ? Small(schedule.memory_cap()) : 0;
    plan.sharing = EnumOf<WanSharing>(scenario.sharing());
    plan.crossDc = EnumOf<CrossDc>(parallelism.across());
    if (parallelism.has_placement())
    {
        plan.placement = EnumOf<NodePlacement>(parallelism.placement());
    }
    else if (scenario.has_in_network())
    {
        plan.placement = NodePlacement::Spread;
    }
    if (parallelism.collective() == hierarchicalCollective.name)
    {
        plan.crossDc = CrossDc::ReplicasHierarchical;
    }
    else if (parallelism.has_collective())
    {
        plan.collective = parallelism.collective();
    }
    return plan;
}

/// Prepares a plan as it is written.
PreparedPlan
Prepare(const TrainingSpec& spec, const ScenarioFile& file)
{
    const StageTable table = MakeStageTable(spec.job, spec.cluster, spec.plan);
    if (table.isOfProfile)
    {
        throw ConfigError("", "", "", table.refusal); // which names the profile's file
    }
    if (!table.refusal.empty())
    {
        file.Fail(
            "parallelism.tensor_parallel", std::to_string(spec.plan.tensorParallel), table.refusal);
    }
    try
    {
        return PreparePlan(spec.job, spec.cluster, spec.plan, {&table});
    }
    catch (const std::invalid_argument& broken)
    {
        file.Fail("schedule", spec.plan.schedule, broken.what());
    }
}

/// Adds a warning where a schedule's search finds no order that is faster than a plain one.
void
WarnOfRival(const PreparedPlan& prepared,
            const std::string& schedule,
            std::vector<std::string>& warnings)
{
    const auto& rival = prepared.order.rival;
    if (rival && rival->isUsed)
    {
        warnings.push_back(
            fmt::format("schedule.name: {} finds no order faster than {} in its memory, and runs "
                        "that one: {:.4g} s against {:.4g} s without queues",
                        schedule,
                        rival->name,
                        rival->makespan.ToSeconds(),
                        rival->ownMakespan.ToSeconds()));
    }
}

} // namespace

void
ResolveJob(const Scenario& scenario, TrainingJob& job, const ScenarioFile& file)
{
    const auto& model = scenario.model();
    const auto& parallelism = scenario.parallelism();
    if (parallelism.has_collective() && parallelism.collective() != fastestCollective)
    {
        RequireCollective(parallelism.collective(), "parallelism.collective", file);
    }
    job.shardsOptimizer = parallelism.shard_optimizer();
    job.sendsCopyPerGpu = parallelism.boundary_copies() == scenario::COPY_PER_GPU;
    job.tensorOverlap = parallelism.tensor_overlap();
    job.globalBatch = static_cast<std::uint64_t>(
        scenario.plan().has_global_batch()
            ? scenario.plan().global_batch()
            : model.microbatches() * model.microbatch_size() * parallelism.data_parallel());
    job.allReduceBuckets = Small(scenario.schedule().all_reduce_buckets());
    if (parallelism.has_gradient_bucket())
    {
        job.gradientBucket = ParseBytes(parallelism.gradient_bucket());
    }
    if (scenario.schedule().has_overlapped_block())
    {
        job.overlappedBlock = ParseDuration(scenario.schedule().overlapped_block());
    }
}

TrainingPlan
ShapeForPlanning(const Scenario& scenario)
{
    TrainingPlan shape = ShapeOf(scenario);
    shape.crossDc = CrossDc::Pipeline;
    const auto* schedule = FindSchedule(shape.schedule);
    if (schedule != nullptr && !scenario.schedule().has_virtual_stages())
    {
        shape.virtualStages = DefaultVirtualStages(*schedule);
    }
    if (schedule != nullptr && schedule->fillsMemory && shape.memoryCap == 0)
    {
        shape.memoryCap = shape.microbatches;
    }
    return shape;
}

PlanRanges
ResolvePlanRanges(const Scenario& scenario)
{
    const auto& written = scenario.plan();
    const auto range = [](const auto& numbers)
    { return std::vector<std::uint32_t>(numbers.begin(), numbers.end()); };
    PlanRanges ranges;
    ranges.pipelineStages = range(written.pipeline_stages());
    ranges.tensorParallel = range(written.tensor_parallel());
    ranges.dataParallel = range(written.data_parallel());
    ranges.microbatchSizes = range(written.microbatch_size());
    ranges.warmupFactors = range(written.warmup_factor());
    ranges.cellSizes = range(written.cell_size());
    ranges.schedules.assign(written.schedule().begin(), written.schedule().end());
    for (const auto sharing : written.sharing())
    {
        ranges.sharing.push_back(EnumOf<WanSharing>(sharing));
    }
    for (const auto across : written.across())
    {
        ranges.crossDc.push_back(EnumOf<CrossDc>(across));
    }
    return ranges;
}

void
ResolveTraining(Scenario& scenario,
                TrainingSpec& spec,
                std::vector<std::string>& warnings,
                const ScenarioFile& file)
{
    CheckSize(scenario, file);
    const auto choice = ChooseSchedule(scenario, file);
    auto& parallelism = *scenario.mutable_parallelism();
    ResolveLayers(parallelism, choice.workerOfStage.size(), spec.job.model, file);
    CheckTensorParallel(scenario, file);
    CheckExpertParallel(scenario, spec.job.model, file);
    const auto hosts = HostsOf(scenario, file);
    spec.plan = ShapeOf(scenario);
    spec.plan.hosts = hosts;
    ResolveDataParallelism(scenario, spec.plan);
    ResolveCells(scenario, PlacePlan(spec.cluster, spec.plan), file);
    spec.plan.cellSize = Small(parallelism.cell_size());
    spec.plan.layersPerStage.assign(parallelism.layers_per_stage().begin(),
                                    parallelism.layers_per_stage().end());
    if (choice.custom)
    {
        spec.plan.customOrder = std::make_shared<const ScheduleOrder>(choice.custom->order);
    }
    spec.prepared = WithinMemory(MemoryLimitOf(scenario.run()),
                                 file.name,
                                 "run.memory_limit",
                                 [&] { return Prepare(spec, file); });
    WarnOfRival(spec.prepared, spec.plan.schedule, warnings);
    WarnOfTokensOverWan(spec, warnings);
    if (scenario.has_in_network())
    {
        ResolveInNetwork(scenario, spec, warnings, file);
    }
    if (!choice.custom && spec.prepared.order.noFlush)
    {
        LetItSettle(scenario);
    }
    CheckGpuMemory(scenario.run(), spec.prepared, spec.cluster, warnings, file);
}

} // namespace geotrain
