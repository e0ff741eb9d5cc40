// SPDX-License-Identifier: GPL-2.0-only
#include "prefill-service/chain-loads.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

ChainLoads::ChainLoads(const ServingTimes& times, std::uint32_t workers)
    : m_times(times),
      m_chains(times.Chains().chains),
      m_workers(workers)
{
    for (const ServingChain& chain : m_chains)
    {
        m_room.push_back(chain.kvRoom);
        for (std::size_t stage = 0; stage < chain.workers.size(); ++stage)
        {
            m_workers[chain.workers[stage]].leastRoom = chain.kvRoom[stage];
        }
    }
}

void
ChainLoads::SetForecast(WorkerIndex worker, const std::vector<Bubble>& bubbles, Duration period)
{
    m_workers[worker].idle.Set(bubbles, period);
}

const IdleForecast&
ChainLoads::IdleOf(WorkerIndex worker) const
{
    return m_workers[worker].idle;
}

bool
ChainLoads::HaveMemoryFor(PromptBatch prompts) const
{
    return std::any_of(m_chains.begin(),
                       m_chains.end(),
                       [&](const ServingChain& chain)
                       {
                           for (std::size_t stage = 0; stage < chain.kvRoom.size(); ++stage)
                           {
                               if (chain.kvRoom[stage] < m_times.KvOf(stage, prompts.tokens))
                               {
                                   return false;
                               }
                           }
                           return true;
                       });
}

bool
ChainLoads::HaveBubblesFor(PromptBatch prompts, Duration guard) const
{
    const PrefillChunk chunk = m_times.ChunkOf(prompts, 0);
    return std::any_of(m_chains.begin(),
                       m_chains.end(),
                       [&](const ServingChain& chain)
                       {
                           const auto& work = m_times.StagesOf(chain.gpu, chunk);
                           for (std::size_t stage = 0; stage < work.size(); ++stage)
                           {
                               const auto& idle = m_workers[chain.workers[stage]].idle;
                               if (idle.Longest() < work[stage].unit + guard)
                               {
                                   return false;
                               }
                           }
                           return true;
                       });
}

bool
ChainLoads::HasRoom(std::size_t chain, PromptBatch prompts) const
{
    for (std::size_t stage = 0; stage < m_room[chain].size(); ++stage)
    {
        if (m_room[chain][stage] < m_times.KvOf(stage, prompts.tokens))
        {
            return false;
        }
    }
    return true;
}

std::optional<ChainForecast>
ChainLoads::Earliest(PromptBatch prompts, Instant now) const
{
    std::optional<ChainForecast> best;
    for (std::size_t chain = 0; chain < m_chains.size(); ++chain)
    {
        if (HasRoom(chain, prompts))
        {
            ChainForecast forecast{chain, EndsOn(chain, prompts, now)};
            if (!best || forecast.End() < best->End())
            {
                best = std::move(forecast);
            }
        }
    }
    return best;
}

/// A stage ends when it has computed what it has in hand, not before what was added last has ended,
/// and after its last chunk has come from the stage before.
std::vector<Instant>
ChainLoads::EndsOn(std::size_t chain, PromptBatch prompts, Instant now) const
{
    const ServingChain& on = m_chains[chain];
    const PrefillChunk last = m_times.ChunkOf(prompts, m_times.ChunksOf(prompts) - 1);
    std::vector<Instant> ends;
    for (std::size_t stage = 0; stage < on.workers.size(); ++stage)
    {
        const WorkerLoad& worker = m_workers[on.workers[stage]];
        const Duration own = m_times.StageTime(on.gpu, prompts, stage);
        const Duration ran = worker.running ? now - *worker.running : Duration();
        const Duration inHand = std::max(Duration(), worker.backlog - ran);
        Instant end = worker.idle.EndOf(now, inHand + own);
        if (stage > 0 && end != Instant::Never() && ends.back() != Instant::Never())
        {
            const Instant input = ends.back() + m_times.Hop(on, stage - 1, last.prompts.tokens);
            const Duration lastWork = m_times.StagesOf(on.gpu, last)[stage].Sum();
            end = std::max(end, worker.idle.EndOf(input, lastWork));
            if (inHand > Duration() && worker.lastEnd > now)
            {
                end = std::max(end, worker.idle.EndOf(worker.lastEnd, own));
            }
        }
        ends.push_back(stage == 0 ? end : std::max(end, ends.back()));
    }
    return ends;
}

void
ChainLoads::TakeRoom(std::size_t chain, PromptBatch prompts)
{
    for (std::size_t stage = 0; stage < m_room[chain].size(); ++stage)
    {
        m_room[chain][stage] = m_room[chain][stage] - m_times.KvOf(stage, prompts.tokens);
        auto& least = m_workers[m_chains[chain].workers[stage]].leastRoom;
        least = std::min(*least, m_room[chain][stage]);
    }
}

void
ChainLoads::GiveRoom(std::size_t chain, std::size_t stage, PromptBatch prompts)
{
    m_room[chain][stage] += m_times.KvOf(stage, prompts.tokens);
}

void
ChainLoads::Add(const ChainForecast& forecast, PromptBatch prompts)
{
    const ServingChain& chain = m_chains[forecast.chain];
    for (std::size_t stage = 0; stage < chain.workers.size(); ++stage)
    {
        WorkerLoad& worker = m_workers[chain.workers[stage]];
        worker.backlog += m_times.StageTime(chain.gpu, prompts, stage);
        worker.lastEnd = forecast.ends[stage];
    }
}

void
ChainLoads::SetRunning(WorkerIndex worker, std::optional<Instant> since)
{
    m_workers[worker].running = since;
}

void
ChainLoads::Computed(WorkerIndex worker, Duration work)
{
    m_workers[worker].backlog = m_workers[worker].backlog - work;
}

std::optional<Bytes>
ChainLoads::LeastRoom(WorkerIndex worker) const
{
    return m_workers[worker].leastRoom;
}

} // namespace geotrain
