#include "bubbles/prefill-planner.h"

#include <algorithm>

namespace geotrain
{

namespace
{

/// What the last part of each stage leaves of its bubble.
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

PrefillPlanner::PrefillPlanner(const ServingTimes& times, const ServingChains& chains)
    : m_times(times),
      m_chains(chains.chains),
      m_shortest(times.ShortestUnit()),
      m_firstFree(chains.chains.size(), Instant::Never()),
      m_parts(times.StageCount())
{
    for (std::size_t chain = 0; chain < m_chains.size(); ++chain)
    {
        m_kvRoom.push_back(m_chains[chain].kvRoom);
        m_order.insert({Instant::Never().ToNanoseconds(), chain});
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
    Changed(worker);
}

FreeTime&
PrefillPlanner::FreeOf(WorkerIndex worker)
{
    return m_free[worker];
}

void
PrefillPlanner::Changed(WorkerIndex worker)
{
    const auto chain = static_cast<std::size_t>(m_chainOfWorker[worker]);
    const Instant first = m_free[worker].FirstStart();
    if (m_chains[chain].workers.front() != worker || first == m_firstFree[chain])
    {
        return;
    }
    m_order.erase({m_firstFree[chain].ToNanoseconds(), chain});
    m_firstFree[chain] = first;
    m_order.insert({first.ToNanoseconds(), chain});
}

bool
PrefillPlanner::HasKvRoom(std::size_t chain, const PrefillNeed& need) const
{
    for (std::size_t stage = 0; stage < m_times.StageCount(); ++stage)
    {
        if (m_kvRoom[chain][stage] < m_times.KvOf(stage, need.batch.tokens))
        {
            return false;
        }
    }
    return true;
}

Instant
PrefillPlanner::Try(std::size_t chain,
                    const PrefillNeed& need,
                    Instant latest,
                    std::vector<std::vector<FillPart>>& parts) const
{
    const ServingChain& on = m_chains[chain];
    const auto& stages = m_times.StagesOf(on.gpu, need.batch);
    for (auto& ofStage : parts)
    {
        ofStage.clear();
    }
    Instant at = need.ready;
    for (std::size_t stage = need.stage; stage < stages.size(); ++stage)
    {
        UnitWork work = stages[stage];
        work.units -= stage == need.stage ? need.unitsDone : 0;
        at = m_free[on.workers[stage]].Fit(at, work, latest, parts[stage]);
        if (at == Instant::Never())
        {
            return at;
        }
        at = stage + 1 < stages.size() ? at + m_times.Hop(on, stage, need.batch.tokens) : at;
    }
    return at;
}

std::optional<PrefillPlace>
PrefillPlanner::Earliest(const PrefillNeed& need, Instant now, Instant latest)
{
    std::optional<PrefillPlace> best;
    PrefillNeed from = need;
    from.ready = std::max(need.ready, now);
    const Duration fastest = m_times.FastestComputeTime(need.batch);
    for (const auto& [first, chain] : m_order)
    {
        const Instant start = std::max(Instant::FromNanoseconds(first), from.ready);
        if (Instant::FromNanoseconds(first) == Instant::Never() || start + fastest > latest)
        {
            break;
        }
        if (!HasKvRoom(chain, need))
        {
            continue;
        }
        const Instant end = Try(chain, from, latest, m_parts);
        if (end != Instant::Never())
        {
            best = PrefillPlace{chain, m_parts, end};
            latest = end - Duration::Nanoseconds(1); // only what is earlier is better
        }
    }
    return best;
}

std::optional<PrefillPlace>
PrefillPlanner::BestFit(const PrefillNeed& need, Instant now, Instant latest)
{
    std::optional<PrefillPlace> best;
    std::int64_t leastLeft = 0;
    PrefillNeed from = need;
    from.ready = std::max(need.ready, now);
    for (std::size_t chain = 0; chain < m_chains.size(); ++chain)
    {
        if (!HasKvRoom(chain, need))
        {
            continue;
        }
        const Instant end = Try(chain, from, latest, m_parts);
        if (end == Instant::Never())
        {
            continue;
        }
        const auto left = LeftOver(m_parts, m_times.StagesOf(m_chains[chain].gpu, need.batch));
        if (!best || left < leastLeft || (left == leastLeft && end < best->end))
        {
            best = PrefillPlace{chain, m_parts, end};
            leastLeft = left;
        }
    }
    return best;
}

std::optional<PrefillPlace>
PrefillPlanner::On(std::size_t chain, const PrefillNeed& need, Instant latest) const
{
    PrefillPlace place{chain, std::vector<std::vector<FillPart>>(m_times.StageCount()), {}};
    place.end = Try(chain, need, latest, place.parts);
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
        Changed(on.workers[stage]);
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
