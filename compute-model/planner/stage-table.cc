#include "planner/stage-table.h"

#include "planner/plan-shape.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace geotrain
{

namespace
{

StageTiming
TimeOne(const TrainingJob& job,
        const StageShare& share,
        std::uint32_t firstLayer,
        const GpuSpec& gpu,
        const StageExecution& execution)
{
    return job.timeStage ? job.timeStage(share, firstLayer, gpu, execution)
                         : TimeStage(job.model, share, gpu, execution);
}

} // namespace

StageTables::StageTables(const TrainingJob& job, const Cluster& cluster)
    : m_job(job),
      m_cluster(cluster)
{
}

const StageTable&
StageTables::Of(std::uint32_t pipelineStages,
                std::uint32_t tensorParallel,
                std::uint32_t microbatchSize)
{
    const auto key = std::make_tuple(pipelineStages, tensorParallel, microbatchSize);
    const auto found = m_tables.find(key);
    return found != m_tables.end()
               ? found->second
               : m_tables.emplace(key, Make(pipelineStages, tensorParallel, microbatchSize))
                     .first->second;
}

StageTable
StageTables::Make(std::uint32_t pipelineStages,
                  std::uint32_t tensorParallel,
                  std::uint32_t microbatchSize) const
{
    StageTable table;
    try
    {
        table.shares = SplitEvenly(m_job.model, pipelineStages);
        table.boundary = BoundaryActivationBytes(m_job.model, microbatchSize);
        table.tiedEmbeddingGradients =
            TiedEmbeddingGradientBytes(m_job.model, table.shares.front());
        for (const StageShare& share : table.shares)
        {
            table.gradients.push_back(StageGradientBytes(m_job.model, share));
        }
        const StageExecution execution{microbatchSize, tensorParallel, m_job.recomputation};
        for (const auto& dataCenter : m_cluster.dataCenters)
        {
            auto& times = table.timing.emplace_back();
            std::uint32_t firstLayer = 0;
            for (std::size_t stage = 0; dataCenter.Gpus() > 0 && stage < table.shares.size();
                 ++stage)
            {
                times.push_back(
                    TimeOne(m_job, table.shares[stage], firstLayer, dataCenter.gpu, execution));
                firstLayer += table.shares[stage].layers;
            }
        }
    }
    catch (const std::exception& broken) // an impossible share, or a measured profile without a row
    {
        table.refusal = broken.what();
    }
    return table;
}

std::vector<Bytes>
MemoryByWorker(const TrainingPlan& plan,
               const TrainingJob& job,
               const StageTable& table,
               const std::vector<std::uint32_t>& inFlight)
{
    constexpr double weightBytes = 2;
    const ScheduleEntry* schedule = FindSchedule(plan.schedule);
    const double copies = schedule != nullptr ? schedule->extraWeightCopies : 0;
    const auto workers = WorkersOfStages(plan);
    std::vector<StageMemory> needed(plan.pipelineStages);
    for (std::size_t stage = 0; stage < table.shares.size(); ++stage)
    {
        const auto one = MemoryOfStage(job.model,
                                       table.shares[stage],
                                       plan.microbatchSize,
                                       plan.tensorParallel,
                                       job.recomputation,
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
    std::vector<Bytes> totals;
    for (const StageMemory& memory : needed)
    {
        totals.push_back(memory.Total());
    }
    return totals;
}

std::vector<StageTiming>
TimesIn(std::uint32_t dataCenter,
        const TrainingJob& job,
        const Cluster& cluster,
        const StageTable& table,
        const TrainingPlan& plan)
{
    std::vector<StageTiming> times = table.timing[dataCenter];
    for (std::size_t stage = 0; job.shardsOptimizer && stage < times.size(); ++stage)
    {
        const auto parameters =
            static_cast<double>(StageParameters(job.model, table.shares[stage]));
        times[stage].optimizerStep =
            OptimizerStepTime(parameters / plan.tensorParallel / plan.dataParallel,
                              cluster.dataCenters[dataCenter].gpu);
    }
    return times;
}

} // namespace geotrain
