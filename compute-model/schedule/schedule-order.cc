#include "schedule/schedule-order.h"

#include <algorithm>
#include <set>

namespace geotrain
{

std::uint32_t
PeakActivations(const StageOrder& order)
{
    std::set<std::uint32_t> splitBackwards;
    for (const Operation& operation : order)
    {
        if (operation.kind == Operation::Kind::WeightGradient)
        {
            splitBackwards.insert(operation.microbatch);
        }
    }
    std::uint32_t live = 0;
    std::uint32_t peak = 0;
    for (const Operation& operation : order)
    {
        if (operation.kind == Operation::Kind::Forward)
        {
            peak = std::max(peak, ++live);
        }
        else if (operation.kind == Operation::Kind::WeightGradient ||
                 splitBackwards.count(operation.microbatch) == 0)
        {
            --live;
        }
    }
    return peak;
}

} // namespace geotrain
