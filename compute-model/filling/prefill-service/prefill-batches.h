// SPDX-License-Identifier: GPL-2.0-only
// Keeps the batches of requests that a prefill service has in hand: all of them by index, and the
// order of those that have no place yet.
#pragma once

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

/// A PrefillBatch is one request, or several short ones that are prefilled together.
struct PrefillBatch
{
    std::vector<PrefillRequest> requests;
    PromptBatch prompts;
    Instant deadline; ///< the earliest of its requests'
    std::optional<Instant> decided;
    std::size_t chain = 0;
    std::size_t stage = 0;       ///< stage in progress
    std::uint32_t unitsDone = 0; ///< units of it that are done
    Instant ready;               ///< when its input is there, or is expected
    bool hasInput = true;        ///< the activation of the stage before has come
    Instant firstToken;
    bool isStalled = false;      ///< waits for a forecast with room
    bool isRunning = false;      ///< on a worker
    bool mustReplace = false;    ///< is placed again once it stops running
    std::uint32_t transfers = 0; ///< transfers of its KV cache under way
    std::size_t kvSent = 0;      ///< stages whose KV cache has been handed over
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
    /// `rank` decides who goes first; of two that are equal, the batch with the lower `number`.
    void Add(std::uint32_t index, Instant rank, std::uint64_t number, Instant deadline);

    /// Takes out a batch whose deadline is before `now`; nullopt where there is none.
    std::optional<std::uint32_t> TakeExpired(Instant now);

    /// Calls `place` for each in turn, until it was false `mostFailures` times. Takes out those for
    /// which it is true. Returns whether it was false for any.
    template <typename Place>
    bool PlaceEach(int mostFailures, Place place);

  private:
    using Key = std::pair<Instant, std::uint64_t>; ///< rank or deadline, number

    struct Entry
    {
        std::uint32_t index;
        Instant deadline;
    };

    std::map<Key, Entry> m_queue;
    std::map<Key, Key> m_byDeadline; ///< keys of the queue, of batches with a deadline
};

template <typename Place>
bool
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
    return failures > 0;
}

} // namespace geotrain
