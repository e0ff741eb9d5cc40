// SPDX-License-Identifier: GPL-2.0-only
#include "loader/fill-section.h"

#include "fill-jobs/fill-arrivals.h"
#include "fill-jobs/fill-catalogue.h"
#include "loader/inlined-lines.h"
#include "schema/scenario.pb.h"
#include "units/quantity-parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace geotrain
{

namespace
{

using scenario::Scenario;

const char* const fillSection = "fill_jobs";

std::string
Field(const std::string& list, int index, const std::string& field)
{
    return fmt::format("{}.{}[{}].{}", fillSection, list, index, field);
}

FillTask
TaskOf(scenario::FillTask::Kind task)
{
    return task == scenario::FillTask::TRAINING ? FillTask::Training : FillTask::Inference;
}

/// Returns the GPU of each worker.
std::vector<const GpuSpec*>
GpusOfWorkers(const TrainingSpec& training)
{
    std::vector<const GpuSpec*> gpus;
    for (const NodeIndex node : training.prepared.placement.nodeOfWorker)
    {
        gpus.push_back(&training.cluster.GpuOfNode(node));
    }
    return gpus;
}

/// Returns the types of the GPUs that train, each once, in the order of the workers.
std::vector<GpuSpec>
TypesOf(const std::vector<const GpuSpec*>& gpus)
{
    std::vector<GpuSpec> types;
    for (const GpuSpec* gpu : gpus)
    {
        const bool isKnown =
            std::any_of(types.begin(),
                        types.end(),
                        [gpu](const GpuSpec& known) { return known.name == gpu->name; });
        if (!isKnown)
        {
            types.push_back(*gpu);
        }
    }
    return types;
}

std::shared_ptr<const FillProgram>
ProgramOf(const scenario::FillModel& model)
{
    constexpr std::int64_t mostSteps = 10000; // a plan takes as many steps squared
    std::vector<FillOperator> operators;
    std::int64_t steps = 0;
    for (const auto& written : model.operator_())
    {
        steps += written.times();
        if (steps > mostSteps)
        {
            throw std::invalid_argument(
                "must have at most 10000 steps in a pass: the sum of its operators' times");
        }
        for (std::int64_t i = 0; i < written.times(); ++i)
        {
            operators.push_back({written.name(),
                                 ParseDuration(written.duration()),
                                 ParseBytes(written.memory()),
                                 Flops::Of(written.flops()),
                                 written.checkpointable(),
                                 static_cast<std::uint32_t>(written.kernels())});
        }
    }
    return std::make_shared<const FillProgram>(
        model.name(), static_cast<std::uint32_t>(model.samples()), std::move(operators));
}

void
AddOwnModels(FillModels& models, const scenario::FillJobs& jobs, const ScenarioFile& file)
{
    for (int i = 0; i < jobs.model_size(); ++i)
    {
        const auto& model = jobs.model(i);
        if (FindFillModel(model.name()) != nullptr ||
            models.Find(model.name(), TaskOf(model.task())) != nullptr)
        {
            file.Fail(Field("model", i, "name"), model.name(), "is taken by another model");
        }
        try
        {
            models.Add(model.name(), TaskOf(model.task()), ProgramOf(model));
        }
        catch (const std::invalid_argument& broken)
        {
            file.Fail(fmt::format("{}.model[{}]", fillSection, i), model.name(), broken.what());
        }
    }
}

/// Adds the models of the catalogue that fit into a GPU's memory.
void
AddCatalogue(FillModels& models, const GpuSpec& gpu)
{
    for (const FillModel& model : FillModelCatalogue())
    {
        for (const FillTask task : {FillTask::Training, FillTask::Inference})
        {
            try
            {
                models.AddFromCatalogue(model, task, gpu);
            }
            catch (const std::invalid_argument&)
            {
                continue; // reported where a job asks for the model
            }
        }
    }
}

/// Throws the ConfigError for a model of the mix that is unknown or doesn't fit a GPU.
[[noreturn]] void
FailMix(const scenario::FillMix& kind,
        int index,
        const FillModels& models,
        const GpuSpec& gpu,
        const ScenarioFile& file)
{
    const FillModel* known = FindFillModel(kind.model());
    if (known != nullptr)
    {
        try
        {
            FillModels().AddFromCatalogue(*known, TaskOf(kind.task()), gpu);
        }
        catch (const std::invalid_argument& broken)
        {
            file.Fail(Field("mix", index, "model"), kind.model(), broken.what());
        }
    }
    file.Fail(Field("mix", index, "model"), kind.model(), "must be one of " + models.Names());
}

void
AddToMix(scenario::FillJobs& jobs, const std::string& model, FillTask task)
{
    auto& kind = *jobs.add_mix();
    kind.set_model(model);
    kind.set_task(task == FillTask::Training ? scenario::FillTask::TRAINING
                                             : scenario::FillTask::INFERENCE);
    kind.set_weight(1);
}

void
ResolveMix(scenario::FillJobs& jobs, const FillModels& models)
{
    if (jobs.mix_size() > 0)
    {
        return;
    }
    for (const FillModel& model : FillModelCatalogue())
    {
        for (const FillTask task : {FillTask::Training, FillTask::Inference})
        {
            if (models.Find(model.name, task) != nullptr)
            {
                AddToMix(jobs, model.name, task);
            }
        }
    }
    for (const auto& model : jobs.model())
    {
        AddToMix(jobs, model.name(), TaskOf(model.task()));
    }
}

std::vector<FillJob>
Generate(const Scenario& scenario,
         const FillModels& models,
         const std::vector<GpuSpec>& gpus,
         const ScenarioFile& file)
{
    const auto& written = scenario.fill_jobs();
    FillGeneratorInputs inputs;
    inputs.jobs = static_cast<std::uint32_t>(written.jobs());
    inputs.jobsPerHour = written.jobs_per_hour();
    inputs.medianTime = ParseDuration(written.median_time());
    inputs.sigma = written.sigma();
    inputs.deadlineFactor = written.deadline_factor();
    for (const GpuSpec& gpu : gpus)
    {
        inputs.gpuMemory = std::max(inputs.gpuMemory, gpu.memory);
    }
    inputs.seed = static_cast<std::uint64_t>(scenario.run().seed());
    for (int i = 0; i < written.mix_size(); ++i)
    {
        const auto& kind = written.mix(i);
        if (models.Find(kind.model(), TaskOf(kind.task())) == nullptr)
        {
            FailMix(kind, i, models, gpus.front(), file);
        }
        inputs.mix.push_back({kind.model(), TaskOf(kind.task()), kind.weight()});
    }
    return GenerateFillJobs(inputs, models);
}

std::vector<FillJob>
ReadTrace(scenario::FillJobs& jobs, const FillModels& models, const ScenarioFile& file)
{
    const InlinedText trace = InlineLines(
        jobs.trace(), "fill_jobs.trace", "fill_jobs.trace_line", *jobs.mutable_trace_line(), file);
    jobs.clear_trace();
    return ParseFillTrace(trace.name, trace.text, models);
}

FillPolicy
PolicyOf(const scenario::FillJobs& jobs, const ScenarioFile& file)
{
    if (jobs.has_score())
    {
        const FillScoreWeights weights{jobs.score().processing_time(),
                                       jobs.score().fastest_time(),
                                       jobs.score().arrival(),
                                       jobs.score().deadline()};
        return WeightedScore(weights);
    }
    try
    {
        return FindFillPolicy(jobs.policy());
    }
    catch (const std::invalid_argument& broken)
    {
        file.Fail("fill_jobs.policy", jobs.policy(), std::string(broken.what()) + ", score");
    }
}

PipeFillerOptions
OptionsOf(const scenario::FillJobs& jobs, const ScenarioFile& file)
{
    PipeFillerOptions options;
    options.policy = PolicyOf(jobs, file);
    options.costs.fillFraction = jobs.fill_fraction();
    options.costs.contextSwitch = ParseDuration(jobs.context_switch());
    options.costs.pcieRate = ParseBitRate(jobs.pcie_rate());
    options.costs.offloadsOptimizerState = jobs.offload_optimizer_state();
    options.costs.preemption = EnumOf<Preemption>(jobs.preemption());
    return options;
}

/// Returns the optimiser state on each GPU of the worker at `place` in a pipeline.
Bytes
OptimizerState(std::uint32_t place, const TrainingSpec& training)
{
    const PreparedPlan& prepared = training.prepared;
    const TrainingJob& job = training.job;
    const std::int64_t shards = job.shardsOptimizer ? training.plan.dataParallel : 1;
    std::int64_t parameters = 0;
    for (std::size_t stage = 0; stage < prepared.shares.size(); ++stage)
    {
        parameters += prepared.workerOfStage[stage] == place
                          ? StageParameters(job.model, prepared.shares[stage])
                          : 0;
    }
    return Bytes::Of(OptimizerStateBytesPerParameter(job.model.precision) * parameters /
                     std::int64_t{training.plan.tensorParallel} / shards);
}

/// Returns the workers. Those of a class have the same place in pipelines of the same GPUs, and so
/// the same bubbles.
std::vector<FillWorker>
WorkersOf(const TrainingSpec& training, const std::vector<const GpuSpec*>& gpus)
{
    std::map<std::pair<std::vector<std::string>, std::uint32_t>, std::uint32_t> classes;
    std::vector<FillWorker> workers;
    for (std::uint32_t replica = 0; replica < training.plan.dataParallel; ++replica)
    {
        std::vector<std::string> names;
        for (std::uint32_t place = 0; place < training.plan.pipelineStages; ++place)
        {
            names.push_back(gpus[workers.size() + place]->name);
        }
        for (std::uint32_t place = 0; place < training.plan.pipelineStages; ++place)
        {
            const auto next = static_cast<std::uint32_t>(classes.size());
            workers.push_back({classes.try_emplace({names, place}, next).first->second,
                               training.plan.tensorParallel,
                               OptimizerState(place, training),
                               names[place]});
        }
    }
    return workers;
}

void
CheckIterations(const Scenario& scenario, const ScenarioFile& file)
{
    const auto iterations = scenario.run().warmup_iterations() + scenario.run().iterations();
    if (iterations < 2)
    {
        file.Fail("run.iterations",
                  std::to_string(scenario.run().iterations()),
                  "must be >= 2 with fill_jobs, warmup_iterations counted: the first iteration is "
                  "profiled, "
                  "and not filled");
    }
}

} // namespace

FillSection
ResolveFillJobs(Scenario& scenario, const TrainingSpec& training, const ScenarioFile& file)
{
    FillSection resolved;
    auto& jobs = *scenario.mutable_fill_jobs();
    CheckIterations(scenario, file);
    const auto gpus = GpusOfWorkers(training);
    const auto types = TypesOf(gpus);
    FillModels models;
    for (const GpuSpec& gpu : types)
    {
        AddCatalogue(models, gpu);
    }
    AddOwnModels(models, jobs, file);
    resolved.options = OptionsOf(jobs, file);
    resolved.workers = WorkersOf(training, gpus);
    if (jobs.has_jobs())
    {
        ResolveMix(jobs, models);
        resolved.jobs = Generate(scenario, models, types, file);
    }
    else
    {
        resolved.jobs = ReadTrace(jobs, models, file);
    }
    return resolved;
}

} // namespace geotrain
