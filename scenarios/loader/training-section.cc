#include "loader/training-section.h"

#include "hardware/gpu-catalogue.h"
#include "loader/hop-times.h"
#include "loader/nearest-names.h"
#include "loader/schedule-section.h"
#include "placement/replica-placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

namespace geotrain
{

namespace
{

using scenario::Scenario;

// Instructions of a run are kept in memory: what is beyond this is a slip.
constexpr std::int64_t mostComputations = 50000000;

std::uint32_t
Small(std::int64_t checked)
{
    return static_cast<std::uint32_t>(checked);
}

bool
HasReplicasAcross(const Scenario& scenario)
{
    return scenario.parallelism().across() != scenario::STAGES;
}

GpuSpec
GpuNamed(const std::string& name, const std::string& field, const ScenarioFile& file)
{
    const auto gpu = FindGpu(name);
    if (!gpu)
    {
        std::vector<std::string> names;
        for (const auto& known : GpuCatalogue())
        {
            names.push_back(known.name);
        }
        file.Fail(field, name, UnknownName("GPU", name, names));
    }
    return *gpu;
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

std::vector<StageShare>
SharesOf(scenario::Parallelism& parallelism,
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
        const auto shares = SplitEvenly(model, Small(stages));
        for (const auto& share : shares)
        {
            parallelism.add_layers_per_stage(share.layers);
        }
        return shares;
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
    std::vector<std::uint32_t> layers;
    std::int64_t sum = 0;
    for (const auto count : parallelism.layers_per_stage())
    {
        layers.push_back(Small(count));
        sum += count;
    }
    if (sum != model.layers)
    {
        file.Fail("parallelism.layers_per_stage",
                  "",
                  fmt::format("must add up to {}, the model's layers, not {}", model.layers, sum));
    }
    return SplitAsGiven(model, layers);
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

// What each data centre hosts where replicas are across them: as written, else filled in order.
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

Placement
PlaceStages(const Scenario& scenario, const ScenarioFile& file)
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
        return HasReplicasAcross(scenario) ? PlaceReplicas(request, ReplicasOf(scenario))
                                           : Place(request);
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

StageExecution
ExecutionOf(const Scenario& scenario, Recomputation recomputation)
{
    StageExecution execution;
    execution.microbatchSize = Small(scenario.model().microbatch_size());
    execution.tensorParallel = Small(scenario.parallelism().tensor_parallel());
    execution.recomputation = recomputation;
    return execution;
}

// Each worker of a pipeline, or each once for every data centre that hosts replicas.
std::vector<std::pair<std::uint32_t, std::uint32_t>>
WorkersAndDataCenters(const TrainingSection& section)
{
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    const auto& replicas = section.placement.dataCenterOfReplica;
    const std::set<std::uint32_t> dataCenters(replicas.begin(), replicas.end());
    for (std::uint32_t worker = 0; worker < section.placement.stages; ++worker)
    {
        if (replicas.empty())
        {
            pairs.emplace_back(worker, section.placement.dataCenterOfStage[worker]);
        }
        for (const auto dataCenter : dataCenters)
        {
            pairs.emplace_back(worker, dataCenter);
        }
    }
    return pairs;
}

// The replicas that share the optimiser's state (ZeRO-1).
std::uint32_t
OptimizerShards(const Scenario& scenario)
{
    const auto& parallelism = scenario.parallelism();
    return parallelism.shard_optimizer() ? Small(parallelism.data_parallel()) : 1;
}

// The worker that lacks most is named.
void
CheckMemory(const Scenario& scenario,
            const TrainingSection& section,
            const ModelSection& model,
            const ScenarioFile& file)
{
    double worst = 0;
    std::string rule;
    for (const auto& [worker, dataCenter] : WorkersAndDataCenters(section))
    {
        const auto& gpu = section.gpuOfDataCenter[dataCenter];
        const auto needed =
            MemoryOfWorker(worker, section.order.activationCap[worker], scenario, section, model)
                .Total();
        const double missing = static_cast<double>((needed - gpu.memory).Count());
        if (missing > worst)
        {
            worst = missing;
            rule =
                fmt::format("must fit into memory: {} {} needs {:.1f} GB on each {} of {:.1f} GB, "
                            "{:.1f} GB too much",
                            section.order.stagesOfWorker.empty() ? "stage" : "worker",
                            worker,
                            static_cast<double>(needed.Count()) * 1e-9,
                            gpu.name,
                            static_cast<double>(gpu.memory.Count()) * 1e-9,
                            missing * 1e-9);
        }
    }
    if (worst > 0)
    {
        file.Fail("model", "", rule);
    }
}

// Of all stages, each on the GPUs of its data centre in `dataCenterOfStage`.
std::vector<StageTiming>
TimingOn(const std::vector<std::uint32_t>& dataCenterOfStage,
         const Scenario& scenario,
         const TrainingSection& section,
         const ModelSection& model,
         const ScenarioFile& file)
{
    const auto execution = ExecutionOf(scenario, model.recomputation);
    std::vector<StageTiming> timing;
    std::uint32_t firstLayer = 0;
    for (std::uint32_t stage = 0; stage < section.shares.size(); ++stage)
    {
        const auto& share = section.shares[stage];
        const auto& gpu = section.gpuOfDataCenter[dataCenterOfStage[stage]];
        try
        {
            timing.push_back(model.profile ? model.profile->TimeStage(
                                                 model.spec, share, firstLayer, gpu, execution)
                                           : TimeStage(model.spec, share, gpu, execution));
        }
        catch (const std::invalid_argument& broken)
        {
            file.Fail("parallelism.tensor_parallel",
                      std::to_string(execution.tensorParallel),
                      broken.what());
        }
        const auto parameters = static_cast<double>(StageParameters(model.spec, share));
        timing.back().optimizerStep = OptimizerStepTime(
            parameters / execution.tensorParallel / OptimizerShards(scenario), gpu);
        firstLayer += share.layers;
    }
    return timing;
}

void
ResolveTiming(const Scenario& scenario,
              TrainingSection& section,
              const ModelSection& model,
              const ScenarioFile& file)
{
    if (!HasReplicasAcross(scenario))
    {
        std::vector<std::uint32_t> dataCenterOfStage;
        for (const auto worker : section.workerOfStage)
        {
            dataCenterOfStage.push_back(section.placement.dataCenterOfStage[worker]);
        }
        section.timing = TimingOn(dataCenterOfStage, scenario, section, model, file);
        return;
    }
    const auto& replicas = section.placement.dataCenterOfReplica;
    for (std::uint32_t dataCenter = 0; dataCenter < section.gpuOfDataCenter.size(); ++dataCenter)
    {
        const auto here = std::count(replicas.begin(), replicas.end(), dataCenter);
        if (here > 0)
        {
            const std::vector<std::uint32_t> all(section.shares.size(), dataCenter);
            section.replicaHosts.push_back(
                {Small(here), TimingOn(all, scenario, section, model, file)});
        }
    }
}

// What the schedule plans with: where replicas are across data centres, the times of the first one's.
ScheduleTimes
TimesOf(const Scenario& scenario,
        const TrainingSection& section,
        const ModelSection& model,
        const WanTopology& topology)
{
    const auto boundary =
        BoundaryActivationBytes(model.spec, Small(scenario.model().microbatch_size()));
    ScheduleTimes times;
    times.stages =
        section.replicaHosts.empty() ? section.timing : section.replicaHosts.front().timing;
    times.hops = HopTimes(scenario, topology, section.placement, section.workerOfStage, boundary);
    return times;
}

} // namespace

std::vector<GpuSpec>
GpusOfDataCenters(const Scenario& scenario, const ScenarioFile& file)
{
    std::vector<GpuSpec> gpus;
    for (int i = 0; i < scenario.data_center_size(); ++i)
    {
        const auto field = "data_center[" + std::to_string(i) + "].gpu";
        if (!scenario.data_center(i).has_gpu())
        {
            file.Fail(field, "", "must be set");
        }
        gpus.push_back(GpuNamed(scenario.data_center(i).gpu(), field, file));
    }
    return gpus;
}

// A schedule without flush keeps more copies of the weights (bf16, 2 bytes a parameter).
StageMemory
MemoryOfWorker(std::uint32_t worker,
               std::uint32_t activations,
               const Scenario& scenario,
               const TrainingSection& section,
               const ModelSection& model)
{
    const auto execution = ExecutionOf(scenario, model.recomputation);
    constexpr double weightBytes = 2;
    const auto& order = section.order;
    const double copies = order.noFlush ? order.noFlush->extraWeightCopies : 0;
    StageMemory memory;
    for (std::uint32_t stage = 0; stage < section.shares.size(); ++stage)
    {
        if (section.workerOfStage[stage] != worker)
        {
            continue;
        }
        const auto one = MemoryOfStage(model.spec,
                                       section.shares[stage],
                                       execution.microbatchSize,
                                       execution.tensorParallel,
                                       execution.recomputation,
                                       activations,
                                       OptimizerShards(scenario));
        const auto parameters =
            static_cast<double>(StageParameters(model.spec, section.shares[stage]));
        const double copied = copies * weightBytes * parameters / execution.tensorParallel;
        memory.state = memory.state + one.state + Bytes::Of(std::llround(copied));
        memory.activations = std::max(memory.activations, one.activations);
        memory.working = std::max(memory.working, one.working);
    }
    return memory;
}

TrainingSection
ResolveTraining(Scenario& scenario,
                const ModelSection& model,
                const WanTopology& topology,
                const ScenarioFile& file)
{
    TrainingSection section;
    section.gpuOfDataCenter = GpusOfDataCenters(scenario, file);
    CheckSize(scenario, file);
    const auto choice = ChooseSchedule(scenario, file);
    section.workerOfStage = choice.workerOfStage;
    section.shares =
        SharesOf(*scenario.mutable_parallelism(), section.workerOfStage.size(), model.spec, file);
    CheckTensorParallel(scenario, file);
    section.placement = PlaceStages(scenario, file);
    ResolveCells(scenario, section.placement, file);
    ResolveTiming(scenario, section, model, file);
    section.order = MakeOrder(scenario, choice, TimesOf(scenario, section, model, topology), file);
    CheckMemory(scenario, section, model, file);
    return section;
}

} // namespace geotrain
