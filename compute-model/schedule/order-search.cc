// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/order-search.h"

#include "units/random-stream.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace geotrain
{

namespace
{

std::size_t
Draw(RandomStream& random, std::size_t count)
{
    return std::min(count - 1,
                    static_cast<std::size_t>(random.Uniform() * static_cast<double>(count)));
}

/// Farthest move of an operation, in places.
constexpr std::size_t reach = 6;

} // namespace

OrderSearch::OrderSearch(const ScheduleRequest& request, HeldForWeights held, Goal goal)
    : m_request(request),
      m_held(held),
      m_goal(goal)
{
}

void
OrderSearch::Consider(ScheduleOrder order)
{
    auto candidate = Rate(std::move(order));
    if (candidate && IsBetter(*candidate))
    {
        m_best = std::move(candidate);
    }
}

std::optional<OrderSearch::Candidate>
OrderSearch::Rate(ScheduleOrder order) const
{
    order.held = m_held;
    for (std::size_t worker = 0; worker < order.stages.size(); ++worker)
    {
        if (PeakActivations(order.stages[worker], m_held) > order.activationCap[worker])
        {
            return std::nullopt;
        }
    }
    try
    {
        const OrderTimeline timeline =
            SimulateOrder(order, m_request.microbatches, m_request.times);
        const Duration makespan = timeline.Makespan();
        return Candidate{
            std::move(order), m_goal == Goal::Span ? timeline.LongestSpan() : makespan, makespan};
    }
    catch (const std::invalid_argument&)
    {
        return std::nullopt; // a move that broke a dependency
    }
}

bool
OrderSearch::IsBetter(const Candidate& candidate) const
{
    return !m_best || candidate.cost < m_best->cost ||
           (candidate.cost == m_best->cost && candidate.makespan < m_best->makespan);
}

Duration
OrderSearch::LeastCost() const
{
    Duration most;
    for (std::uint32_t worker = 0; worker < m_request.stages; ++worker)
    {
        Duration work;
        const auto& stages = m_best->order.stagesOfWorker;
        const std::size_t chunks = stages.empty() ? 1 : stages[worker].size();
        for (std::uint32_t chunk = 0; chunk < chunks; ++chunk)
        {
            const StageTiming timing = m_request.times.Stage(m_best->order.StageOf(worker, chunk));
            work = work + timing.forward + timing.recompute + timing.Backward();
        }
        most = std::max(most, work * m_request.microbatches);
    }
    return most;
}

void
OrderSearch::Climb(std::uint64_t budget)
{
    if (!m_best)
    {
        return;
    }
    std::size_t operations = 1;
    for (const StageOrder& order : m_best->order.stages)
    {
        operations += order.size();
    }
    RandomStream random(m_request.microbatches, "schedule", "search");
    const Duration least = LeastCost();
    for (std::uint64_t left = budget / operations; left > 0 && m_best->cost > least; --left)
    {
        ScheduleOrder moved = m_best->order;
        StageOrder& order = moved.stages[Draw(random, moved.stages.size())];
        const std::size_t from = Draw(random, order.size());
        const std::size_t by = 1 + Draw(random, reach);
        const bool isEarlier = random.Uniform() < 0.5;
        const std::size_t to =
            isEarlier ? from - std::min(from, by) : std::min(order.size() - 1, from + by);
        const Operation operation = order[from];
        order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
        order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), operation);
        Consider(std::move(moved));
    }
}

ScheduleOrder
OrderSearch::Best() const
{
    if (!m_best)
    {
        throw std::invalid_argument("no order fits the memory cap");
    }
    return m_best->order;
}

} // namespace geotrain
