// SPDX-License-Identifier: GPL-2.0-only
// Part of PrefillController: what runs on a worker, what comes of it, and where the KV cache goes.
#include "prefill-service/prefill-controller.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

void
PrefillController::TryStart(WorkerIndex worker)
{
    ServingWorker& gpu = m_workers[worker];
    while (m_host.IsFree(worker) && gpu.reserved.First())
    {
        const Reservation next = *gpu.reserved.First();
        if (next.start > Now())
        {
            gpu.reserved.AwaitFirst();
            return;
        }
        Batch& batch = m_batches[next.batch];
        const Duration unit = UnitOf(batch, next.stage);
        const auto room =
            next.limit > Now() ? (next.limit - Now()).ToNanoseconds() / unit.ToNanoseconds() : 0;
        if (batch.stage != next.stage || batch.ready > Now() || room == 0)
        {
            Replace(next.batch);
            continue;
        }
        if (!batch.hasInput)
        {
            return; // its activation is late; it starts when that arrives
        }
        gpu.reserved.RemoveFirst();
        gpu.running = next;
        gpu.computesUntil.reset();
        gpu.units = static_cast<std::uint32_t>(std::min<std::int64_t>(next.units, room));
        batch.isRunning = true;
        m_host.Start(*this,
                     {worker,
                      FillKind::Prefill,
                      batch.requests.front().number,
                      static_cast<std::uint32_t>(next.stage),
                      unit * gpu.units});
    }
}

FillYield
PrefillController::OnEnd(const FillWork& work, const FillEnd& end)
{
    const ServingWorker& gpu = m_workers[work.worker];
    const Reservation ran = gpu.running;
    Batch& batch = m_batches[ran.batch];
    const Duration unit = UnitOf(batch, ran.stage);
    const Duration computed =
        std::min(end.end - end.start, gpu.computesUntil.value_or(end.end - end.start));
    const auto done = static_cast<std::uint32_t>(
        std::min<std::int64_t>(computed.ToNanoseconds() / unit.ToNanoseconds(), gpu.units));
    const FillYield yield{unit * done, done * m_times.FlopsOfUnit(ran.stage, batch.prompts)};
    batch.isRunning = false;
    batch.unitsDone += done;
    const bool isCut = done < ran.units || batch.mustReplace;
    if (batch.unitsDone == UnitsOf(batch, ran.stage))
    {
        OnStageDone(ran.batch);
    }
    if (isCut && batch.stage < m_times.StageCount())
    {
        Replace(ran.batch);
    }
    return yield;
}

/// Training waits for a layer where it may, else for a kernel where that can't be stopped, and for
/// what stopping costs unless the work ends by itself.
Duration
PrefillController::HoldTraining(const FillWork& work, Instant start, Instant ready)
{
    ServingWorker& gpu = m_workers[work.worker];
    const Batch& batch = m_batches[gpu.running.batch];
    const std::size_t stage = gpu.running.stage;
    const Duration ran = ready - start;
    const Duration unit = UnitOf(batch, stage);
    const auto intoUnit = Duration::Nanoseconds(ran.ToNanoseconds() % unit.ToNanoseconds());
    Duration rest;
    if (m_options.isRelaxed && !(unit - intoUnit > m_options.longestHold))
    {
        rest = unit - intoUnit;
    }
    else if (m_options.runsKernelsToEnd)
    {
        const std::uint32_t type = m_chains[batch.chain].gpu;
        rest = m_times.RestOfKernel(type, batch.prompts, stage, intoUnit);
    }
    if (intoUnit == Duration() || rest == Duration())
    {
        return Duration();
    }
    gpu.computesUntil = ran + rest;
    return rest + (ran + rest < work.length ? m_options.preemptionCost : Duration());
}

void
PrefillController::OnStageDone(std::uint32_t index)
{
    Batch& batch = m_batches[index];
    const ServingChain& chain = m_chains[batch.chain];
    const std::size_t done = batch.stage++;
    batch.unitsDone = 0;
    const bool isLast = batch.stage == m_times.StageCount();
    if (isLast)
    {
        batch.firstToken = Now();
    }
    else
    {
        SendActivation(index);
    }
    if (isLast || chain.nodes[batch.stage] != chain.nodes[done])
    {
        SendKv(index);
    }
}

/// Sends the result of the stage before the batch's to the batch's stage.
void
PrefillController::SendActivation(std::uint32_t index)
{
    Batch& batch = m_batches[index];
    const std::size_t done = batch.stage - 1;
    const std::uint32_t tokens = batch.prompts.tokens;
    batch.hasInput = false;
    batch.ready = Now() + m_times.Hop(m_chains[batch.chain], done, tokens);
    auto arrived = [this, index]
    {
        Batch& waiting = m_batches[index];
        waiting.hasInput = true;
        waiting.ready = Now();
        TryStart(WorkerOf(waiting, waiting.stage));
    };
    if (m_transfers.activation)
    {
        m_transfers.activation(batch.chain, done, m_times.ActivationOf(tokens), std::move(arrived));
        return;
    }
    m_host.GetClock().Schedule(batch.ready, std::move(arrived));
}

/// Sends the KV cache of the stages that are done on the node of the last of them.
void
PrefillController::SendKv(std::uint32_t index)
{
    Batch& batch = m_batches[index];
    const std::size_t first = batch.kvSent;
    Bytes size;
    for (std::size_t stage = first; stage < batch.stage; ++stage)
    {
        size += m_times.KvOfWorker(stage, batch.prompts.tokens);
    }
    batch.kvSent = batch.stage;
    ++batch.transfers;
    m_transfers.kv(batch.chain,
                   m_chains[batch.chain].nodes[first],
                   size,
                   [this, index, first, end = batch.stage] { OnDelivered(index, first, end); });
}

void
PrefillController::OnDelivered(std::uint32_t index, std::size_t firstStage, std::size_t endStage)
{
    Batch& batch = m_batches[index];
    for (std::size_t stage = firstStage; stage < endStage; ++stage)
    {
        m_planner.GiveKv(batch.chain, stage, m_times.KvOf(stage, batch.prompts.tokens));
    }
    --batch.transfers;
    if (batch.transfers > 0 || batch.stage < m_times.StageCount())
    {
        return;
    }
    for (const PrefillRequest& request : batch.requests)
    {
        EndRequest(batch, request, RequestOutcome::Served);
    }
    m_batches.Free(index);
}

} // namespace geotrain
