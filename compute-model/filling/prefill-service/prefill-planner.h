// SPDX-License-Identifier: GPL-2.0-only
// Finds the place of a prefill: the chain of bubbles on which it ends first, or which it fits best.
// A prefill goes through the stages of one serving chain in order. On each it takes the gaps as
// they come, whole layers at a time. Every chain is tried, and left as soon as it can't be better
// than the best so far.
#pragma once

#include "prefill-service/serving-times.h"

#include <optional>
#include <vector>

namespace geotrain
{

/// A PrefillNeed is what is left of a prefill; its first stages may be done.
struct PrefillNeed
{
    PromptBatch batch;
    std::size_t stage = 0;       ///< first stage with something left
    std::uint32_t unitsDone = 0; ///< units of that stage that are done
    Instant ready;               ///< when that stage may begin
};

/// A PrefillPlace is where and when a prefill runs.
struct PrefillPlace
{
    std::size_t chain = 0;
    std::vector<std::vector<FillPart>> parts; ///< by stage
    Instant end;
};

/// PrefillPlanner keeps the free time and memory of all chains.
class PrefillPlanner
{
  public:
    /// `times` must outlive the planner.
    explicit PrefillPlanner(const ServingTimes& times);

    /// Sets the usable parts of a worker's bubbles, in order of time. Reservations on it are
    /// forgotten.
    void SetFree(WorkerIndex worker, const std::vector<UsableSpan>& spans);

    /// Takes [start, end) of a worker, which must be free.
    void Take(WorkerIndex worker, Instant start, Instant end);

    /// Gives back what was taken of a worker, if its bubble is not over.
    void Release(WorkerIndex worker, Instant start, Instant end);

    /// Ends the worker's bubbles of this iteration up to that which ends with `position`.
    void EndBubbles(WorkerIndex worker, std::uint32_t position);

    /// Returns the place where a prefill that is ready at `ready` ends first, at `latest` at the
    /// latest. Of two, it is on the chain that is free first, then on the lower index. Returns
    /// nullopt where there is none.
    std::optional<PrefillPlace> Earliest(PromptBatch batch, Instant ready, Instant latest) const;

    /// Returns the place that leaves the least of the gaps that it ends in, summed over its stages;
    /// of two, the earlier.
    std::optional<PrefillPlace> BestFit(PromptBatch batch, Instant ready, Instant latest) const;

    /// Returns the place of what is left on one chain.
    std::optional<PrefillPlace>
    On(std::size_t chain, const PrefillNeed& need, Instant latest) const;

    /// Takes the place's time. Call it before any other change.
    void Reserve(const PrefillPlace& place, PromptBatch batch);

    /// Returns the room for KV caches on one GPU, by chain and stage.
    Bytes KvRoom(std::size_t chain, std::size_t stage) const;

    /// Takes `size` of that room for a KV cache.
    void TakeKv(std::size_t chain, std::size_t stage, Bytes size);

    /// Gives `size` of that room back.
    void GiveKv(std::size_t chain, std::size_t stage, Bytes size);

    /// Returns whether the batch could be prefilled on some chain if it had all its bubbles, as
    /// they are, and memory.
    bool CanEverFit(PromptBatch batch) const;

    /// Returns the chain of a worker; nullopt where it serves none.
    std::optional<std::size_t> ChainOf(WorkerIndex worker) const;

  private:
    std::vector<std::size_t> ChainsWithRoom(PromptBatch batch) const;
    Instant Try(std::size_t chain,
                const PrefillNeed& need,
                Instant latest,
                std::vector<std::vector<FillPart>>* parts) const;

    const ServingTimes& m_times;
    const std::vector<ServingChain>& m_chains;
    Duration m_shortest;
    std::vector<FreeTime> m_free;              ///< by worker
    std::vector<std::int32_t> m_chainOfWorker; ///< -1: none
    std::vector<std::vector<Bytes>> m_kvRoom;  ///< [chain][stage]
};

} // namespace geotrain
