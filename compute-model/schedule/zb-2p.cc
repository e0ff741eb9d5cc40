#include "schedule/zb-2p.h"

#include "schedule/order-search.h"
#include "schedule/zb-h1.h"
#include "schedule/zero-bubble-rounds.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

/// Operations that the hill climb times: tens of milliseconds of search.
constexpr std::uint64_t climbBudget = 1000000;

void
ConsiderRounds(OrderSearch& search,
               const ScheduleRequest& request,
               std::uint32_t cap,
               HeldForWeights held)
{
    for (const std::uint32_t limit : {cap, cap - cap / 8, cap - cap / 4, cap - cap / 2})
    {
        for (unsigned choice = 0; choice < 8; ++choice)
        {
            auto order = ScheduleInRounds(
                request, limit, held, {(choice & 4) != 0, (choice & 2) != 0, (choice & 1) != 0});
            if (order)
            {
                order->activationCap.assign(request.stages, cap);
                search.Consider(std::move(*order));
            }
        }
    }
}

} // namespace

ScheduleOrder
SearchZeroBubble(const ScheduleRequest& request, std::uint32_t cap, HeldForWeights held)
{
    OrderSearch search(request, held);
    ScheduleOrder byHand = ZbH1(request);
    byHand.activationCap.assign(request.stages, cap);
    search.Consider(std::move(byHand));
    if (request.virtualStages == 1)
    {
        ConsiderRounds(search, request, cap, held);
    }
    search.Climb(climbBudget);
    return search.Best();
}

ScheduleOrder
Zb2p(const ScheduleRequest& request)
{
    return SearchZeroBubble(request,
                            request.memoryCap.value_or(2 * request.stages * request.virtualStages),
                            HeldForWeights::Half);
}

} // namespace geotrain
