#include "schedule/zb-2p.h"

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

/// Operations that the hill climb times: tens of milliseconds of search.
constexpr std::uint64_t climbBudget = 200000;

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
        ScheduleOrder deeper = ZbH2(request);
        deeper.activationCap.assign(request.stages, cap);
        search.Consider(std::move(deeper));
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
