// SPDX-License-Identifier: GPL-2.0-only
// A prefill service in training's bubbles (BubbleTea, arXiv 2411.14458; what the paper leaves open
// is ours). Requests arrive, are admitted by their TTFT objective, go to the serving chain on which
// they are forecast to end first, and run there whenever a worker is idle. Every decision uses the
// past alone: forecasts, work in hand, requests that have arrived.
// - What is ready on a stage is in its worker's queue, by deadline. It needs no forecast to begin:
//   what training interrupts goes on at its next kernel (Preemption).
// - Long prompts are prefilled in chunks; a stage works on one while the stage before works on the
//   next. Short prompts are prefilled together.
// - A forecast says when a prefill will have ended. It chooses the chain, admits by the objective,
//   and is the promise that is kept or not.
// - Strict, the paper's reading: a layer begins only where it ends, with the guard, before its
//   bubble's earliest forecast end.
// - Offline prefills (batch inference, for which nobody waits) take what requests leave. One that
//   runs when a request comes ends its kernel first.
// - The KV cache leaves each node when the last stage there is done, and holds its memory from
//   placement until it is delivered.
// It ignores decoding.
#pragma once

#include "filling/fill-host.h"
#include "prefill-service/chain-loads.h"
#include "prefill-service/prefill-batches.h"
#include "prefill-service/prefill-request.h"
#include "prefill-service/request-intake.h"

#include <functional>
#include <vector>

namespace geotrain
{

/// PlacementPolicy says in which order prefills run, and when one may begin. The schema numbers the
/// values alike.
enum class PlacementPolicy : std::uint8_t
{
    Fifo = 0,             ///< by arrival
    EarliestDeadline = 1, ///< by TTFT deadline; without an objective by arrival
    /// By deadline, a layer only where it surely ends in its bubble.
    Strict = 3
};

/// ControllerOptions are what a run sets.
struct ControllerOptions
{
    PlacementPolicy policy = PlacementPolicy::EarliestDeadline;
    Preemption preemption = Preemption::Continue;
    /// Strict: least time between a prefill's end and the earliest end of its bubble.
    Duration guard;
    Duration preemptionCost; ///< cost to training when it stops a prefill, after the kernel
    /// Objective for the TTFT; without one, requests wait as long as it takes.
    std::optional<Duration> objective;
    Duration objectivePerToken; ///< added to the objective per token of the prompt
    /// Shorter prompts are prefilled together up to this sum; 0: each alone.
    std::uint32_t batchTokens = 0;
    Duration batchWait;              ///< longest wait of a prompt for others
    std::uint32_t offlineTokens = 0; ///< prompt length of offline prefills; 0: there are none
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

    /// Stops what runs, and ends the requests that are neither served nor refused.
    void Finish();

    /// Returns the least that weights, working memory and KV caches (from placement to delivery)
    /// left of the free memory of one GPU of `worker`; nullopt where it serves nothing.
    std::optional<Bytes> LeastRoom(WorkerIndex worker) const;

    void OnForecast(WorkerIndex worker, const std::vector<Bubble>& bubbles) override;
    void OnIdle(WorkerIndex worker) override;
    Duration ToRun(FillWork& work) override;
    FillYield OnEnd(const FillWork& work, const FillEnd& end) override;
    TrainingWait WaitFor(const FillWork& work, Duration ran) const override;

  private:
    using Batch = PrefillBatch;

    /// A Seat is a worker's place in a chain.
    struct Seat
    {
        std::size_t chain = 0;
        std::size_t stage = 0;
    };

    Instant Now() const;
    void Enqueue(std::vector<PrefillRequest> requests);
    void Refuse(std::uint32_t index, RequestOutcome outcome);
    void EndRequest(const Batch& batch, const PrefillRequest& request, RequestOutcome outcome);
    void PlaceWaiting();
    bool TryPlace(std::uint32_t index);
    void Place(std::uint32_t index, std::size_t chain);
    void MakeOffline(std::size_t chain);

    void Queue(std::uint32_t index, std::size_t stage);
    void OnChunkDone(std::uint32_t index, std::size_t stage);
    void SendActivation(std::uint32_t index, std::size_t stage, std::uint32_t tokens);
    void SendKv(std::uint32_t index);
    void OnDelivered(std::uint32_t index, std::size_t firstStage, std::size_t endStage);
    PrefillChunk NextChunk(const Batch& batch, std::size_t stage) const;
    const UnitWork& WorkOf(const Batch& batch, std::size_t stage) const;

    FillHost& m_host;
    const ServingTimes& m_times;
    const std::vector<ServingChain>& m_chains;
    ControllerOptions m_options;
    RequestIntake m_intake;
    ServingTransfers m_transfers;
    std::vector<ServingObserver*> m_observers;

    ChainLoads m_loads;
    std::vector<std::optional<Seat>> m_seats; ///< by worker; unset: it serves nothing
    PrefillBatches m_batches;
    WaitingBatches m_waiting;           ///< batches that no chain has room for yet
    std::vector<std::size_t> m_offline; ///< by chain: offline prefills in hand
    std::uint64_t m_offlineMade = 0;
    RecentErrors m_late; ///< by how much prefills ended later than forecast
};

} // namespace geotrain
