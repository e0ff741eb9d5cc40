// SPDX-License-Identifier: GPL-2.0-only
// BubbleTea's controller (arXiv 2411.14458; what the paper leaves open is ours). Requests arrive,
// are admitted by their TTFT objective, are placed into forecast bubbles of one serving chain, and
// run there a layer at a time. Every decision uses the past alone: forecasts, reservations,
// requests that have arrived.
// - A placed prefill has reservations on all stages of its chain. Work starts at its reservation
//   or, where training is late, when the worker is idle. It runs only as many layers as end before
//   its bubble's bound.
// - Training that comes sooner takes the worker at the end of the kernel in progress: the layer is
//   lost, and the rest is placed again on the same chain, which holds the KV cache so far. The same
//   happens to what a new forecast has no room for.
// - Strict: a bubble's bound is its earliest forecast end less the guard. Relaxed: it is its
//   forecast end, and a layer in progress may hold training up for `longestHold` at most.
// - The KV cache leaves each node when the last stage there is done, and holds its memory until it
//   is delivered.
// - A stage begins when the activation of the stage before has come, as a message of its own.
// It ignores decoding.
#pragma once

#include "filling/fill-host.h"
#include "prefill-service/prefill-batches.h"
#include "prefill-service/prefill-planner.h"
#include "prefill-service/prefill-request.h"
#include "prefill-service/request-intake.h"
#include "prefill-service/worker-reservations.h"

#include <deque>
#include <functional>
#include <vector>

namespace geotrain
{

/// PlacementPolicy says in which order requests are placed, and where.
enum class PlacementPolicy : std::uint8_t
{
    Fifo,             ///< by arrival; each where it ends first
    EarliestDeadline, ///< by TTFT deadline; each where it ends first
    BestFit           ///< by arrival; each where the gap that it leaves is smallest
};

/// ControllerOptions are what a run sets.
struct ControllerOptions
{
    PlacementPolicy policy = PlacementPolicy::Fifo;
    bool isRelaxed = false;
    Duration longestHold; ///< relaxed: longest delay of a training instruction
    /// Strict: least time between a prefill's end and the earliest end of its bubble.
    Duration guard;
    /// Whether training waits for the rest of the kernel in progress; else it stops a prefill at
    /// once.
    bool runsKernelsToEnd = false;
    Duration preemptionCost; ///< cost to training when it stops a prefill, after the kernel
    /// Objective for the TTFT; without one, requests wait as long as it takes.
    std::optional<Duration> objective;
    Duration objectivePerToken; ///< added to the objective per token of the prompt
    /// Shorter prompts are prefilled together up to this sum; 0: each alone.
    std::uint32_t batchTokens = 0;
    Duration batchWait; ///< longest wait of a prompt for others
};

/// Returns when a request's first token is due; Instant::Never() without an objective.
Instant DeadlineOf(const PrefillRequest& request, const ControllerOptions& options);

/// A KvTransfer carries `size` bytes of KV cache from a node of `chain` to a decode node.
using KvTransfer = std::function<void(
    std::size_t chain, NodeIndex source, Bytes size, std::function<void()> delivered)>;

/// An ActivationTransfer carries `size` bytes from the node of a stage of `chain` to that of the
/// next.
using ActivationTransfer = std::function<void(
    std::size_t chain, std::size_t stage, Bytes size, std::function<void()> arrived)>;

/// ServingTransfers carry what prefills send.
struct ServingTransfers
{
    KvTransfer kv;
    ActivationTransfer activation; ///< empty: activations take ServingTimes::Hop
};

/// PrefillController is the filler that serves prefill requests.
class PrefillController : public Filler
{
  public:
    /// All references must outlive the controller.
    PrefillController(FillHost& host,
                      const ServingTimes& times,
                      RequestSource& source,
                      ControllerOptions options,
                      ServingTransfers transfers);

    /// Adds an observer, which must outlive the controller.
    void Observe(ServingObserver& observer);

    /// Lets the first request arrive. Call it after FillHost::Begin.
    void Begin();

    /// Ends the requests that are neither served nor refused.
    void Finish();

    /// Returns the least that weights, working memory and KV caches (from placement to delivery)
    /// left of the free memory of one GPU of `worker`; nullopt where it serves nothing.
    std::optional<Bytes> LeastRoom(WorkerIndex worker) const;

    void OnForecast(WorkerIndex worker, const std::vector<Bubble>& bubbles) override;
    void OnIdle(WorkerIndex worker, Instant now) override;
    void OnBusy(WorkerIndex worker, std::uint32_t position, Instant now) override;
    FillYield OnEnd(const FillWork& work, const FillEnd& end) override;
    Duration HoldTraining(const FillWork& work, Instant start, Instant ready) override;
    Duration PreemptionCost(const FillWork& work) const override;

  private:
    using Batch = PrefillBatch;

    /// A ServingWorker is what goes on, and will, on one worker.
    struct ServingWorker
    {
        WorkerReservations reserved;
        Reservation running;     ///< as it was reserved
        std::uint32_t units = 0; ///< units of it that run
        /// Time into the work at which training stops it, where that waits for a kernel.
        std::optional<Duration> computesUntil;
    };

    Instant Now() const;
    void Enqueue(std::vector<PrefillRequest> requests);
    void Refuse(std::uint32_t index, RequestOutcome outcome);
    void EndRequest(const Batch& batch, const PrefillRequest& request, RequestOutcome outcome);
    void PumpSoon();
    void Pump();
    bool TryPlace(std::uint32_t index);
    void ReplaceStalled();
    void Commit(std::uint32_t index, const PrefillPlace& place);
    void Reserve(std::uint32_t index, const PrefillPlace& place);
    void Replace(std::uint32_t index);
    void ReleaseReservations(std::uint32_t index);
    void TryStart(WorkerIndex worker);
    void OnStageDone(std::uint32_t index);
    void SendActivation(std::uint32_t index);
    void SendKv(std::uint32_t index);
    void OnDelivered(std::uint32_t index, std::size_t firstStage, std::size_t endStage);
    std::vector<UsableSpan> Usable(const std::vector<Bubble>& bubbles) const;
    WorkerIndex WorkerOf(const Batch& batch, std::size_t stage) const;
    std::uint32_t UnitsOf(const Batch& batch, std::size_t stage) const;
    Duration UnitOf(const Batch& batch, std::size_t stage) const;
    Instant EndOf(const Reservation& reservation) const;

    FillHost& m_host;
    const ServingTimes& m_times;
    const std::vector<ServingChain>& m_chains;
    ControllerOptions m_options;
    RequestIntake m_intake;
    ServingTransfers m_transfers;
    std::vector<ServingObserver*> m_observers;
    PrefillPlanner m_planner;

    std::deque<ServingWorker> m_workers;
    PrefillBatches m_batches;
    WaitingBatches m_waiting;                          ///< batches that are not placed yet
    std::vector<std::vector<std::uint32_t>> m_stalled; ///< by chain
    bool m_isPumping = false;                          ///< an event is scheduled
    bool m_isExhausted = false; ///< nothing that waits found room, and no room has come since
    std::vector<std::optional<Bytes>> m_leastRoom; ///< by worker
};

} // namespace geotrain
