// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/static-rival.h"

#include "schedule/cap-ladder.h"
#include "schedule/dualpipe-v.h"
#include "schedule/gpipe.h"
#include "schedule/interleaved.h"
#include "schedule/list-scheduler.h"
#include "schedule/one-forward-one-backward.h"
#include "schedule/order-search.h"
#include "schedule/zb-h1.h"
#include "schedule/zb-h2.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

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

/// Makes 1F1B in waves: forwards and whole backwards in turn, as they come where each chunk's
/// forward takes a unit of time, its backward two, and messages none.
ScheduleOrder
WaveOneForwardOneBackward(ScheduleRequest request, std::uint32_t cap)
{
    request.cellSize = 1;
    request.times = {};
    StageTiming unit = request.times.Stage(0);
    unit.backwardInput = unit.Backward();
    unit.backwardWeight = Duration();
    request.times.stages = {unit};
    ScheduleOrder order = ScheduleByList(request, WaveStages(request.stages), {cap, true, 0});
    for (StageOrder& stage : order.stages)
    {
        stage.erase(std::remove_if(stage.begin(),
                                   stage.end(),
                                   [](const Operation& operation)
                                   { return operation.kind == Operation::Kind::WeightGradient; }),
                    stage.end());
    }
    return order;
}

/// Makes DualPipeV's order. Its forwards and backwards run one after another, as ZB-V's do.
ScheduleOrder
WithoutOverlap(const ScheduleRequest& request)
{
    ScheduleOrder order = DualPipeV(request);
    for (StageOrder& stage : order.stages)
    {
        for (Operation& operation : stage)
        {
            operation.overlapsNext = false;
        }
    }
    return order;
}

class StaticChoice
{
  public:
    StaticChoice(const ScheduleRequest& request, std::uint32_t cap)
        : m_request(request),
          m_compared(ComparedRequest(request)),
          m_cap(cap)
    {
    }

    void Consider(const Recipe& recipe, const std::string& name)
    {
        auto order = recipe(m_compared);
        m_timed += OperationsOf(*order) * (TakesTurns(m_request) ? m_request.cellSize : 1);
        if (LargestPeak(*order) > m_cap)
        {
            return;
        }
        const Duration makespan = SimulateOrder(*order, m_compared).Makespan();
        if (m_best.rival.name.empty() || makespan < m_best.rival.makespan)
        {
            m_recipe = recipe;
            m_best.order = std::move(*order);
            m_best.rival.name = name;
            m_best.rival.makespan = makespan;
        }
    }

    /// Returns whether fewer than mostOperationsTimed have been timed.
    bool HasTime() const
    {
        return m_timed < mostOperationsTimed;
    }

    /// Makes the best order for all microbatches, and gives it the cap.
    StaticBest Conclude()
    {
        if (!m_best.rival.name.empty() && m_compared.microbatches < m_request.microbatches)
        {
            m_best.order = *m_recipe(m_request);
            m_best.rival.makespan = SimulateOrder(m_best.order, m_request).Makespan();
        }
        for (std::uint32_t& cap : m_best.order.activationCap)
        {
            cap = std::min(cap, m_cap);
        }
        return std::move(m_best);
    }

  private:
    const ScheduleRequest& m_request;
    ScheduleRequest m_compared;
    std::uint32_t m_cap;
    StaticBest m_best;
    Recipe m_recipe;           ///< of the best order
    std::uint64_t m_timed = 0; ///< operations
};

} // namespace

namespace
{

/// Considers the static orders over two chunks per worker. DualPipeV needs 2p microbatches.
StaticBest
BestStaticWave(const ScheduleRequest& request, std::uint32_t cap)
{
    StaticChoice choice(request, cap);
    for (const std::uint32_t limit : CapLadder(cap, 2 * request.stages))
    {
        if (choice.HasTime())
        {
            choice.Consider([limit](const ScheduleRequest& asked)
                            { return WaveOneForwardOneBackward(asked, limit); },
                            "1f1b in waves, " + std::to_string(limit) + " activations");
        }
    }
    if (request.microbatches >= 2 * request.stages)
    {
        choice.Consider(&WithoutOverlap, "dualpipe-v");
    }
    return choice.Conclude();
}

} // namespace

StaticBest
BestStaticOrder(const ScheduleRequest& request, std::uint32_t cap, Rivals rivals)
{
    if (rivals == Rivals::Waves)
    {
        return BestStaticWave(request, cap);
    }
    StaticChoice choice(request, cap);
    if (request.virtualStages > 1)
    {
        choice.Consider(&Interleaved, "interleaved");
        return choice.Conclude();
    }
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
    if (rivals == Rivals::WholeBackwards)
    {
        return choice.Conclude();
    }
    choice.Consider(&ZbH1, "zb-h1");
    const auto withoutHops = [](ScheduleRequest asked)
    {
        asked.times.hops.clear();
        return ZbH2(asked);
    };
    choice.Consider(withoutHops, "zb-h2");
    return choice.Conclude();
}

ScheduleOrder
BetterOf(ScheduleOrder own, StaticBest best, bool prefersStatic)
{
    StaticRival& rival = best.rival;
    rival.isUsed = !rival.name.empty() && (rival.makespan < rival.ownMakespan ||
                                           (prefersStatic && rival.makespan == rival.ownMakespan));
    ScheduleOrder order = rival.isUsed ? std::move(best.order) : std::move(own);
    order.rival = std::move(best.rival);
    return order;
}

ScheduleOrder
BetterThanStatic(ScheduleOrder own,
                 const ScheduleRequest& request,
                 std::uint32_t cap,
                 Rivals rivals)
{
    StaticBest best = BestStaticOrder(request, cap, rivals);
    best.rival.ownMakespan = SimulateOrder(own, request).Makespan();
    return BetterOf(std::move(own), std::move(best), false);
}

} // namespace geotrain
