// SPDX-License-Identifier: GPL-2.0-only
#include "prefill-service/prefill-controller.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

// Requests without room after which placing stops. What waits behind them may be shorter and find
// some.
constexpr int mostFailures = 8;

} // namespace

Instant
DeadlineOf(const PrefillRequest& request, const ControllerOptions& options)
{
    return options.objective ? request.arrival + *options.objective +
                                   options.objectivePerToken * request.promptTokens
                             : Instant::Never();
}

PrefillController::PrefillController(FillHost& host,
                                     const ServingTimes& times,
                                     RequestSource& source,
                                     ControllerOptions options,
                                     ServingTransfers transfers)
    : m_host(host),
      m_times(times),
      m_chains(times.Chains().chains),
      m_options(std::move(options)),
      m_intake(host.GetClock(),
               source,
               {times.MaxContext(), m_options.batchTokens, m_options.batchWait},
               [this](std::vector<PrefillRequest> requests) { Enqueue(std::move(requests)); }),
      m_transfers(std::move(transfers)),
      m_loads(times, host.Forecast().Workers()),
      m_seats(host.Forecast().Workers()),
      m_offline(m_chains.size())
{
    for (std::size_t chain = 0; chain < m_chains.size(); ++chain)
    {
        for (std::size_t stage = 0; stage < m_chains[chain].workers.size(); ++stage)
        {
            m_seats[m_chains[chain].workers[stage]] = Seat{chain, stage};
        }
    }
}

void
PrefillController::Observe(ServingObserver& observer)
{
    m_observers.push_back(&observer);
}

Instant
PrefillController::Now() const
{
    return m_host.GetClock().Now();
}

void
PrefillController::Begin()
{
    m_intake.Begin();
}

void
PrefillController::Enqueue(std::vector<PrefillRequest> requests)
{
    const std::uint32_t index = m_batches.Add({});
    Batch& batch = m_batches[index];
    batch.requests = std::move(requests);
    batch.prompts = {0, static_cast<std::uint32_t>(batch.requests.size())};
    batch.deadline = Instant::Never();
    for (const PrefillRequest& request : batch.requests)
    {
        batch.prompts.tokens += request.promptTokens;
        batch.deadline = std::min(batch.deadline, DeadlineOf(request, m_options));
    }
    const PrefillRequest& first = batch.requests.front();
    const bool needsBubbles = m_options.policy == PlacementPolicy::Strict;
    if (first.promptTokens > m_times.MaxContext() || !m_loads.HaveMemoryFor(batch.prompts) ||
        (needsBubbles && !m_loads.HaveBubblesFor(batch.prompts, m_options.guard)))
    {
        Refuse(index, RequestOutcome::TooLong);
        return;
    }
    const bool isFifo = m_options.policy == PlacementPolicy::Fifo;
    batch.rank = {isFifo ? first.arrival : batch.deadline, first.number};
    m_waiting.Add(index, batch);
    PlaceWaiting();
}

/// The index is free afterwards.
void
PrefillController::Refuse(std::uint32_t index, RequestOutcome outcome)
{
    Batch& batch = m_batches[index];
    batch.decided = Now();
    batch.promised.reset();
    for (const PrefillRequest& request : batch.requests)
    {
        EndRequest(batch, request, outcome);
    }
    m_batches.Free(index);
}

void
PrefillController::EndRequest(const Batch& batch,
                              const PrefillRequest& request,
                              RequestOutcome outcome)
{
    RequestEnd end;
    end.request = request;
    end.outcome = outcome;
    end.decided = batch.decided.value_or(Now());
    end.promised = batch.promised;
    end.batch = static_cast<std::uint32_t>(batch.requests.size());
    if (outcome == RequestOutcome::Served)
    {
        end.firstToken = batch.firstToken;
        end.delivered = Now();
        end.metObjective = batch.firstToken <= DeadlineOf(request, m_options);
    }
    for (ServingObserver* observer : m_observers)
    {
        observer->RequestEnded(end);
    }
}

void
PrefillController::PlaceWaiting()
{
    while (const auto expired = m_waiting.TakeExpired(Now()))
    {
        Refuse(*expired, RequestOutcome::TooLate);
    }
    m_waiting.PlaceEach(mostFailures, [this](std::uint32_t index) { return TryPlace(index); });
}

/// Returns false where no chain has room for the batch, which then waits. It is refused where it
/// is forecast to end after its deadline.
bool
PrefillController::TryPlace(std::uint32_t index)
{
    Batch& batch = m_batches[index];
    const auto forecast = m_loads.Earliest(batch.prompts, Now());
    if (!forecast)
    {
        return false;
    }
    batch.forecast = forecast->End();
    batch.promised =
        batch.forecast == Instant::Never() ? Instant::Never() : batch.forecast + m_late.Bound();
    if (batch.deadline < *batch.promised)
    {
        Refuse(index, RequestOutcome::TooLate);
        return true;
    }
    m_loads.Add(*forecast, batch.prompts);
    Place(index, forecast->chain);
    m_host.StartReady(m_chains[forecast->chain].workers.front());
    return true;
}

void
PrefillController::Place(std::uint32_t index, std::size_t chain)
{
    Batch& batch = m_batches[index];
    batch.decided = Now();
    batch.chain = chain;
    batch.stages.resize(m_times.StageCount());
    batch.stages.front().arrived = m_times.ChunksOf(batch.prompts);
    m_loads.TakeRoom(chain, batch.prompts);
    Queue(index, 0);
}

/// Gives a chain one more offline prefill where it has fewer than stages, and memory.
void
PrefillController::MakeOffline(std::size_t chain)
{
    const PromptBatch prompts{m_options.offlineTokens, 1};
    if (prompts.tokens == 0 || m_offline[chain] == m_times.StageCount() ||
        !m_loads.HasRoom(chain, prompts))
    {
        return;
    }
    ++m_offline[chain];
    const std::uint32_t index = m_batches.Add({});
    Batch& batch = m_batches[index];
    batch.requests.push_back({++m_offlineMade, Now(), prompts.tokens, true});
    batch.prompts = prompts;
    batch.deadline = Instant::Never();
    // Behind every request.
    batch.rank = {Instant::Never(), (std::uint64_t{1} << 63) + m_offlineMade};
    Place(index, chain);
}

void
PrefillController::OnForecast(WorkerIndex worker, const std::vector<Bubble>& bubbles)
{
    m_loads.SetForecast(worker, bubbles, m_host.Forecast().LengthOf(worker));
}

void
PrefillController::OnIdle(WorkerIndex worker)
{
    if (m_seats[worker] && m_seats[worker]->stage == 0)
    {
        MakeOffline(m_seats[worker]->chain);
    }
}

void
PrefillController::Finish()
{
    for (WorkerIndex worker = 0; worker < m_seats.size(); ++worker)
    {
        m_host.Stop(worker); // what ran so far counts
    }
    for (const PrefillRequest& request : m_intake.TakeWaiting())
    {
        EndRequest({}, request, RequestOutcome::Unfinished);
    }
    for (const Batch& batch : m_batches.All())
    {
        const bool isExpired = !batch.decided && batch.deadline < Now();
        for (const PrefillRequest& request : batch.requests)
        {
            EndRequest(
                batch, request, isExpired ? RequestOutcome::TooLate : RequestOutcome::Unfinished);
        }
    }
    m_batches.All().clear();
}

std::optional<Bytes>
PrefillController::LeastRoom(WorkerIndex worker) const
{
    return m_loads.LeastRoom(worker);
}

PrefillChunk
PrefillController::NextChunk(const Batch& batch, std::size_t stage) const
{
    return m_times.ChunkOf(batch.prompts, batch.stages[stage].done);
}

const UnitWork&
PrefillController::WorkOf(const Batch& batch, std::size_t stage) const
{
    return m_times.StagesOf(m_chains[batch.chain].gpu, NextChunk(batch, stage))[stage];
}

} // namespace geotrain
