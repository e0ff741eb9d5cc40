// SPDX-License-Identifier: GPL-2.0-only
#include "execution/plan-run.h"

#include "execution/spatial-sharing.h"
#include "execution/stepped-collectives.h"

#include <utility>

namespace geotrain
{

namespace
{

std::unique_ptr<MessageCarrier>
MakeCarrier(MessageLayer& layer, const PlanRunSettings& settings)
{
    if (settings.turns)
    {
        return std::make_unique<TemporalSharing>(layer, *settings.turns, settings.passLatency);
    }
    return std::make_unique<SpatialSharing>(layer);
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
      m_layer(network, m_settings.layer),
      m_carrier(MakeCarrier(m_layer, m_settings)),
      m_times(plan.workers.size()),
      m_observers{&m_times}
{
    if (m_settings.ofCollectives != m_settings.layer.owner)
    {
        MessageLayerSettings ofCollectives = m_settings.layer;
        ofCollectives.owner = m_settings.ofCollectives;
        m_layerOfCollectives.emplace(network, ofCollectives);
    }
    m_collectives = std::make_unique<SteppedCollectives>(
        m_layerOfCollectives ? *m_layerOfCollectives : m_layer);
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

MessageLayer&
PlanRun::Layer()
{
    return m_layer;
}

std::size_t
PlanRun::MessagesUnderWay() const
{
    return m_layer.MessagesUnderWay() +
           (m_layerOfCollectives ? m_layerOfCollectives->MessagesUnderWay() : 0);
}

void
PlanRun::Decorate(
    const std::function<std::unique_ptr<Collectives>(std::unique_ptr<Collectives>)>& decorate)
{
    m_collectives = decorate(std::move(m_collectives));
}

void
PlanRun::Begin()
{
    if (m_settings.collectiveTime)
    {
        m_collectives = std::make_unique<TimedCollectives>(
            m_network.GetClock(), m_settings.collectiveTime, std::move(m_collectives));
    }
    m_executor =
        std::make_unique<Executor>(m_plan,
                                   JobCarriers{m_network.GetClock(), *m_carrier, *m_collectives},
                                   m_observers,
                                   m_settings.executor);
    m_executor->Begin();
}

bool
PlanRun::IsOver() const
{
    return m_executor && m_executor->IsOver();
}

PlanOutcome
PlanRun::Outcome() const
{
    PlanOutcome outcome;
    outcome.end = m_network.GetClock().Now();
    if (!m_executor->IsDone())
    {
        outcome.failure = m_executor->Failure();
        outcome.kind =
            outcome.failure.empty() ? PlanOutcome::Kind::Unfinished : PlanOutcome::Kind::Failed;
        outcome.report = m_executor->WhoWaitsForWhat();
    }
    return outcome;
}

PlanOutcome
PlanRun::Run(Instant deadline, const Clock::Predicate& orWhen)
{
    Begin();
    m_network.GetClock().RunUntil([this, &orWhen] { return IsOver() || (orWhen && orWhen()); },
                                  deadline);
    return Outcome();
}

const IterationTimes&
PlanRun::Times() const
{
    return m_times;
}

std::string
PlanRun::WhoWaitsForWhat() const
{
    return m_executor ? m_executor->WhoWaitsForWhat() : "";
}

} // namespace geotrain
