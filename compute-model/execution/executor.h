// Runs the instruction streams of all workers against a network. A worker runs its stream in order: a
// compute instruction occupies its GPUs, a Send or a collective is handed over and costs it nothing, a
// Receive waits for its message and an OptimizerStep for the worker's collectives. Workers touch each other
// through the network only. The collectives of a worker run one after another, in the stream's order.
// A worker that deviates (Varuna, Athlur et al., EuroSys'22, section 4.1) runs a later forward whose input is here
// while the gradient that is next is late, but none between a recomputation and its backward.
#pragma once

#include "execution/execution-observer.h"
#include "execution/execution-plan.h"
#include "execution/message-carrier.h"

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace geotrain
{

struct ExecutorOptions
{
    /// How long an instruction takes this time; unset: as the plan says. `position` is in the stream, in which Bubbles
    /// don't count.
    std::function<Duration(
        WorkerIndex worker, std::uint32_t iteration, std::size_t position, Duration planned)>
        durationOf;

    /// A time for a collective that is not carried by the network (it starts when the last member has
    /// joined); nullopt, or unset: the network carries it.
    std::function<std::optional<Duration>(const CollectiveRequest&)> collectiveTime;

    /// How long a compute instruction that could start now is held back by what else is on the worker's
    /// GPUs (bubble fillers); unset: not at all.
    std::function<Duration(WorkerIndex worker)> holdOf;
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

    /// The message that failed, and why; empty where none has.
    const std::string& Failure() const;

    /// One line a worker that is not done: what it waits for and from whom. Empty when done.
    std::string WhoWaitsForWhat() const;

  private:
    struct JoinedCollective
    {
        std::size_t position = 0;
        Instant joined;
    };

    struct WorkerState
    {
        std::size_t position = 0;
        std::uint32_t iteration = 0;
        bool isComputing = false;
        bool collectiveRuns = false;
        std::size_t bubbles = 0;   ///< of the stream, before the position
        std::size_t computing = 0; ///< position of the compute instruction that runs or ran last
        Instant computeStart;
        std::deque<JoinedCollective> collectives; ///< not ended
        std::vector<std::uint32_t> arrivals; ///< by position of a Receive: messages come so far
    };

    /// What a worker that deviates has done ahead of its position, in the iteration in progress.
    struct Deviation
    {
        std::vector<bool> done;        ///< by position
        std::vector<bool> releases;    ///< by position: the instruction's end frees an activation
        std::set<std::size_t> ready;   ///< positions of forwards with their input here, not begun
        std::uint32_t activations = 0; ///< held now
        std::optional<Instant> firstCompute;
    };

    struct InFlight
    {
        Message message;
        std::size_t receive = 0; ///< position in the receiver's stream
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
    void EndStream(WorkerIndex worker);
    void EndIteration(std::uint32_t iteration);
    void Compute(WorkerIndex worker, std::size_t position);
    void StartCompute(WorkerIndex worker);
    std::size_t PlannedPosition(WorkerIndex worker) const;
    void PassBubble(WorkerIndex worker, const Instruction& bubble);
    void OnComputed(WorkerIndex worker);
    void Send(WorkerIndex worker, std::size_t position);
    void OnMessage(std::uint32_t slot, const MessageTimes& times, const std::string& failure);
    std::uint32_t IterationOf(WorkerIndex worker, const Instruction& instruction) const;
    void PrepareDeviations();
    void FindReadyForwards(WorkerIndex worker);
    bool IsForwardReady(WorkerIndex worker, std::size_t position) const;
    bool IsGradientLate(WorkerIndex worker) const;
    bool RunForwardAhead(WorkerIndex worker);
    void NoteCompute(WorkerIndex worker, std::size_t position);
    void NoteComputed(WorkerIndex worker, std::size_t position);
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
    std::vector<Deviation> m_deviations; ///< by worker; empty vectors where it doesn't deviate
    std::vector<InFlight> m_inFlight;
    std::vector<std::uint32_t> m_freeSlots;                  ///< of m_inFlight
    std::vector<std::vector<std::uint32_t>> m_receiveOfSend; ///< [worker][position of the Send]
    std::vector<std::vector<std::uint32_t>> m_ordinalOfCollective; ///< [worker][position]
    std::uint32_t m_collectivesPerGroup = 0;
    std::map<std::uint64_t, CollectiveWait> m_timedCollectives;
    std::uint32_t m_iterationsOfStream = 1;
    std::vector<std::uint32_t> m_workersInIteration; ///< workers that have not ended it
    std::uint32_t m_workersLeft = 0;
    std::uint64_t m_messages = 0;
    std::string m_failure;
};

} // namespace geotrain
