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
      m_planner(times),
      m_stalled(m_chains.size()),
      m_leastRoom(host.Forecast().Workers())
{
    for (const ServingChain& chain : m_chains)
    {
        for (std::size_t stage = 0; stage < chain.workers.size(); ++stage)
        {
            m_leastRoom[chain.workers[stage]] = chain.kvRoom[stage];
        }
    }
    for (WorkerIndex worker = 0; worker < m_leastRoom.size(); ++worker)
    {
        m_workers.push_back(
            {WorkerReservations(host.GetClock(), [this, worker] { TryStart(worker); }), {}, 0, {}});
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
    if (batch.requests.front().promptTokens > m_times.MaxContext() ||
        !m_planner.CanEverFit(batch.prompts))
    {
        Refuse(index, RequestOutcome::TooLong);
        return;
    }
    if (batch.deadline != Instant::Never() &&
        Now() + m_times.FastestComputeTime(batch.prompts) > batch.deadline)
    {
        Refuse(index, RequestOutcome::TooLate);
        return;
    }
    const PrefillRequest& first = batch.requests.front();
    const bool byDeadline = m_options.policy == PlacementPolicy::EarliestDeadline;
    m_waiting.Add(index, byDeadline ? batch.deadline : first.arrival, first.number, batch.deadline);
    if (!m_isExhausted)
    {
        Pump();
    }
}

/// The index is free afterwards.
void
PrefillController::Refuse(std::uint32_t index, RequestOutcome outcome)
{
    Batch& batch = m_batches[index];
    batch.decided = Now();
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

/// Places requests after all that training does at this instant.
void
PrefillController::PumpSoon()
{
    m_isExhausted = false;
    if (!m_isPumping)
    {
        m_isPumping = true;
        m_host.GetClock().Schedule(Now(),
                                   [this]
                                   {
                                       m_isPumping = false;
                                       Pump();
                                   });
    }
}

/// Stalled batches go first, since they hold memory.
void
PrefillController::Pump()
{
    ReplaceStalled();
    while (const auto expired = m_waiting.TakeExpired(Now()))
    {
        Refuse(*expired, RequestOutcome::TooLate);
    }
    m_isExhausted =
        m_waiting.PlaceEach(mostFailures, [this](std::uint32_t index) { return TryPlace(index); });
}

void
PrefillController::ReplaceStalled()
{
    for (std::size_t chain = 0; chain < m_stalled.size(); ++chain)
    {
        for (const std::uint32_t index : std::exchange(m_stalled[chain], {}))
        {
            m_batches[index].isStalled = false;
            Replace(index);
        }
    }
}

/// Returns false where the request has to wait. A request whose earliest end is past its deadline
/// is refused.
bool
PrefillController::TryPlace(std::uint32_t index)
{
    const Batch& batch = m_batches[index];
    const bool isBestFit = m_options.policy == PlacementPolicy::BestFit;
    const auto place = isBestFit ? m_planner.BestFit(batch.prompts, Now(), batch.deadline)
                                 : m_planner.Earliest(batch.prompts, Now(), batch.deadline);
    if (place)
    {
        Commit(index, *place);
        return true;
    }
    if (batch.deadline != Instant::Never() &&
        m_planner.Earliest(batch.prompts, Now(), Instant::Never()))
    {
        Refuse(index, RequestOutcome::TooLate);
        return true;
    }
    return false;
}

void
PrefillController::Commit(std::uint32_t index, const PrefillPlace& place)
{
    Batch& batch = m_batches[index];
    batch.decided = Now();
    batch.chain = place.chain;
    batch.ready = Now();
    for (std::size_t stage = 0; stage < m_times.StageCount(); ++stage)
    {
        m_planner.TakeKv(place.chain, stage, m_times.KvOf(stage, batch.prompts.tokens));
        std::optional<Bytes>& least = m_leastRoom[WorkerOf(batch, stage)];
        least = std::min(*least, m_planner.KvRoom(place.chain, stage));
    }
    Reserve(index, place);
}

void
PrefillController::Reserve(std::uint32_t index, const PrefillPlace& place)
{
    Batch& batch = m_batches[index];
    m_planner.Reserve(place, batch.prompts);
    for (std::size_t stage = batch.stage; stage < place.parts.size(); ++stage)
    {
        const WorkerIndex worker = WorkerOf(batch, stage);
        WorkerReservations& reserved = m_workers[worker].reserved;
        for (const FillPart& part : place.parts[stage])
        {
            reserved.Insert({part.start, part.limit, part.units, index, stage});
        }
        reserved.AwaitFirst();
    }
}

void
PrefillController::ReleaseReservations(std::uint32_t index)
{
    const Batch& batch = m_batches[index];
    for (std::size_t stage = batch.stage; stage < m_times.StageCount(); ++stage)
    {
        const WorkerIndex worker = WorkerOf(batch, stage);
        m_workers[worker].reserved.RemoveIf(
            [&](const Reservation& reservation)
            {
                const bool isIts = reservation.batch == index;
                if (isIts)
                {
                    m_planner.Release(
                        worker, std::max(reservation.start, Now()), EndOf(reservation));
                }
                return isIts;
            });
    }
}

/// Places what is left of a batch again, on its chain.
void
PrefillController::Replace(std::uint32_t index)
{
    Batch& batch = m_batches[index];
    if (batch.isStalled)
    {
        return;
    }
    ReleaseReservations(index);
    batch.mustReplace = batch.isRunning;
    if (batch.isRunning)
    {
        return;
    }
    const PrefillNeed need{
        batch.prompts, batch.stage, batch.unitsDone, std::max(batch.ready, Now())};
    const auto place = m_planner.On(batch.chain, need, Instant::Never());
    if (place)
    {
        Reserve(index, *place);
        return;
    }
    batch.isStalled = true;
    m_stalled[batch.chain].push_back(index);
}

std::vector<UsableSpan>
PrefillController::Usable(const std::vector<Bubble>& bubbles) const
{
    std::vector<UsableSpan> spans;
    for (const Bubble& bubble : bubbles)
    {
        const Instant end = m_options.isRelaxed ? bubble.end : bubble.earliestEnd - m_options.guard;
        if (end > bubble.start)
        {
            spans.push_back({bubble.start, end, bubble.iterationsAhead, bubble.endsWith});
        }
    }
    return spans;
}

void
PrefillController::OnForecast(WorkerIndex worker, const std::vector<Bubble>& bubbles)
{
    if (!m_planner.ChainOf(worker))
    {
        return;
    }
    const auto spans = Usable(bubbles);
    m_planner.SetFree(worker, spans);
    std::vector<std::uint32_t> homeless;
    m_workers[worker].reserved.RemoveIf(
        [&](Reservation& reservation)
        {
            const Instant end = EndOf(reservation);
            const auto home =
                std::find_if(spans.begin(),
                             spans.end(),
                             [&](const UsableSpan& span)
                             { return span.start <= reservation.start && end <= span.end; });
            if (home == spans.end())
            {
                homeless.push_back(reservation.batch);
                return true;
            }
            reservation.limit = home->end;
            m_planner.Take(worker, reservation.start, end);
            return false;
        });
    for (const std::uint32_t index : homeless)
    {
        Replace(index);
    }
    PumpSoon();
}

void
PrefillController::OnIdle(WorkerIndex worker, Instant)
{
    TryStart(worker);
}

void
PrefillController::OnBusy(WorkerIndex worker, std::uint32_t position, Instant /*now*/)
{
    if (m_planner.ChainOf(worker))
    {
        m_planner.EndBubbles(worker, position);
    }
}

void
PrefillController::Finish()
{
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
    return m_leastRoom[worker];
}

Duration
PrefillController::PreemptionCost(const FillWork&) const
{
    return m_options.preemptionCost;
}

WorkerIndex
PrefillController::WorkerOf(const Batch& batch, std::size_t stage) const
{
    return m_chains[batch.chain].workers[stage];
}

std::uint32_t
PrefillController::UnitsOf(const Batch& batch, std::size_t stage) const
{
    return m_times.StagesOf(m_chains[batch.chain].gpu, batch.prompts)[stage].units;
}

Duration
PrefillController::UnitOf(const Batch& batch, std::size_t stage) const
{
    return m_times.StagesOf(m_chains[batch.chain].gpu, batch.prompts)[stage].unit;
}

Instant
PrefillController::EndOf(const Reservation& reservation) const
{
    const Duration unit = UnitOf(m_batches[reservation.batch], reservation.stage);
    return reservation.start + unit * reservation.units;
}

} // namespace geotrain
