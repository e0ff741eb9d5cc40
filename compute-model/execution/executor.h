// SPDX-License-Identifier: GPL-2.0-only
// Runs the instruction streams of all workers of a job over its message layer. A worker runs its
// stream in order: a compute instruction occupies its GPUs, a Send or a collective is handed over
// and costs it nothing, a Receive waits for its message and an OptimizerStep for the worker's
// collectives. Workers touch each other through the network only. There is no barrier between
// iterations. An iteration can be aborted and started again: all workers then return to its
// beginning, those among them that had gone on to the next one too. What is ignored: that restoring
// a state would take time, which is the caller's to wait.
#pragma once

#include "execution/execution-observer.h"
#include "execution/linked-plan.h"
#include "execution/message-layer.h"
#include "execution/messages-in-flight.h"
#include "execution/worker-progress.h"

#include <functional>
#include <string>
#include <vector>

namespace geotrain
{

struct ExecutorOptions
{
    /// How long an instruction takes this time; unset: as the plan says. `position` is in the
    /// stream, in which Bubbles don't count.
    std::function<Duration(
        WorkerIndex worker, std::uint32_t iteration, std::size_t position, Duration planned)>
        durationOf;

    /// How long a compute instruction that could start now is held back by what else is on the
    /// worker's GPUs (bubble fillers); unset: not at all.
    std::function<Duration(WorkerIndex worker)> holdOf;
};

class Executor
{
  public:
    /// Throws std::invalid_argument if the plan is not legal (LinkedPlan). All references must
    /// outlive the executor.
    Executor(const ExecutionPlan& plan,
             MessageLayer& layer,
             MessageCarrier& carrier,
             std::vector<ExecutionObserver*> observers,
             ExecutorOptions options = {});

    /// Cancels what is on its way.
    ~Executor();
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;

    /// Begins all workers now. Whoever runs the clock stops it: when all jobs on it are over, for
    /// instance.
    void Begin();

    /// Of a job that has the clock to itself: begins, and runs the clock until the job is over,
    /// `orWhen` holds, nothing moves any more, or `deadline`.
    void Run(Instant deadline, const Clock::Predicate& orWhen = {});

    /// No instruction begins or ends any more, and messages and collectives on the way are
    /// cancelled. Other jobs on the same network go on.
    void Cancel();

    /// Ends what is in progress as Cancel() does, until RestartIteration(). The iteration is the
    /// first that some worker has not ended. From an event of the clock, not from an observer's
    /// call.
    void AbortIteration();

    /// All workers begin the iteration in progress again, now; it is aborted first if it was not. A
    /// failure is forgotten. What a schedule without flush sent before that iteration, to be
    /// received in it, is sent again.
    void RestartIteration();

    bool IsDone() const;

    /// Whether the job is done, has failed or was cancelled.
    bool IsOver() const;

    /// Which message or collective has failed, and why. Empty: none.
    const std::string& Failure() const;

    /// The failure, if any, and one line per worker that is not done: what it waits for and from
    /// whom. Empty when done.
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
    void Halt();
    std::uint32_t IterationInProgress() const;
    void ReturnTo(std::uint32_t iteration);

    LinkedPlan m_plan;
    Clock& m_clock;
    std::vector<ExecutionObserver*> m_observers;
    ExecutorOptions m_options;

    MessagesInFlight m_messages;
    std::vector<WorkerProgress>
        m_workers; ///< each stays where it is: policies and callbacks refer to it
    std::vector<std::uint32_t> m_workersInIteration; ///< workers that have not ended it
    std::uint32_t m_workersLeft = 0;
    std::string m_failure;
    bool m_isCancelled = false;
    bool m_isAborted = false;
};

} // namespace geotrain
