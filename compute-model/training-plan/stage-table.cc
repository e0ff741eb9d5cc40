// SPDX-License-Identifier: GPL-2.0-only
// Layers and bytes follow from the model. Times follow from each data centre's GPUs, by the
// analytic model or a measured profile.
#include "training-plan/stage-table.h"

#include "units/config-error.h"

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

/// Makes a table. What the shares or the times throw becomes the refusal.
StageTable
MakeTable(const TrainingJob& job,
          const Cluster& cluster,
          const StageChoice& choice,
          const std::set<std::uint32_t>& dataCenters)
{
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
            plan.layersPerStage};
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
    std::vector<StageMemory> needed(plan.pipelineStages);
    for (std::size_t stage = 0; stage < table.shares.size(); ++stage)
    {
        const auto one = MemoryOfStage(job.model,
                                       table.shares[stage],
                                       ExecutionOf(job, plan.microbatchSize, plan.tensorParallel),
                                       inFlight[workers[stage]],
                                       job.shardsOptimizer ? plan.dataParallel : 1);
        const auto parameters =
            static_cast<double>(StageParameters(job.model, table.shares[stage]));
        const double copied = copies * weightBytes * parameters / plan.tensorParallel;
        StageMemory& memory = needed[workers[stage]];
        memory.state = memory.state + one.state + Bytes::Of(std::llround(copied));
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
    return WithSharedOptimizer(TimesOn(gpu, job, table.shares, execution), gpu, job, table, plan);
}

} // namespace geotrain
