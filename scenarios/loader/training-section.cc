#include "loader/training-section.h"

#include "hardware/gpu-catalogue.h"
#include "loader/nearest-names.h"
#include "schedule/schedule-catalogue.h"

#include <fmt/format.h>

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
SharesOf(scenario::Parallelism& parallelism, const TransformerSpec& model, const ScenarioFile& file)
{
    const auto stages = parallelism.pipeline_stages();
    if (stages > model.layers)
    {
        file.Fail("parallelism.pipeline_stages",
                  std::to_string(stages),
                  fmt::format("must be <= {}, the model's layers", model.layers));
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
                  fmt::format("must have {} entries, one for each pipeline stage, not {}",
                              stages,
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
        return Place(request);
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

ScheduleOrder
OrderOf(const Scenario& scenario, const ScenarioFile& file)
{
    const auto& written = scenario.schedule();
    const auto* schedule = FindSchedule(written.name());
    if (schedule == nullptr)
    {
        std::vector<std::string> names;
        for (const auto& known : ScheduleCatalogue())
        {
            names.push_back(known.name);
        }
        file.Fail("schedule.name", written.name(), UnknownName("schedule", written.name(), names));
    }
    ScheduleRequest request;
    request.stages = Small(scenario.parallelism().pipeline_stages());
    request.microbatches = Small(scenario.model().microbatches());
    request.warmupFactor = Small(written.warmup_factor());
    try
    {
        return schedule->make(request);
    }
    catch (const std::invalid_argument& broken)
    {
        file.Fail("schedule", written.name(), broken.what());
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

const GpuSpec&
GpuOfStage(const TrainingSection& section, std::uint32_t stage)
{
    return section.gpuOfDataCenter[section.placement.dataCenterOfStage[stage]];
}

// The stage that lacks most is named.
void
CheckMemory(const TrainingSection& section,
            const ModelSection& model,
            const StageExecution& execution,
            const ScenarioFile& file)
{
    double worst = 0;
    std::string rule;
    for (std::uint32_t stage = 0; stage < section.shares.size(); ++stage)
    {
        const auto& gpu = GpuOfStage(section, stage);
        const auto needed = MemoryOfStage(model.spec,
                                          section.shares[stage],
                                          execution.microbatchSize,
                                          execution.tensorParallel,
                                          execution.recomputation,
                                          section.order.activationCap[stage])
                                .Total();
        const double missing = static_cast<double>((needed - gpu.memory).Count());
        if (missing > worst)
        {
            worst = missing;
            rule = fmt::format(
                "must fit into memory: stage {} needs {:.1f} GB on each {} of {:.1f} GB, "
                "{:.1f} GB too much",
                stage,
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

std::vector<StageTiming>
TimingOf(const TrainingSection& section,
         const ModelSection& model,
         const StageExecution& execution,
         const ScenarioFile& file)
{
    std::vector<StageTiming> timing;
    std::uint32_t firstLayer = 0;
    for (std::uint32_t stage = 0; stage < section.shares.size(); ++stage)
    {
        const auto& share = section.shares[stage];
        const auto& gpu = GpuOfStage(section, stage);
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
        firstLayer += share.layers;
    }
    return timing;
}

} // namespace

TrainingSection
ResolveTraining(Scenario& scenario, const ModelSection& model, const ScenarioFile& file)
{
    TrainingSection section;
    for (int i = 0; i < scenario.data_center_size(); ++i)
    {
        section.gpuOfDataCenter.push_back(GpuNamed(
            scenario.data_center(i).gpu(), "data_center[" + std::to_string(i) + "].gpu", file));
    }
    CheckSize(scenario, file);
    section.shares = SharesOf(*scenario.mutable_parallelism(), model.spec, file);
    CheckTensorParallel(scenario, file);
    section.placement = PlaceStages(scenario, file);
    ResolveCells(scenario, section.placement, file);
    section.order = OrderOf(scenario, file);
    const auto execution = ExecutionOf(scenario, model.recomputation);
    CheckMemory(section, model, execution, file);
    section.timing = TimingOf(section, model, execution, file);
    return section;
}

} // namespace geotrain
