#include "schedule/zb-1p.h"

#include "schedule/zb-2p.h"

namespace geotrain
{

ScheduleOrder
Zb1p(const ScheduleRequest& request)
{
    return SearchZeroBubble(request,
                            request.memoryCap.value_or(request.stages * request.virtualStages),
                            HeldForWeights::Whole);
}

} // namespace geotrain
