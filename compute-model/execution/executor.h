// Runs the instruction streams of all workers against a network. A worker runs its stream in order: a
// compute instruction occupies its GPUs, a Send or a collective is handed over and costs it nothing, a
// Receive waits for its message and an OptimizerStep for the worker's collectives. Workers touch each other
// through the network only. The collectives of a worker run one after another, in the stream's order.
#pragma once

#include "execution/execution-observer.h"
#include "execution/execution-plan.h"
#include "execution/message-carrier.h"

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

struct ExecutorOptions
{
    /// How long an instruction takes this time; unset: as the plan says. `position` is in the stream.
    std::function<Duration(
        WorkerIndex worker, std::uint32_t iteration, std::size_t position, Duration planned)>
        durationOf;

    /// A time for a collective that is not carried by the network (it starts when the last member has
    /// joined); nullopt, or unset: the network carries it.
    std::function<std::optional<Duration>(const CollectiveRequest&)> collectiveTime;
};

class Executor
{
  public:
    /// Checks the plan and throws std::invalid_argument if it is not legal: a Send without its Receive, a peer
    /// or group that is not there, collectives that members join in different orders. All references
    /// must outlive the executor.
    Executor(const ExecutionPlan& plan,
             Network& network,
             MessageCarrier& carrier,
             std::vector<ExecutionObserver*> observers,
             ExecutorOptions options = {});

    /// Begins all workers now and runs the network's clock until all are done, nothing moves any more, a
    /// message has failed, or `deadline`.
    void Run(Instant deadline);

    bool IsDone() const;

    /// One line a worker that is not done: what it waits for and from whom. Empty when done.
    std::string WhoWaitsForWhat() const;

  private:
    struct WorkerState
    {
        std::size_t position = 0;
        std::uint32_t iteration = 0;
        bool isComputing = false;
        bool collectiveRuns = false;
        std::deque<std::size_t> collectives;   ///< positions of those joined and not ended
        std::vector<Instant> collectiveJoined; ///< by position; of the last join
        std::vector<std::uint32_t> arrivals;   ///< by position of a Receive: messages come so far
    };

    struct CollectiveWait
    {
        std::uint32_t joined = 0;
        std::vector<CollectiveCallback> callbacks;
    };

    void PairSendsWithReceives();
    void NumberCollectives();
    void Advance(WorkerIndex worker);
    bool Step(WorkerIndex worker, const Instruction& instruction);
    void EndIteration(WorkerIndex worker);
    void Compute(WorkerIndex worker, const Instruction& instruction);
    void Send(WorkerIndex worker, const Instruction& instruction);
    void StartNextCollective(WorkerIndex worker);
    void JoinCollective(const CollectiveRequest& request,
                        std::uint32_t member,
                        CollectiveCallback callback);
    void OnCollectiveEnded(WorkerIndex worker, Instant at);
    std::string WaitOf(WorkerIndex worker) const;

    const ExecutionPlan& m_plan;
    Network& m_network;
    Clock& m_clock;
    MessageCarrier& m_carrier;
    std::vector<ExecutionObserver*> m_observers;
    ExecutorOptions m_options;

    std::vector<WorkerState> m_states;
    std::vector<std::vector<std::size_t>> m_receiveOfSend; ///< [worker][position of the Send]
    std::vector<std::vector<std::uint32_t>> m_ordinalOfCollective; ///< [worker][position]
    std::uint32_t m_collectivesPerGroup = 0;
    std::map<std::uint64_t, CollectiveWait> m_timedCollectives;
    std::vector<std::uint32_t> m_workersInIteration; ///< workers that have not ended it
    std::uint32_t m_workersLeft = 0;
    std::uint64_t m_messages = 0;
    std::string m_failure;
};

} // namespace geotrain
