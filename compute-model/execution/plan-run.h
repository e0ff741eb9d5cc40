// SPDX-License-Identifier: GPL-2.0-only
// Runs a plan on a network. Only here the carriers of messages and collectives, warm-ups, observers
// and executor are put together, for a run, a rehearsal, a planner's simulation and a schedule by
// itself. A run is built, prepared (its connections are warmed), observed, and then run once.
#pragma once

#include "execution/executor.h"
#include "execution/iteration-times.h"
#include "execution/message-layer.h"
#include "execution/temporal-sharing.h"
#include "execution/timed-collectives.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// PlanRunSettings say how a plan is run.
struct PlanRunSettings
{
    /// Temporal sharing: the cells whose pipelines take turns on the WAN. Unset: spatial sharing.
    std::optional<CellLayout> turns;
    Duration passLatency; ///< time to pass a turn to another pipeline

    MessageLayerSettings layer;
    std::vector<Network::WarmUp> warmUps; ///< messages that Prepare() carries before time 0

    /// Time of collectives that the network doesn't carry; unset: it carries all.
    CollectiveTime collectiveTime;
    ExecutorOptions executor;
    OwnerIndex ofCollectives = 0; ///< whose connections collectives take; the others: layer.owner's
};

/// A PlanOutcome says how a run ended.
struct PlanOutcome
{
    /// Kind says how the run ended.
    enum class Kind
    {
        Done,
        Unfinished, ///< the deadline came, nothing moves any more, or somebody ended it early
        Failed      ///< a message or a collective failed
    };

    Kind kind = Kind::Done;
    Instant end;
    std::string failure; ///< Failed: which message or collective, and why
    std::string report;  ///< not Done: the failure, and a line per worker with what it waits for

    /// Returns whether the plan is done.
    bool IsDone() const;
};

/// A PlanRun is one run of a plan.
class PlanRun
{
  public:
    /// `plan` may change until Run(). It and the network must outlive the run. Throws
    /// std::invalid_argument where its pipelines can't take turns.
    PlanRun(const ExecutionPlan& plan, Network& network, PlanRunSettings settings);
    ~PlanRun();
    PlanRun(const PlanRun&) = delete;
    PlanRun& operator=(const PlanRun&) = delete;

    /// Warms the connections; the clock then reads 0. Throws std::runtime_error where the network
    /// can't do that. A run that isn't prepared starts on cold connections.
    void Prepare();

    /// Adds an observer. Observers are called in the order in which they were added.
    void Observe(ExecutionObserver& observer);

    /// Sets who may hold compute instructions back (ExecutorOptions::holdOf).
    void SetHold(std::function<Duration(WorkerIndex worker)> holdOf);

    /// Returns what carries the run's messages, and can carry those of others too.
    MessageLayer& Layer();

    /// Returns the number of messages of the run that are on the way.
    std::size_t MessagesUnderWay() const;

    /// Replaces the collectives, which are of the layer's messages at first, by what `decorate` makes
    /// of them. Call it before Begin().
    void Decorate(
        const std::function<std::unique_ptr<Collectives>(std::unique_ptr<Collectives>)>& decorate);

    /// Begins all workers now. Whoever runs the clock stops it, for instance when all jobs are over.
    /// Call it once. Throws std::invalid_argument where the plan is not legal.
    void Begin();

    /// Returns whether the plan is done or has failed, from Begin() on.
    bool IsOver() const;

    /// Returns how the run stands, from Begin() on.
    PlanOutcome Outcome() const;

    /// Begins, and runs the network's clock until the plan is done or can't go on, `orWhen` holds, or
    /// `deadline` comes. It is for a plan that has the clock to itself.
    PlanOutcome Run(Instant deadline, const Clock::Predicate& orWhen = {});

    const IterationTimes& Times() const;

    /// Returns, from Begin() on, Executor::WhoWaitsForWhat(); empty before.
    std::string WhoWaitsForWhat() const;

  private:
    const ExecutionPlan& m_plan;
    Network& m_network;
    PlanRunSettings m_settings;
    MessageLayer m_layer;
    std::optional<MessageLayer> m_layerOfCollectives; ///< none: they take the other's
    std::unique_ptr<Collectives> m_collectives;
    std::unique_ptr<MessageCarrier> m_carrier;
    IterationTimes m_times;
    std::vector<ExecutionObserver*> m_observers;
    std::unique_ptr<Executor> m_executor; ///< from Begin() on; ends before what it uses
};

} // namespace geotrain
