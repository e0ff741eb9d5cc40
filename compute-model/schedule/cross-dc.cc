// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/cross-dc.h"

#include "schedule/gpipe.h"
#include "schedule/list-scheduler.h"
#include "schedule/one-forward-one-backward.h"
#include "schedule/order-search.h"
#include "schedule/zb-h1.h"
#include "schedule/zb-h2.h"
#include "schedule/zero-bubble-rounds.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

/// Number of operations that the hill climb times.
std::uint32_t
CrossDcActivations(std::uint32_t, const ScheduleShape& shape)
{
    return std::min(shape.memoryCap.value_or(2 * shape.stages), shape.microbatches);
}

std::uint32_t
LargestPeak(const ScheduleOrder& order)
{
    std::uint32_t peak = 0;
    for (const StageOrder& stage : order.stages)
    {
        peak = std::max(peak, PeakActivations(stage));
    }
    return peak;
}

class FallbackChoice
{
  public:
    FallbackChoice(const ScheduleRequest& request, std::uint32_t cap, CrossDcPlan& plan)
        : m_request(request),
          m_compared(ComparedRequest(request)),
          m_cap(cap),
          m_plan(plan)
    {
    }

    void Consider(const Recipe& recipe, const std::string& name)
    {
        auto order = recipe(m_compared);
        m_timed += OperationsOf(*order);
        if (LargestPeak(*order) > m_cap)
        {
            return;
        }
        const Duration makespan =
            SimulateOrder(*order, m_compared.microbatches, m_compared.times).Makespan();
        if (m_plan.rival.name.empty() || makespan < m_plan.rival.makespan)
        {
            m_recipe = recipe;
            m_plan.fallback = std::move(*order);
            m_plan.rival.name = name;
            m_plan.rival.makespan = makespan;
        }
    }

    /// Returns whether fewer than mostOperationsTimed have been timed.
    bool HasTime() const
    {
        return m_timed < mostOperationsTimed;
    }

    /// Makes the best order for all microbatches, and gives it the cap.
    void Conclude()
    {
        if (!m_plan.rival.name.empty() && m_compared.microbatches < m_request.microbatches)
        {
            m_plan.fallback = *m_recipe(m_request);
            m_plan.rival.makespan =
                SimulateOrder(m_plan.fallback, m_request.microbatches, m_request.times).Makespan();
        }
        for (std::uint32_t& cap : m_plan.fallback.activationCap)
        {
            cap = std::min(cap, m_cap);
        }
    }

  private:
    const ScheduleRequest& m_request;
    ScheduleRequest m_compared;
    std::uint32_t m_cap;
    CrossDcPlan& m_plan;
    Recipe m_recipe;           ///< of the plan's fall-back
    std::uint64_t m_timed = 0; ///< operations
};

void
ChooseFallback(const ScheduleRequest& request, std::uint32_t cap, CrossDcPlan& plan)
{
    FallbackChoice choice(request, cap, plan);
    const std::uint32_t depth = std::max(1u, request.stages - 1);
    for (std::uint32_t factor = 1; factor == 1 || (factor * depth < cap && choice.HasTime());
         ++factor)
    {
        choice.Consider(
            [factor](ScheduleRequest asked)
            {
                asked.warmupFactor = factor;
                return OneForwardOneBackward(asked);
            },
            "1f1b, warmup_factor " + std::to_string(factor));
    }
    choice.Consider(&GPipe, "gpipe");
    choice.Consider(&ZbH1, "zb-h1");
    // A static schedule is made without knowledge of the network.
    const auto withoutHops = [](ScheduleRequest asked)
    {
        asked.times.hops.clear();
        return ZbH2(asked);
    };
    choice.Consider(withoutHops, "zb-h2");
    choice.Conclude();
}

/// Gives the search rounds after warm-ups of each depth up to the cap.
void
ConsiderWarmUps(OrderSearch& search, const ScheduleRequest& request, std::uint32_t cap)
{
    for (std::uint32_t depth = 1; depth < cap; ++depth)
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
    for (const std::uint32_t limit : {cap, cap - cap / 8, cap - cap / 4})
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
    ConsiderRounds(search, cap, HeldForWeights::Whole);
    ConsiderWarmUps(search, request, cap);
    search.Climb();
    return search.Best();
}

} // namespace

CrossDcPlan
PlanCrossDc(const ScheduleRequest& request)
{
    ScheduleRequest plain = request;
    plain.virtualStages = 1;
    plain.warmupFactor = 1;
    const std::uint32_t cap = CrossDcActivations(0, request);
    CrossDcPlan plan;
    ChooseFallback(plain, cap, plan);
    plan.own = ChooseOwn(plain, cap);
    plan.own.activationCap.assign(request.stages, cap);
    plan.rival.ownMakespan =
        SimulateOrder(plan.own, request.microbatches, request.times).Makespan();
    return plan;
}

ScheduleOrder
CrossDc(const ScheduleRequest& request)
{
    CrossDcPlan plan = PlanCrossDc(request);
    StaticRival& rival = plan.rival;
    const bool loses = !rival.name.empty() && rival.makespan <= rival.ownMakespan;
    ScheduleOrder order = loses ? std::move(plan.fallback) : std::move(plan.own);
    order.rival = std::move(rival);
    return order;
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
    entry.fillsMemory = true;
    entry.splitsBackward = true;
    entry.ordersTimed = 170;
    return entry;
}

} // namespace geotrain
