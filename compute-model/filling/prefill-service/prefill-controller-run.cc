// SPDX-License-Identifier: GPL-2.0-only
// Part of PrefillController: what runs on a worker, what comes of it, and where the KV cache goes.
#include "prefill-service/prefill-controller.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

/// Puts a batch into its worker's queue where a chunk of it is there.
void
PrefillController::Queue(std::uint32_t index, std::size_t stage)
{
    const Batch& batch = m_batches[index];
    const StageProgress& progress = batch.stages[stage];
    const WorkerIndex worker = m_chains[batch.chain].workers[stage];
    if (progress.done == progress.arrived)
    {
        m_host.Remove(worker, batch.rank);
        return;
    }
    FillWork work;
    work.worker = worker;
    work.job = batch.requests.front().number;
    work.part = static_cast<std::uint32_t>(stage);
    work.isOffline = batch.IsOffline();
    work.task = index;
    m_host.Queue(*this, batch.rank, work);
}

/// Runs the next chunk of a batch to its end or, if strict, as many whole layers as end before the
/// bubble does.
Duration
PrefillController::ToRun(FillWork& work)
{
    const Batch& batch = m_batches[work.task];
    const UnitWork& chunk = WorkOf(batch, work.part);
    const Duration into = batch.stages[work.part].into;
    Duration length = chunk.Sum() - into;
    if (m_options.policy == PlacementPolicy::Strict)
    {
        const auto end =
            m_loads.IdleOf(work.worker).EarliestEnd(m_host.Forecast().PositionOf(work.worker));
        if (!end || !(Now() + m_options.guard < *end))
        {
            return Duration();
        }
        const Duration room = into + (*end - m_options.guard - Now());
        const std::int64_t units =
            std::min<std::int64_t>(room.ToNanoseconds() / chunk.unit.ToNanoseconds(), chunk.units);
        length = chunk.unit * units - into;
    }
    if (length > Duration() && !work.isOffline)
    {
        m_loads.SetRunning(work.worker, Now());
    }
    return length;
}

FillYield
PrefillController::OnEnd(const FillWork& work, const FillEnd& end)
{
    const std::size_t stage = work.part;
    Batch& batch = m_batches[work.task];
    StageProgress& progress = batch.stages[stage];
    const UnitWork& of = WorkOf(batch, stage);
    Duration into = progress.into + end.computed;
    if (m_options.preemption == Preemption::Restart)
    {
        into = of.unit * (into.ToNanoseconds() / of.unit.ToNanoseconds());
    }
    const Duration done = into - progress.into;
    const double units = done.ToSeconds() / of.unit.ToSeconds();
    const FillYield yield{done, units * m_times.FlopsOfUnit(stage, NextChunk(batch, stage))};
    progress.into = into;
    m_loads.SetRunning(work.worker, std::nullopt);
    m_loads.Computed(work.worker, batch.IsOffline() ? Duration() : done);
    if (into == of.Sum())
    {
        OnChunkDone(work.task, stage);
    }
    return yield;
}

/// Training waits for the kernel in progress where that can't be stopped, and for what stopping
/// costs unless the work ends by itself.
TrainingWait
PrefillController::WaitFor(const FillWork& work, Duration ran) const
{
    const Batch& batch = m_batches[work.task];
    const std::size_t stage = work.part;
    TrainingWait wait;
    if (m_options.preemption != Preemption::Instant)
    {
        wait.work = m_times.RestOfKernel(m_chains[batch.chain].gpu,
                                         NextChunk(batch, stage),
                                         stage,
                                         batch.stages[stage].into + ran);
    }
    const bool isStopped = ran > Duration() && ran + wait.work < work.length;
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
        m_host.StartReady(m_chains[chain].workers[next]);
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
