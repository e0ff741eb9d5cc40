// SPDX-License-Identifier: GPL-2.0-only
// Layers and bytes follow from the model. Times follow from each data centre's GPUs, by the
// analytic model or a measured profile.
#include "training-plan/stage-table.h"

#include "units/config-error.h"
#include "workload/expert-loads.h"
#include "workload/parameter-count.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <set>

namespace geotrain
{

namespace
{

std::vector<StageTiming>
TimesOn(const GpuSpec& gpu,
        const TrainingJob& job,
        const std::vector<StageShare>& shares,
        const StageExecution& execution)
{
    std::vector<StageTiming> times;
    for (const StageShare& share : shares)
    {
        times.push_back(TimeShare(job, share, gpu, execution));
    }
    return times;
}

/// Counts the routed experts of a stage.
std::int64_t
ExpertParameters(const TransformerSpec& model, const StageShare& share)
{
    std::int64_t parameters = 0;
    for (auto& like : LikeLayersOf(model, share))
    {
        like.shape.experts.perToken = 0; // so that a token meets none, and all are counted
        parameters += like.count * IdleExpertParameters(like.shape);
    }
    return parameters;
}

/// Takes the gradients of experts apart where replicas share these, and says what goes between them:
/// the hidden state of each token once for each expert that it meets, or of as many as the capacity
/// holds. Where experts are sent unlike numbers of tokens, all messages are as large as those of the
/// busiest replica. Where routing is limited to groups, which are on nodes, a token goes to each of
/// these once. The job's model is that of a worker.
void
AddExchange(const TrainingJob& job, const StageChoice& choice, StageTable& table)
{
    const TransformerSpec& model = job.model;
    const ExpertSpec& experts = model.experts;
    ExpertExchange& exchange = table.experts;
    exchange.degree = choice.expertParallel;
    exchange.isRecomputed = job.recomputation == Recomputation::Full;
    const double perToken =
        experts.perToken * (experts.capacityFactor > 0 ? experts.capacityFactor : 1);
    if (experts.groups > 0)
    {
        exchange.betweenNodes =
            std::min(1.0, static_cast<double>(experts.groupsPerToken) / experts.perToken);
    }
    exchange.size = Bytes::Of(std::llround(
        perToken *
        static_cast<double>(BoundaryActivationBytes(model, choice.microbatchSize).Count())));
    for (std::size_t stage = 0; stage < table.shares.size(); ++stage)
    {
        std::uint32_t layers = 0;
        for (const auto& like : LikeLayersOf(model, table.shares[stage]))
        {
            layers += like.shape.experts.count > 0 ? like.count : 0;
        }
        const auto gradients = Bytes::Of(ExpertParameters(model, table.shares[stage]) *
                                         model.gradientBytesPerParameter);
        exchange.layers.push_back(layers);
        exchange.gradients.push_back(gradients);
        table.gradients[stage] = table.gradients[stage] - gradients;
    }
}

/// Makes a table. What the shares or the times throw becomes the refusal.
StageTable
MakeTable(TrainingJob job,
          const Cluster& cluster,
          const StageChoice& choice,
          const std::set<std::uint32_t>& dataCenters)
{
    job.model = ModelOfWorker(job.model, choice.expertParallel);
    const auto execution = ExecutionOf(job, choice.microbatchSize, choice.tensorParallel);
    StageTable table;
    try
    {
        table.shares = choice.layersPerStage.empty()
                           ? SplitEvenly(job.model, choice.stages)
                           : SplitAsGiven(job.model, choice.layersPerStage);
        table.boundary = BoundaryActivationBytes(job.model, execution.microbatchSize) *
                         (job.sendsCopyPerGpu ? execution.tensorParallel : 1);
        table.tiedEmbeddingGradients = TiedEmbeddingGradientBytes(job.model, table.shares.front());
        for (const StageShare& share : table.shares)
        {
            table.gradients.push_back(StageGradientBytes(job.model, share));
            if (job.shardsOptimizer && job.software == Software::MegatronDeepspeed)
            {
                table.gathered.push_back(Bytes::Of(StageParameters(job.model, share) *
                                                   ActivationBytes(job.model.precision)));
            }
        }
        if (choice.expertParallel > 1)
        {
            AddExchange(job, choice, table);
        }
        table.timing.resize(cluster.dataCenters.size());
        for (const std::uint32_t dataCenter : dataCenters)
        {
            table.timing.at(dataCenter) =
                TimesOn(cluster.dataCenters[dataCenter].gpu, job, table.shares, execution);
        }
    }
    catch (const ConfigError& broken)
    {
        table.refusal = broken.what();
        table.isOfProfile = true;
    }
    catch (const std::exception& broken) // an impossible share
    {
        table.refusal = broken.what();
    }
    return table;
}

/// Returns the times with ZeRO-1's shorter optimiser step where the job has it.
std::vector<StageTiming>
WithSharedOptimizer(std::vector<StageTiming> times,
                    const GpuSpec& gpu,
                    const TrainingJob& job,
                    const StageTable& table,
                    const TrainingPlan& plan)
{
    for (std::size_t stage = 0; job.shardsOptimizer && stage < times.size(); ++stage)
    {
        if (job.timeStage) // a measured step is shared evenly
        {
            times[stage].optimizerStep = Duration::Nanoseconds(
                times[stage].optimizerStep.ToNanoseconds() / plan.dataParallel);
            continue;
        }
        const auto parameters =
            static_cast<double>(StageParameters(job.model, table.shares[stage]));
        times[stage].optimizerStep =
            OptimizerStepTime(parameters / plan.tensorParallel / plan.dataParallel,
                              WithKernelsAt(job.softwareEfficiency, gpu),
                              job.model.precision);
    }
    return times;
}

} // namespace

StageChoice
ChoiceOf(const TrainingPlan& plan)
{
    return {static_cast<std::uint32_t>(WorkersOfStages(plan).size()),
            plan.tensorParallel,
            plan.microbatchSize,
            plan.layersPerStage,
            plan.expertParallel};
}

TransformerSpec
ModelOfWorker(TransformerSpec model, std::uint32_t expertParallel)
{
    ExpertSpec& experts = model.experts;
    if (expertParallel > 1 && experts.capacityFactor == 0 && experts.imbalance > 0)
    {
        experts.capacityFactor = BusiestPart(experts, expertParallel);
    }
    experts.count /= expertParallel;
    return model;
}

bool
HaveLayers(const std::vector<StageShare>& shares, const std::vector<std::uint32_t>& layers)
{
    return std::equal(shares.begin(),
                      shares.end(),
                      layers.begin(),
                      layers.end(),
                      [](const StageShare& share, std::uint32_t count)
                      { return share.layers == count; });
}

StageExecution
ExecutionOf(const TrainingJob& job, std::uint32_t microbatchSize, std::uint32_t tensorParallel)
{
    return {microbatchSize,
            tensorParallel,
            job.recomputation,
            job.attention,
            job.tensorOverlap,
            job.software,
            job.softwareEfficiency};
}

StageTiming
TimeShare(const TrainingJob& job,
          const StageShare& share,
          const GpuSpec& gpu,
          const StageExecution& execution)
{
    return job.timeStage ? job.timeStage(share, gpu, execution)
                         : TimeStage(job.model, share, gpu, execution);
}

StageTable
MakeStageTable(const TrainingJob& job, const Cluster& cluster, const TrainingPlan& plan)
{
    std::set<std::uint32_t> dataCenters;
    for (const auto& host : plan.hosts)
    {
        dataCenters.insert(host.dataCenter);
    }
    return MakeTable(job, cluster, ChoiceOf(plan), dataCenters);
}

StageTables::StageTables(const TrainingJob& job, const Cluster& cluster)
    : m_job(job),
      m_cluster(cluster)
{
}

const StageTable&
StageTables::Of(const StageChoice& choice)
{
    const auto [found, isNew] = m_tables.try_emplace(choice);
    if (isNew)
    {
        std::set<std::uint32_t> dataCenters; // all with GPUs
        for (std::uint32_t index = 0; index < m_cluster.dataCenters.size(); ++index)
        {
            if (m_cluster.GpusOf(index) > 0)
            {
                dataCenters.insert(index);
            }
        }
        found->second = MakeTable(m_job, m_cluster, choice, dataCenters);
    }
    return found->second;
}

std::vector<StageMemory>
MemoryByWorker(const TrainingPlan& plan,
               const TrainingJob& job,
               const StageTable& table,
               const std::vector<std::uint32_t>& inFlight)
{
    const double weightBytes = ActivationBytes(job.model.precision);
    const ScheduleEntry* schedule = plan.customOrder ? nullptr : FindSchedule(plan.schedule);
    const double copies = schedule != nullptr ? schedule->extraWeightCopies : 0;
    const auto workers = WorkersOfStages(plan);
    const auto model = ModelOfWorker(job.model, plan.expertParallel);
    std::vector<StageMemory> needed(plan.pipelineStages);
    for (std::size_t stage = 0; stage < table.shares.size(); ++stage)
    {
        const auto shards = job.shardsOptimizer ? plan.dataParallel : 1;
        const auto one = MemoryOfStage(model,
                                       table.shares[stage],
                                       ExecutionOf(job, plan.microbatchSize, plan.tensorParallel),
                                       inFlight[workers[stage]],
                                       shards);
        const auto parameters = static_cast<double>(StageParameters(model, table.shares[stage]));
        const double copied = copies * weightBytes * parameters / plan.tensorParallel;
        // A sharded optimiser's state of an expert is on the replicas that have it, dp / ep of them.
        const double others = plan.expertParallel - 1.0;
        const double apart =
            job.shardsOptimizer
                ? others * static_cast<double>(OptimizerStateBytesPerParameter(model.precision)) *
                      static_cast<double>(ExpertParameters(model, table.shares[stage])) /
                      plan.tensorParallel / plan.dataParallel
                : 0;
        StageMemory& memory = needed[workers[stage]];
        memory.state = memory.state + one.state + Bytes::Of(std::llround(copied + apart));
        memory.activations = std::max(memory.activations, one.activations);
        memory.working = std::max(memory.working, one.working);
    }
    return needed;
}

std::vector<StageTiming>
TimesIn(std::uint32_t dataCenter,
        const TrainingJob& job,
        const Cluster& cluster,
        const StageTable& table,
        const TrainingPlan& plan)
{
    return WithSharedOptimizer(
        table.timing[dataCenter], cluster.dataCenters[dataCenter].gpu, job, table, plan);
}

std::vector<StageTiming>
TimesOnGpu(const GpuSpec& gpu,
           const TrainingJob& job,
           const StageTable& table,
           const TrainingPlan& plan)
{
    const auto execution = ExecutionOf(job, plan.microbatchSize, plan.tensorParallel);
    auto own = job;
    own.model = ModelOfWorker(job.model, plan.expertParallel);
    return WithSharedOptimizer(TimesOn(gpu, own, table.shares, execution), gpu, job, table, plan);
}

} // namespace geotrain
