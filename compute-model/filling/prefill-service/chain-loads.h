// SPDX-License-Identifier: GPL-2.0-only
// Keeps what the serving chains have in hand: the forecast of their workers' idle time, requests' work
// that is not computed yet, and the memory that KV caches leave. From these it finds the chain on which
// a prefill is forecast to end first.
#pragma once

#include "prefill-service/idle-forecast.h"
#include "prefill-service/serving-times.h"

#include <optional>
#include <vector>

namespace geotrain
{

/// A ChainForecast is when the stages of a chain are forecast to have prefilled some prompts.
struct ChainForecast
{
    std::size_t chain = 0;
    std::vector<Instant> ends; ///< by stage; Instant::Never() without idle time

    Instant End() const
    {
        return ends.back();
    }
};

/// ChainLoads are the loads of all chains of a run.
class ChainLoads
{
  public:
    /// `times` must outlive this.
    ChainLoads(const ServingTimes& times, std::uint32_t workers);

    /// Replaces the forecast of a worker; `period` is the length of its iterations.
    void SetForecast(WorkerIndex worker, const std::vector<Bubble>& bubbles, Duration period);

    const IdleForecast& IdleOf(WorkerIndex worker) const;

    /// Returns whether some chain has memory for the prompts if it has nothing else.
    bool HaveMemoryFor(PromptBatch prompts) const;

    /// Returns whether the workers of some chain have a bubble for a layer of the prompts, which ends
    /// `guard` before it.
    bool HaveBubblesFor(PromptBatch prompts, Duration guard) const;

    bool HasRoom(std::size_t chain, PromptBatch prompts) const;

    /// Returns the chain with room on which prompts that come at `now` end first, behind all requests
    /// that it has; nullopt where none has room.
    std::optional<ChainForecast> Earliest(PromptBatch prompts, Instant now) const;

    /// Takes memory for the prompts' KV cache on a chain.
    void TakeRoom(std::size_t chain, PromptBatch prompts);

    /// Gives that of one stage back.
    void GiveRoom(std::size_t chain, std::size_t stage, PromptBatch prompts);

    /// Adds prompts to the work that a chain has in hand.
    void Add(const ChainForecast& forecast, PromptBatch prompts);

    /// Notes that a worker computes a request's work from `since` on; unset: it stops.
    void SetRunning(WorkerIndex worker, std::optional<Instant> since);

    /// Takes `work` that a worker has computed off what it has in hand.
    void Computed(WorkerIndex worker, Duration work);

    /// Returns the least room that a worker's GPU had; nullopt where it serves nothing.
    std::optional<Bytes> LeastRoom(WorkerIndex worker) const;

  private:
    /// A WorkerLoad is the load of one worker.
    struct WorkerLoad
    {
        IdleForecast idle;
        Duration backlog;               ///< requests' work that is not computed
        std::optional<Instant> running; ///< since when some of it runs
        Instant lastEnd;                ///< forecast end of what was added last
        std::optional<Bytes> leastRoom;
    };

    std::vector<Instant> EndsOn(std::size_t chain, PromptBatch prompts, Instant now) const;

    const ServingTimes& m_times;
    const std::vector<ServingChain>& m_chains;
    std::vector<WorkerLoad> m_workers;
    std::vector<std::vector<Bytes>> m_room; ///< for KV caches, by chain and stage, on one GPU
};

} // namespace geotrain
