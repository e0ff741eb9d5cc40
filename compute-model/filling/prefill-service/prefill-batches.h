// SPDX-License-Identifier: GPL-2.0-only
// Keeps the batches of requests that a prefill service has in hand: all of them by index, and the
// order of those that have no place yet.
#pragma once

#include "filling/filler.h"
#include "prefill-service/prefill-request.h"
#include "prefill-service/serving-times.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace geotrain
{

/// A StageProgress is how far a batch is on one stage of its chain.
struct StageProgress
{
    std::uint32_t arrived = 0; ///< chunks whose input is there
    std::uint32_t done = 0;    ///< chunks that are done
    Duration into;             ///< computed of the next one
};

/// A PrefillBatch is one request, or several short ones that are prefilled together.
struct PrefillBatch
{
    std::vector<PrefillRequest> requests;
    PromptBatch prompts;
    WorkRank rank;    ///< the lowest goes first
    Instant deadline; ///< the earliest of its requests'
    std::optional<Instant> decided;
    Instant forecast;                ///< end of its prefill, as it was forecast when it was placed
    std::optional<Instant> promised; ///< by when its first token is to be there
    std::size_t chain = 0;
    std::vector<StageProgress> stages;
    std::size_t stagesDone = 0;
    Instant firstToken;
    std::uint32_t transfers = 0; ///< transfers of its KV cache under way
    std::size_t kvSent = 0;      ///< stages whose KV cache has been handed over

    bool IsOffline() const
    {
        return requests.front().isOffline;
    }
};

/// PrefillBatches are all batches by index. The index of a freed batch is used again.
class PrefillBatches
{
  public:
    std::uint32_t Add(PrefillBatch batch);
    void Free(std::uint32_t index);

    /// Returns the batches by index; free ones have no requests. References stay good while others
    /// are added.
    std::deque<PrefillBatch>& All();
    PrefillBatch& operator[](std::uint32_t index);
    const PrefillBatch& operator[](std::uint32_t index) const;

  private:
    std::deque<PrefillBatch> m_batches;
    std::vector<std::uint32_t> m_free;
};

/// WaitingBatches are the batches that have no place yet.
class WaitingBatches
{
  public:
    void Add(std::uint32_t index, const PrefillBatch& batch);

    bool IsEmpty() const
    {
        return m_queue.empty();
    }

    /// Takes out a batch whose deadline is before `now`; nullopt where there is none.
    std::optional<std::uint32_t> TakeExpired(Instant now);

    /// Calls `place` for each in turn, until it was false `mostFailures` times. Takes out those for
    /// which it is true.
    template <typename Place>
    void PlaceEach(int mostFailures, Place place);

  private:
    struct Entry
    {
        std::uint32_t index;
        Instant deadline;
    };

    std::map<WorkRank, Entry> m_queue;
    /// Ranks of batches with a deadline, by deadline and number.
    std::map<WorkRank, WorkRank> m_byDeadline;
};

template <typename Place>
void
WaitingBatches::PlaceEach(int mostFailures, Place place)
{
    int failures = 0;
    for (auto next = m_queue.begin(); next != m_queue.end() && failures < mostFailures;)
    {
        if (!place(next->second.index))
        {
            ++failures;
            ++next;
            continue;
        }
        m_byDeadline.erase({next->second.deadline, next->first.second});
        next = m_queue.erase(next);
    }
}

} // namespace geotrain
