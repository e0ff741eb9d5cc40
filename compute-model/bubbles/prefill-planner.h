// Finds the place of a prefill: the chain of bubbles on which it ends first, or which it fits best. A prefill goes
// through the stages of one serving chain in order; on each it takes the gaps as they come, whole layers at a time.
// Chains are tried in the order in which their first stage is free, as long as one can still be better than the
// best so far, and each is left as soon as it can't.
#pragma once

#include "bubbles/serving-times.h"

#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace geotrain
{

/// What is left of a prefill: of its first stages nothing may be.
struct PrefillNeed
{
    PromptBatch batch;
    std::size_t stage = 0;       ///< the first with something left
    std::uint32_t unitsDone = 0; ///< of that stage
    Instant ready;               ///< when that stage may begin
};

struct PrefillPlace
{
    std::size_t chain = 0;
    std::vector<std::vector<FillPart>> parts; ///< by stage
    Instant end;
};

class PrefillPlanner
{
  public:
    /// Both must outlive the planner.
    PrefillPlanner(const ServingTimes& times, const ServingChains& chains);

    /// The usable parts of a worker's bubbles, in order of time. Reservations on it are forgotten.
    void SetFree(WorkerIndex worker, const std::vector<UsableSpan>& spans);

    FreeTime& FreeOf(WorkerIndex worker);

    /// The place where it ends first, at `latest` at the latest; of two, on the chain that is free first, then the
    /// lower index. `now` bounds what is in the past. nullopt: there is none.
    std::optional<PrefillPlace> Earliest(const PrefillNeed& need, Instant now, Instant latest);

    /// The place that leaves the least of the gaps that it ends in, summed over its stages; of two, the earlier.
    std::optional<PrefillPlace> BestFit(const PrefillNeed& need, Instant now, Instant latest);

    /// The place on one chain.
    std::optional<PrefillPlace>
    On(std::size_t chain, const PrefillNeed& need, Instant latest) const;

    /// Takes the place's time. Call it before anything else is asked.
    void Reserve(const PrefillPlace& place, PromptBatch batch);

    /// After FreeOf() was changed: the chain's order among the others.
    void Changed(WorkerIndex worker);

    /// Room for KV caches of one GPU, by chain and stage.
    Bytes KvRoom(std::size_t chain, std::size_t stage) const;
    void TakeKv(std::size_t chain, std::size_t stage, Bytes size);
    void GiveKv(std::size_t chain, std::size_t stage, Bytes size);

    /// Whether the batch could be prefilled on some chain if it had all its bubbles, as they are now, and memory.
    bool CanEverFit(PromptBatch batch) const;

    /// The chain of a worker; nullopt: it serves none.
    std::optional<std::size_t> ChainOf(WorkerIndex worker) const;

  private:
    bool HasKvRoom(std::size_t chain, const PrefillNeed& need) const;
    Instant Try(std::size_t chain,
                const PrefillNeed& need,
                Instant latest,
                std::vector<std::vector<FillPart>>& parts) const;

    const ServingTimes& m_times;
    const std::vector<ServingChain>& m_chains;
    Duration m_shortest;
    std::vector<FreeTime> m_free;              ///< by worker
    std::vector<std::int32_t> m_chainOfWorker; ///< -1: none
    std::vector<std::vector<Bytes>> m_kvRoom;  ///< [chain][stage]
    std::vector<Instant> m_firstFree;          ///< by chain: as in m_order
    std::set<std::pair<std::int64_t, std::size_t>> m_order;
    std::vector<std::vector<FillPart>> m_parts; ///< of the attempt in progress
};

} // namespace geotrain
