// SPDX-License-Identifier: GPL-2.0-only
#include "execution/plan-run.h"

#include "execution/spatial-sharing.h"

#include <utility>

namespace geotrain
{

namespace
{

std::unique_ptr<MessageCarrier>
MakeCarrier(Network& network, const PlanRunSettings& settings)
{
    if (settings.turns)
    {
        return std::make_unique<TemporalSharing>(network, *settings.turns, settings.passLatency);
    }
    return std::make_unique<SpatialSharing>(network);
}

} // namespace

bool
PlanOutcome::IsDone() const
{
    return kind == Kind::Done;
}

PlanRun::PlanRun(const ExecutionPlan& plan, Network& network, PlanRunSettings settings)
    : m_plan(plan),
      m_network(network),
      m_settings(std::move(settings)),
      m_times(plan.workers.size()),
      m_observers{&m_times}
{
    m_network.SetChunkSize(m_settings.chunk.value_or(m_network.ChunkSize()));
    m_network.SetNodeLocalRate(m_settings.nodeLocalRate.value_or(m_network.NodeLocalRate()));
    m_carrier = MakeCarrier(m_network, m_settings);
}

PlanRun::~PlanRun() = default;

void
PlanRun::Prepare()
{
    m_network.Prepare(m_settings.warmUps);
}

void
PlanRun::Observe(ExecutionObserver& observer)
{
    m_observers.push_back(&observer);
}

void
PlanRun::SetHold(std::function<Duration(WorkerIndex worker)> holdOf)
{
    m_settings.executor.holdOf = std::move(holdOf);
}

PlanOutcome
PlanRun::Run(Instant deadline)
{
    Executor executor(m_plan, m_network, *m_carrier, m_observers, m_settings.executor);
    executor.Run(deadline);
    PlanOutcome outcome;
    outcome.end = m_network.GetClock().Now();
    if (!executor.IsDone())
    {
        outcome.failure = executor.Failure();
        outcome.kind =
            outcome.failure.empty() ? PlanOutcome::Kind::Unfinished : PlanOutcome::Kind::Failed;
        outcome.report = executor.WhoWaitsForWhat();
    }
    return outcome;
}

void
PlanRun::EndEarly()
{
    m_network.GetClock().Stop();
}

const IterationTimes&
PlanRun::Times() const
{
    return m_times;
}

} // namespace geotrain
