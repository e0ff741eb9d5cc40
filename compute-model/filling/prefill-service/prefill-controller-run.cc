// SPDX-License-Identifier: GPL-2.0-only
// Part of PrefillController: what runs on a worker, what comes of it, and where the KV cache goes.
#include "prefill-service/prefill-controller.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

/// Puts a batch into its worker's queue where a chunk of it is there. A request does not wait for an
/// offline prefill.
void
PrefillController::Queue(std::uint32_t index, std::size_t stage)
{
    const Batch& batch = m_batches[index];
    const StageProgress& progress = batch.stages[stage];
    const WorkerIndex worker = m_chains[batch.chain].workers[stage];
    ServingWorker& gpu = m_workers[worker];
    if (progress.done == progress.arrived)
    {
        gpu.ready.erase(batch.rank);
        return;
    }
    gpu.ready.emplace(batch.rank, index);
    if (gpu.since && m_batches[gpu.running].IsOffline() && !batch.IsOffline())
    {
        YieldSoon(worker);
    }
}

void
PrefillController::TryStart(WorkerIndex worker)
{
    ServingWorker& gpu = m_workers[worker];
    if (!gpu.seat || !m_host.IsFree(worker))
    {
        return;
    }
    if (gpu.ready.empty() && gpu.seat->stage == 0)
    {
        MakeOffline(gpu.seat->chain);
    }
    for (const auto& [rank, index] : gpu.ready)
    {
        const Duration length = LengthToRun(worker, index);
        if (length > Duration())
        {
            gpu.running = index;
            gpu.since = Now();
            gpu.computesUntil.reset();
            const PrefillRequest& first = m_batches[index].requests.front();
            m_loads.SetRunning(worker, first.isOffline ? std::nullopt : gpu.since);
            m_host.Start(*this,
                         {worker,
                          FillKind::Prefill,
                          first.number,
                          static_cast<std::uint32_t>(gpu.seat->stage),
                          length,
                          std::nullopt,
                          first.isOffline});
            return;
        }
    }
}

/// Returns how long the next chunk of a batch may run now: to its end or, if strict, as many whole
/// layers as end before the bubble does.
Duration
PrefillController::LengthToRun(WorkerIndex worker, std::uint32_t index) const
{
    const ServingWorker& gpu = m_workers[worker];
    const Batch& batch = m_batches[index];
    const UnitWork& work = WorkOf(batch, gpu.seat->stage);
    const Duration into = batch.stages[gpu.seat->stage].into;
    if (m_options.policy != PlacementPolicy::Strict)
    {
        return work.Sum() - into;
    }
    const auto end = m_loads.IdleOf(worker).EarliestEnd(m_host.Forecast().PositionOf(worker));
    if (!end || !(Now() + m_options.guard < *end))
    {
        return Duration();
    }
    const Duration room = into + (*end - m_options.guard - Now());
    const std::int64_t units =
        std::min<std::int64_t>(room.ToNanoseconds() / work.unit.ToNanoseconds(), work.units);
    return work.unit * units - into;
}

/// Stops an offline prefill at the end of its kernel.
void
PrefillController::YieldSoon(WorkerIndex worker)
{
    const ServingWorker& gpu = m_workers[worker];
    const Batch& batch = m_batches[gpu.running];
    const std::size_t stage = gpu.seat->stage;
    const Duration into = batch.stages[stage].into + (Now() - *gpu.since);
    const Duration rest =
        m_times.RestOfKernel(m_chains[batch.chain].gpu, NextChunk(batch, stage), stage, into);
    m_host.GetClock().Schedule(Now() + rest,
                               [this, worker, since = gpu.since]
                               {
                                   if (m_workers[worker].since == since)
                                   {
                                       m_host.Stop(worker);
                                   }
                               });
}

FillYield
PrefillController::OnEnd(const FillWork& work, const FillEnd& end)
{
    ServingWorker& gpu = m_workers[work.worker];
    const std::uint32_t index = gpu.running;
    const std::size_t stage = gpu.seat->stage;
    Batch& batch = m_batches[index];
    StageProgress& progress = batch.stages[stage];
    const UnitWork& of = WorkOf(batch, stage);
    const Duration onGpu = end.end - end.start;
    Duration into = progress.into + std::min(onGpu, gpu.computesUntil.value_or(onGpu));
    if (m_options.preemption == Preemption::Restart)
    {
        into = of.unit * (into.ToNanoseconds() / of.unit.ToNanoseconds());
    }
    const Duration done = into - progress.into;
    const double units = done.ToSeconds() / of.unit.ToSeconds();
    const FillYield yield{done, units * m_times.FlopsOfUnit(stage, NextChunk(batch, stage))};
    progress.into = into;
    gpu.since.reset();
    m_loads.SetRunning(work.worker, std::nullopt);
    m_loads.Computed(work.worker, batch.IsOffline() ? Duration() : done);
    if (into == of.Sum())
    {
        OnChunkDone(index, stage);
    }
    return yield;
}

/// Training waits for the kernel in progress where that can't be stopped, and for what stopping
/// costs unless the work ends by itself.
TrainingWait
PrefillController::WaitFor(const FillWork& work, Instant start, Instant ready)
{
    ServingWorker& gpu = m_workers[work.worker];
    const Batch& batch = m_batches[gpu.running];
    const std::size_t stage = gpu.seat->stage;
    const Duration ran = ready - start;
    TrainingWait wait;
    if (m_options.preemption != Preemption::Instant)
    {
        wait.work = m_times.RestOfKernel(m_chains[batch.chain].gpu,
                                         NextChunk(batch, stage),
                                         stage,
                                         batch.stages[stage].into + ran);
    }
    gpu.computesUntil = ran + wait.work;
    const bool isStopped = ran > Duration() && *gpu.computesUntil < work.length;
    wait.stop = isStopped ? m_options.preemptionCost : Duration();
    return wait;
}

/// The next stage gets what the chunk has computed.
void
PrefillController::OnChunkDone(std::uint32_t index, std::size_t stage)
{
    Batch& batch = m_batches[index];
    StageProgress& progress = batch.stages[stage];
    const std::uint32_t tokens = NextChunk(batch, stage).prompts.tokens;
    ++progress.done;
    progress.into = Duration();
    Queue(index, stage); // the host offers the worker again
    const bool isLastStage = stage + 1 == m_times.StageCount();
    const bool isDone = progress.done == m_times.ChunksOf(batch.prompts);
    if (!isLastStage)
    {
        SendActivation(index, stage, tokens);
    }
    if (!isDone)
    {
        return;
    }
    batch.stagesDone = stage + 1;
    if (isLastStage)
    {
        batch.firstToken = Now();
        if (batch.IsOffline())
        {
            --m_offline[batch.chain];
        }
        else
        {
            m_late.Add(Now() - batch.forecast);
        }
    }
    const auto& nodes = m_chains[batch.chain].nodes;
    if (isLastStage || nodes[stage + 1] != nodes[stage])
    {
        SendKv(index);
    }
}

/// Sends the result of a chunk from a stage to the next.
void
PrefillController::SendActivation(std::uint32_t index, std::size_t stage, std::uint32_t tokens)
{
    const std::size_t chain = m_batches[index].chain;
    auto arrived = [this, index, chain, next = stage + 1]
    {
        ++m_batches[index].stages[next].arrived;
        Queue(index, next);
        TryStart(m_chains[chain].workers[next]);
    };
    if (m_transfers.activation)
    {
        m_transfers.activation(chain, stage, m_times.ActivationOf(tokens), std::move(arrived));
        return;
    }
    m_host.GetClock().Schedule(Now() + m_times.Hop(m_chains[chain], stage, tokens),
                               std::move(arrived));
}

/// Sends the KV cache of the stages that are done on the node of the last of them.
void
PrefillController::SendKv(std::uint32_t index)
{
    Batch& batch = m_batches[index];
    const std::size_t first = batch.kvSent;
    Bytes size;
    for (std::size_t stage = first; stage < batch.stagesDone; ++stage)
    {
        size += m_times.KvOfWorker(stage, batch.prompts.tokens);
    }
    batch.kvSent = batch.stagesDone;
    ++batch.transfers;
    m_transfers.kv(batch.chain,
                   m_chains[batch.chain].nodes[first],
                   size,
                   [this, index, first, end = batch.stagesDone]
                   { OnDelivered(index, first, end); });
}

void
PrefillController::OnDelivered(std::uint32_t index, std::size_t firstStage, std::size_t endStage)
{
    Batch& batch = m_batches[index];
    for (std::size_t stage = firstStage; stage < endStage; ++stage)
    {
        m_loads.GiveRoom(batch.chain, stage, batch.prompts);
    }
    --batch.transfers;
    if (batch.transfers == 0 && batch.stagesDone == m_times.StageCount())
    {
        for (const PrefillRequest& request : batch.requests)
        {
            EndRequest(batch, request, RequestOutcome::Served);
        }
        m_batches.Free(index);
    }
    if (!m_waiting.IsEmpty())
    {
        PlaceWaiting();
    }
}

} // namespace geotrain
