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

constexpr std::uint32_t mostCompared = 4096; // microbatches

} // namespace

std::uint64_t
OperationsOf(const ScheduleOrder& order)
{
    std::uint64_t operations = 0;
    for (const StageOrder& stage : order.stages)
    {
        operations += stage.size();
    }
    return operations;
}

std::vector<ScheduleRequest>
ViewsOfOnePipeline(const ScheduleRequest& request)
{
    if (!TakesTurns(request))
    {
        return {request};
    }
    std::vector<ScheduleRequest> views(2, request);
    for (std::size_t view = 0; view < views.size(); ++view)
    {
        views[view].cellSize = 1;
        for (Hop& hop : views[view].times.hops)
        {
            if (hop.takesTurns)
            {
                const Duration others = hop.occupancy * (std::int64_t{request.cellSize} - 1);
                hop.occupancy = hop.occupancy + others;
                hop.delay = view == 0 ? hop.delay - others : hop.delay;
                hop.takesTurns = false;
            }
        }
    }
    return views;
}

ScheduleRequest
ComparedRequest(const ScheduleRequest& request)
{
    const std::uint64_t held =
        request.memoryCap.value_or(2 * request.stages * request.virtualStages);
    const std::uint64_t most = std::max<std::uint64_t>(mostCompared, 4 * held);
    ScheduleRequest compared = request;
    if (request.microbatches > most + request.stages)
    {
        const auto least = static_cast<std::uint32_t>(most);
        compared.microbatches = least + (request.microbatches - least) % request.stages;
    }
    return compared;
}

OrderSearch::OrderSearch(const ScheduleRequest& request, HeldForWeights held, Goal goal)
    : m_request(request),
      m_compared(ComparedRequest(request)),
      m_held(held),
      m_goal(goal)
{
}

bool
OrderSearch::IsShortened() const
{
    return m_compared.microbatches < m_request.microbatches;
}

std::uint64_t
OrderSearch::PipelinesTimed() const
{
    return TakesTurns(m_request) ? m_request.cellSize : 1;
}

void
OrderSearch::Consider(const Recipe& recipe)
{
    const std::size_t views = ViewsOfOnePipeline(m_compared).size();
    for (std::size_t view = 0; view < views; ++view)
    {
        ConsiderPlain([recipe, view](const ScheduleRequest& asked)
                      { return recipe(ViewsOfOnePipeline(asked)[view]); });
    }
}

void
OrderSearch::ConsiderPlain(const Recipe& recipe)
{
    auto order = m_timed < mostOperationsTimed ? recipe(m_compared) : std::nullopt;
    if (!order)
    {
        return;
    }
    m_timed += OperationsOf(*order) * PipelinesTimed();
    if (!IsShortened())
    {
        Consider(std::move(*order));
    }
    else if (const auto candidate = Rate(m_compared, std::move(*order)))
    {
        m_recipes.push_back({recipe, candidate->cost, candidate->makespan});
    }
}

void
OrderSearch::Consider(ScheduleOrder order)
{
    auto candidate = Rate(m_request, std::move(order));
    if (candidate && IsBetter(*candidate))
    {
        m_best = std::move(candidate);
    }
}

std::optional<OrderSearch::Candidate>
OrderSearch::Rate(const ScheduleRequest& request, ScheduleOrder order) const
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
        const OrderTimeline timeline = SimulateOrder(order, request);
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

namespace
{

/// Returns whether an operation that moves passes another one of its microbatch and stage, which
/// come in one order alone.
bool
PassesItsOwn(const StageOrder& order, std::size_t from, std::size_t to)
{
    const auto begin = order.begin() + static_cast<std::ptrdiff_t>(std::min(from, to));
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::max(from, to)) + 1;
    return std::count_if(begin,
                         end,
                         [&moved = order[from]](const Operation& other) {
                             return other.microbatch == moved.microbatch &&
                                    other.chunk == moved.chunk;
                         }) > 1;
}

} // namespace

void
OrderSearch::Climb(std::uint64_t budget)
{
    if (!m_best)
    {
        return;
    }
    const std::uint64_t operations = 1 + OperationsOf(m_best->order) * PipelinesTimed();
    RandomStream random(m_request.microbatches, "schedule", "search");
    const Duration least = LeastCost();
    for (std::uint64_t left = budget / operations; left > 0 && m_best->cost > least; --left)
    {
        const std::size_t worker = Draw(random, m_best->order.stages.size());
        const StageOrder& order = m_best->order.stages[worker];
        const std::size_t from = Draw(random, order.size());
        const std::size_t by = 1 + Draw(random, reach);
        const bool isEarlier = random.Uniform() < 0.5;
        const std::size_t to =
            isEarlier ? from - std::min(from, by) : std::min(order.size() - 1, from + by);
        if (PassesItsOwn(order, from, to))
        {
            continue;
        }
        ScheduleOrder moved = m_best->order;
        StageOrder& changed = moved.stages[worker];
        changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(from));
        changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(to), order[from]);
        Consider(std::move(moved));
    }
}

ScheduleOrder
OrderSearch::Best() const
{
    if (IsShortened())
    {
        return MadeAgain();
    }
    if (!m_best)
    {
        throw std::invalid_argument("no order fits the memory cap");
    }
    return m_best->order;
}

/// Makes the best recipe whose order is legal for all microbatches too.
ScheduleOrder
OrderSearch::MadeAgain() const
{
    auto recipes = m_recipes;
    std::stable_sort(recipes.begin(),
                     recipes.end(),
                     [](const RatedRecipe& a, const RatedRecipe& b)
                     { return std::tie(a.cost, a.makespan) < std::tie(b.cost, b.makespan); });
    for (const RatedRecipe& rated : recipes)
    {
        auto order = rated.recipe(m_request);
        auto candidate = order ? Rate(m_request, std::move(*order)) : std::nullopt;
        if (candidate)
        {
            return std::move(candidate->order);
        }
    }
    throw std::invalid_argument("no order fits the memory cap");
}

} // namespace geotrain
