// SPDX-License-Identifier: GPL-2.0-only
#include "prefill-service/prefill-planner.h"

#include <algorithm>

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

PrefillPlanner::PrefillPlanner(const ServingTimes& times, const ServingChains& chains)
    : m_times(times),
      m_chains(chains.chains),
      m_hops(chains.chains),
      m_shortest(times.ShortestUnit()),
      m_bounds(chains.chains.size(), times.MostTokens(), times, m_hops)
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
    m_bounds.Grown(*ChainOf(worker));
}

void
PrefillPlanner::Take(WorkerIndex worker, Instant start, Instant end)
{
    m_free[worker].Take(start, end);
    m_bounds.Shrunk(*ChainOf(worker));
}

void
PrefillPlanner::Release(WorkerIndex worker, Instant start, Instant end)
{
    m_free[worker].Release(start, end);
    m_bounds.Grown(*ChainOf(worker));
}

void
PrefillPlanner::EndBubbles(WorkerIndex worker, std::uint32_t position, Instant now)
{
    if (m_free[worker].EndBubbles(position, now)) // bounds don't count what is past
    {
        m_bounds.Shrunk(*ChainOf(worker));
    }
}

bool
PrefillPlanner::HasKvRoom(std::size_t chain, const PrefillDemand& demand) const
{
    const auto& room = m_kvRoom[chain];
    return std::equal(room.begin(),
                      room.end(),
                      demand.kv.begin(),
                      [](Bytes has, Bytes needs) { return !(has < needs); });
}

/// Returns the end of an attempt on the chain, or Instant::Never(). It also tells where the first
/// layer starts and where all layers go, unless the pointers are null.
Instant
PrefillPlanner::Try(std::size_t chain,
                    const Attempt& attempt,
                    Instant* first,
                    std::vector<std::vector<FillPart>>* parts) const
{
    const ServingChain& on = m_chains[chain];
    const auto& demand = attempt.demand.gpus[on.gpu];
    Instant at = attempt.ready;
    for (std::size_t stage = attempt.stage; stage < demand.stages.size(); ++stage)
    {
        UnitWork work = demand.stages[stage];
        work.units -= stage == attempt.stage ? attempt.unitsDone : 0;
        at = m_free[on.workers[stage]].Fit(at,
                                           work,
                                           attempt.latest - demand.after[stage],
                                           stage == attempt.stage ? first : nullptr,
                                           parts != nullptr ? &(*parts)[stage] : nullptr);
        if (at == Instant::Never())
        {
            return at;
        }
        if (stage + 1 < demand.stages.size())
        {
            at = at + (on.hopDelay[stage] + attempt.demand.passing[m_hops.Of(chain, stage)]);
        }
    }
    return at;
}

PrefillPlace
PrefillPlanner::PlaceOn(std::size_t chain, const Attempt& attempt)
{
    PrefillPlace place{chain, std::vector<std::vector<FillPart>>(m_times.StageCount()), {}};
    place.end = Try(chain, attempt, nullptr, &place.parts);
    return place;
}

/// Returns the earliest end of the class's shortest prefill on the chain.
Instant
PrefillPlanner::BoundOf(EndBounds::LengthClass& of, std::size_t chain, Instant ready)
{
    if (!m_bounds.IsExact(of, chain, ready))
    {
        Instant start;
        const Attempt shortest{of.shortest, 0, 0, ready, Instant::Never()};
        const Instant end = Try(chain, shortest, &start, nullptr);
        m_bounds.Set(of, chain, end, start);
    }
    return Instant::FromNanoseconds(of.ends.At(chain));
}

void
PrefillPlanner::TryForBest(std::size_t chain, Instant ready, Best& best)
{
    const Instant end = Try(chain, {m_demand, 0, 0, ready, best.end}, nullptr, nullptr);
    const auto key = [&](std::size_t of) { return std::make_pair(FirstFree(of), of); };
    if (end != Instant::Never() && (end < best.end || !best.chain || key(chain) < key(*best.chain)))
    {
        best = {chain, end};
    }
}

Instant
PrefillPlanner::FirstFree(std::size_t chain) const
{
    return m_free[m_chains[chain].workers.front()].FirstStart();
}

std::optional<PrefillPlace>
PrefillPlanner::Earliest(PromptBatch batch, Instant ready, Instant latest)
{
    if (ready < m_ready)
    {
        m_bounds.ForgetAll();
    }
    m_ready = ready;
    SetDemand(m_demand, batch, m_times, m_hops);
    auto& of = m_bounds.ClassOf(m_demand);
    Best best{std::nullopt, latest};
    m_tried.clear();
    while (of.ends.Least() != LeastTree::nothing && of.ends.Least() <= best.end.ToNanoseconds())
    {
        const std::size_t chain = of.ends.IndexOfLeast();
        if (BoundOf(of, chain, ready) <= best.end && HasKvRoom(chain, m_demand))
        {
            TryForBest(chain, ready, best);
        }
        m_tried.emplace_back(chain, of.ends.At(chain));
        of.ends.Set(chain, LeastTree::nothing);
    }
    for (const auto& [chain, bound] : m_tried)
    {
        of.ends.Set(chain, bound);
    }
    return best.chain ? std::optional(PlaceOn(*best.chain, {m_demand, 0, 0, ready, best.end}))
                      : std::nullopt;
}

std::optional<PrefillPlace>
PrefillPlanner::BestFit(PromptBatch batch, Instant ready, Instant latest)
{
    std::optional<PrefillPlace> best;
    std::int64_t leastLeft = 0;
    SetDemand(m_demand, batch, m_times, m_hops);
    const Attempt attempt{m_demand, 0, 0, ready, latest};
    PrefillPlace place{0, std::vector<std::vector<FillPart>>(m_times.StageCount()), {}};
    for (place.chain = 0; place.chain < m_chains.size(); ++place.chain)
    {
        for (auto& ofStage : place.parts)
        {
            ofStage.clear();
        }
        place.end = HasKvRoom(place.chain, m_demand)
                        ? Try(place.chain, attempt, nullptr, &place.parts)
                        : Instant::Never();
        if (place.end == Instant::Never())
        {
            continue;
        }
        const auto left = LeftOver(place.parts, m_demand.gpus[m_chains[place.chain].gpu].stages);
        if (!best || left < leastLeft || (left == leastLeft && place.end < best->end))
        {
            best = place;
            leastLeft = left;
        }
    }
    return best;
}

std::optional<PrefillPlace>
PrefillPlanner::On(std::size_t chain, const PrefillNeed& need, Instant latest)
{
    SetDemand(m_demand, need.batch, m_times, m_hops);
    const auto place = PlaceOn(chain, {m_demand, need.stage, need.unitsDone, need.ready, latest});
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
    m_bounds.Shrunk(place.chain);
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
