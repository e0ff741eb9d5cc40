// SPDX-License-Identifier: GPL-2.0-only
#include "prefill-service/prefill-planner.h"

#include <algorithm>
#include <functional>

namespace geotrain
{

namespace
{

/// Returns what the last part of each stage leaves of its bubble.
std::int64_t
LeftOver(const std::vector<std::vector<FillPart>>& parts, const std::vector<UnitWork>& stages)
{
    std::int64_t left = 0;
    for (std::size_t stage = 0; stage < parts.size(); ++stage)
    {
        if (!parts[stage].empty())
        {
            const FillPart& last = parts[stage].back();
            const Instant end = last.start + stages[stage].unit * last.units;
            left += (last.limit - end).ToNanoseconds();
        }
    }
    return left;
}

} // namespace

PrefillPlanner::PrefillPlanner(const ServingTimes& times)
    : m_times(times),
      m_chains(times.Chains().chains),
      m_shortest(times.ShortestUnit())
{
    for (std::size_t chain = 0; chain < m_chains.size(); ++chain)
    {
        m_kvRoom.push_back(m_chains[chain].kvRoom);
        for (const WorkerIndex worker : m_chains[chain].workers)
        {
            m_chainOfWorker.resize(std::max<std::size_t>(m_chainOfWorker.size(), worker + 1), -1);
            m_chainOfWorker[worker] = static_cast<std::int32_t>(chain);
        }
    }
    m_free.resize(m_chainOfWorker.size());
}

void
PrefillPlanner::SetFree(WorkerIndex worker, const std::vector<UsableSpan>& spans)
{
    m_free[worker].Set(spans, m_shortest);
}

void
PrefillPlanner::Take(WorkerIndex worker, Instant start, Instant end)
{
    m_free[worker].Take(start, end);
}

void
PrefillPlanner::Release(WorkerIndex worker, Instant start, Instant end)
{
    m_free[worker].Release(start, end);
}

void
PrefillPlanner::EndBubbles(WorkerIndex worker, std::uint32_t position)
{
    m_free[worker].EndBubbles(position);
}

/// Returns the chains that have memory for the batch's KV cache.
std::vector<std::size_t>
PrefillPlanner::ChainsWithRoom(PromptBatch batch) const
{
    std::vector<Bytes> needed;
    for (std::size_t stage = 0; stage < m_times.StageCount(); ++stage)
    {
        needed.push_back(m_times.KvOf(stage, batch.tokens));
    }
    std::vector<std::size_t> chains;
    for (std::size_t chain = 0; chain < m_chains.size(); ++chain)
    {
        if (std::equal(
                needed.begin(), needed.end(), m_kvRoom[chain].begin(), std::less_equal<Bytes>()))
        {
            chains.push_back(chain);
        }
    }
    return chains;
}

/// Returns when what is needed ends on the chain; Instant::Never() where that would be after
/// `latest`. It also tells where all layers go, unless `parts` is null.
Instant
PrefillPlanner::Try(std::size_t chain,
                    const PrefillNeed& need,
                    Instant latest,
                    std::vector<std::vector<FillPart>>* parts) const
{
    const ServingChain& on = m_chains[chain];
    const auto& stages = m_times.StagesOf(on.gpu, need.batch);
    Instant at = need.ready;
    for (std::size_t stage = need.stage; stage < stages.size(); ++stage)
    {
        UnitWork work = stages[stage];
        work.units -= stage == need.stage ? need.unitsDone : 0;
        at = m_free[on.workers[stage]].Fit(
            at, work, latest, parts != nullptr ? &(*parts)[stage] : nullptr);
        if (at == Instant::Never())
        {
            return at;
        }
        if (stage + 1 < stages.size())
        {
            at = at + m_times.Hop(on, stage, need.batch.tokens);
        }
    }
    return at;
}

std::optional<PrefillPlace>
PrefillPlanner::Earliest(PromptBatch batch, Instant ready, Instant latest) const
{
    const PrefillNeed need{batch, 0, 0, ready};
    const auto firstFree = [&](std::size_t chain)
    { return m_free[m_chains[chain].workers.front()].FirstStart(); };
    std::optional<std::size_t> best;
    for (const std::size_t chain : ChainsWithRoom(batch))
    {
        const Instant end = Try(chain, need, latest, nullptr);
        if (end != Instant::Never() &&
            (!best || end < latest || firstFree(chain) < firstFree(*best)))
        {
            best = chain;
            latest = end;
        }
    }
    return best ? On(*best, need, latest) : std::nullopt;
}

std::optional<PrefillPlace>
PrefillPlanner::BestFit(PromptBatch batch, Instant ready, Instant latest) const
{
    std::optional<PrefillPlace> best;
    std::int64_t leastLeft = 0;
    for (const std::size_t chain : ChainsWithRoom(batch))
    {
        const auto place = On(chain, {batch, 0, 0, ready}, latest);
        if (!place)
        {
            continue;
        }
        const auto left = LeftOver(place->parts, m_times.StagesOf(m_chains[chain].gpu, batch));
        if (!best || left < leastLeft || (left == leastLeft && place->end < best->end))
        {
            best = place;
            leastLeft = left;
        }
    }
    return best;
}

std::optional<PrefillPlace>
PrefillPlanner::On(std::size_t chain, const PrefillNeed& need, Instant latest) const
{
    PrefillPlace place{chain, std::vector<std::vector<FillPart>>(m_times.StageCount()), {}};
    place.end = Try(chain, need, latest, &place.parts);
    return place.end == Instant::Never() ? std::nullopt : std::optional(place);
}

void
PrefillPlanner::Reserve(const PrefillPlace& place, PromptBatch batch)
{
    const ServingChain& on = m_chains[place.chain];
    const auto& stages = m_times.StagesOf(on.gpu, batch);
    for (std::size_t stage = 0; stage < stages.size(); ++stage)
    {
        for (const FillPart& part : place.parts[stage])
        {
            m_free[on.workers[stage]].Take(part.start,
                                           part.start + stages[stage].unit * part.units);
        }
    }
}

Bytes
PrefillPlanner::KvRoom(std::size_t chain, std::size_t stage) const
{
    return m_kvRoom[chain][stage];
}

void
PrefillPlanner::TakeKv(std::size_t chain, std::size_t stage, Bytes size)
{
    m_kvRoom[chain][stage] = m_kvRoom[chain][stage] - size;
}

void
PrefillPlanner::GiveKv(std::size_t chain, std::size_t stage, Bytes size)
{
    m_kvRoom[chain][stage] += size;
}

bool
PrefillPlanner::CanEverFit(PromptBatch batch) const
{
    for (const ServingChain& chain : m_chains)
    {
        const auto& stages = m_times.StagesOf(chain.gpu, batch);
        bool fits = true;
        for (std::size_t stage = 0; stage < stages.size() && fits; ++stage)
        {
            fits = !(m_free[chain.workers[stage]].LongestBubble() < stages[stage].unit) &&
                   !(chain.kvRoom[stage] < m_times.KvOf(stage, batch.tokens));
        }
        if (fits)
        {
            return true;
        }
    }
    return false;
}

std::optional<std::size_t>
PrefillPlanner::ChainOf(WorkerIndex worker) const
{
    return worker < m_chainOfWorker.size() && m_chainOfWorker[worker] >= 0
               ? std::optional(static_cast<std::size_t>(m_chainOfWorker[worker]))
               : std::nullopt;
}

} // namespace geotrain
