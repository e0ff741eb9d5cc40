#include "schedule/zb-h2.h"

#include "schedule/order-search.h"
#include "schedule/zero-bubble-rounds.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

ScheduleOrder
ZbH2(const ScheduleRequest& request)
{
    const std::uint32_t cap = std::min(2 * request.stages - 1, request.microbatches);
    RoundChoices choices;
    for (std::uint32_t worker = 0; worker < request.stages; ++worker)
    {
        choices.warmUp.push_back(2 * (request.stages - 1 - worker) + 1);
    }
    OrderSearch search(request, HeldForWeights::Whole);
    for (const bool fillsSmallGaps : {false, true})
    {
        choices.fillsSmallGaps = fillsSmallGaps;
        if (auto order = ScheduleInRounds(request, cap, HeldForWeights::Whole, choices))
        {
            search.Consider(std::move(*order));
        }
    }
    return search.Best();
}

} // namespace geotrain
