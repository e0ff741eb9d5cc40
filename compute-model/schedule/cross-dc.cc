// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/cross-dc.h"

#include "schedule/cap-ladder.h"
#include "schedule/list-scheduler.h"
#include "schedule/order-search.h"
#include "schedule/zero-bubble-rounds.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

/// Relative gain from which an order with more than 2p activations is taken. Under less, what they
/// queue on the WAN may cost more than the model of an order knows.
constexpr double leastGain = 0.01;

std::uint32_t
CrossDcActivations(std::uint32_t, const ScheduleShape& shape)
{
    return std::min(shape.memoryCap.value_or(2 * shape.stages), shape.microbatches);
}

/// Gives the search rounds after warm-ups of depths up to the cap: all up to 16, then in steps of an
/// eighth.
void
ConsiderWarmUps(OrderSearch& search, const ScheduleRequest& request, std::uint32_t cap)
{
    for (std::uint32_t depth = 1; depth < cap; depth += std::max(1u, depth / 8))
    {
        for (const bool fillsSmallGaps : {false, true})
        {
            RoundChoices choices;
            choices.fillsSmallGaps = fillsSmallGaps;
            for (std::uint32_t worker = 0; worker < request.stages; ++worker)
            {
                choices.warmUp.push_back(depth * (request.stages - 1 - worker) + 1);
            }
            search.Consider(
                [cap, choices](const ScheduleRequest& asked)
                { return ScheduleInRounds(asked, cap, HeldForWeights::Whole, choices); });
        }
    }
}

ScheduleOrder
ChooseOwn(const ScheduleRequest& request, std::uint32_t cap)
{
    OrderSearch search(request, HeldForWeights::Whole, OrderSearch::Goal::Makespan);
    auto limits = CapLadder(cap, request.stages);
    limits.insert(limits.end(), {cap - cap / 8, cap - cap / 4});
    for (const std::uint32_t limit : limits)
    {
        for (const bool alternates : {false, true})
        {
            for (const double overrun : {0.0, 0.5, 1.0})
            {
                const ListRules rules{limit, alternates, overrun};
                search.Consider([rules](const ScheduleRequest& asked)
                                { return ScheduleByList(asked, {}, rules); });
            }
        }
    }
    ConsiderRounds(search, request, cap, HeldForWeights::Whole);
    ConsiderWarmUps(search, request, cap);
    search.Climb();
    return search.Best();
}

CrossDcPlan
PlanWithin(const ScheduleRequest& request, std::uint32_t cap)
{
    StaticBest best = BestStaticOrder(request, cap, Rivals::All);
    CrossDcPlan plan{ChooseOwn(request, cap), std::move(best.order), std::move(best.rival)};
    plan.own.activationCap.assign(request.stages, cap);
    plan.rival.ownMakespan = SimulateOrder(plan.own, request).Makespan();
    return plan;
}

Duration
BestOf(const CrossDcPlan& plan)
{
    return plan.rival.name.empty() ? plan.rival.ownMakespan
                                   : std::min(plan.rival.ownMakespan, plan.rival.makespan);
}

} // namespace

CrossDcPlan
PlanCrossDc(const ScheduleRequest& request)
{
    ScheduleRequest plain = request;
    plain.virtualStages = 1;
    plain.warmupFactor = 1;
    const std::uint32_t cap = CrossDcActivations(0, request);
    CrossDcPlan plan = PlanWithin(plain, cap);
    if (cap > 2 * request.stages)
    {
        CrossDcPlan smaller = PlanWithin(plain, 2 * request.stages);
        if (BestOf(smaller).ToSeconds() <= (1 + leastGain) * BestOf(plan).ToSeconds())
        {
            plan = std::move(smaller);
        }
    }
    return plan;
}

ScheduleOrder
CrossDc(const ScheduleRequest& request)
{
    CrossDcPlan plan = PlanCrossDc(request);
    return BetterOf(std::move(plan.own), {std::move(plan.fallback), std::move(plan.rival)}, true);
}

ScheduleEntry
CrossDcEntry()
{
    ScheduleEntry entry;
    entry.name = "cross-dc";
    entry.description =
        "searched order of F, B and W that knows latency and occupancy of every hop, under a "
        "memory cap";
    entry.source = "after Chen et al., CrossPipe, USENIX ATC'25, section 4";
    entry.make = &CrossDc;
    entry.mostActivations = &CrossDcActivations;
    entry.knowsTurns = true;
    entry.fillsMemory = true;
    entry.splitsBackward = true;
    entry.ordersTimed = 170;
    return entry;
}

} // namespace geotrain
