// SPDX-License-Identifier: GPL-2.0-only
// Runs the instruction streams of all workers of a job over its messages and collectives. A worker
// runs its stream in order. A compute instruction occupies its GPUs. A Send or a collective is handed
// over and costs it nothing. A Receive waits for its message, and an OptimizerStep for the worker's
// collectives. Workers affect each other through the network only, and there is no barrier between
// iterations. An iteration can be aborted and started again: all workers then return to its
// beginning, also those that had gone on to the next one. The time that restoring a state would
// take is ignored; the caller can wait for it.
#pragma once

#include "execution/execution-observer.h"
#include "execution/linked-plan.h"
#include "execution/messages-in-flight.h"
#include "execution/worker-progress.h"

#include <functional>
#include <string>
#include <vector>

namespace geotrain
{

/// ExecutorOptions change how long instructions take.
struct ExecutorOptions
{
    /// Returns how long an instruction takes this time; unset: as planned. `position` is its
    /// position in the stream without Bubbles.
    std::function<Duration(
        WorkerIndex worker, std::uint32_t iteration, std::size_t position, Duration planned)>
        durationOf;

    /// Returns how long other work on the worker's GPUs (bubble fillers) holds back a compute
    /// instruction that could start now; unset: not at all.
    std::function<Duration(WorkerIndex worker)> holdOf;
};

/// JobCarriers carry what the workers of a job send each other, by one clock.
struct JobCarriers
{
    Clock& clock;
    MessageCarrier& messages;
    Collectives& collectives;
};

/// An Executor runs one job.
class Executor
{
  public:
    /// Throws std::invalid_argument if the plan is not legal (LinkedPlan). All references must
    /// outlive the executor.
    Executor(const ExecutionPlan& plan,
             const JobCarriers& carriers,
             std::vector<ExecutionObserver*> observers,
             ExecutorOptions options = {});

    /// Cancels what is on the way.
    ~Executor();
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;

    /// Begins all workers now. Whoever runs the clock stops it, for instance when all jobs are
    /// over.
    void Begin();

    /// Begins, and runs the clock until the job is over, `orWhen` holds, nothing moves any more, or
    /// `deadline` comes. It is for a job that has the clock to itself.
    void Run(Instant deadline, const Clock::Predicate& orWhen = {});

    /// Stops the job: no instruction begins or ends any more, and messages and collectives on the
    /// way are cancelled. Other jobs on the same network go on.
    void Cancel();

    /// Returns whether every worker has ended all its instructions.
    bool IsDone() const;

    /// Returns whether the job is done, has failed or was cancelled.
    bool IsOver() const;

    /// Returns which message or collective has failed, and why; empty if none has.
    const std::string& Failure() const;

    /// Returns the failure, if any, and a line per worker that is not done: what it waits for, and
    /// from whom. Empty when done.
    std::string WhoWaitsForWhat() const;

  private:
    /// Calls a function of all observers.
    template <typename... Parameters, typename... Arguments>
    void Tell(void (ExecutionObserver::*event)(Parameters...), const Arguments&... arguments)
    {
        for (ExecutionObserver* observer : m_observers)
        {
            (observer->*event)(arguments...);
        }
    }

    void Advance(WorkerIndex index);
    bool LeaveOrder(WorkerIndex index);
    bool Step(WorkerIndex index, const Instruction& instruction);
    void EndPass(WorkerIndex index);
    void EndIteration(std::uint32_t iteration);
    void Compute(WorkerIndex index, std::size_t position);
    void StartCompute(WorkerIndex index);
    void OnComputed(WorkerIndex index);
    void OnMessage(const Message& message,
                   std::size_t receive,
                   const MessageTimes& times,
                   const std::string& failure);
    void OnCollectiveEnded(WorkerIndex index,
                           const CollectiveQueue::Joined& joined,
                           Instant at,
                           const std::string& failure);

    LinkedPlan m_plan;
    Clock& m_clock;
    std::vector<ExecutionObserver*> m_observers;
    ExecutorOptions m_options;

    MessagesInFlight m_messages;
    /// Each stays where it is, since policies and callbacks refer to it.
    std::vector<WorkerProgress> m_workers;
    std::vector<std::uint32_t> m_workersInIteration; ///< workers that have not ended the iteration
    std::uint32_t m_workersLeft = 0;
    std::string m_failure;
    bool m_isCancelled = false;
};

} // namespace geotrain
