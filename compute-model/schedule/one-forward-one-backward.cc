#include "schedule/one-forward-one-backward.h"

#include <algorithm>

namespace geotrain
{

ScheduleOrder
OneForwardOneBackward(const ScheduleRequest& request)
{
    ScheduleOrder schedule;
    for (std::uint32_t stage = 0; stage < request.stages; ++stage)
    {
        const std::uint64_t depth =
            std::uint64_t{request.warmupFactor} * (request.stages - 1 - stage);
        const auto warmUp =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(depth, request.microbatches));
        StageOrder order;
        for (std::uint32_t forward = 0; forward < warmUp; ++forward)
        {
            order.push_back({Operation::Kind::Forward, forward});
        }
        for (std::uint32_t backward = 0; backward < request.microbatches; ++backward)
        {
            if (warmUp + backward < request.microbatches)
            {
                order.push_back({Operation::Kind::Forward, warmUp + backward});
            }
            order.push_back({Operation::Kind::Backward, backward});
        }
        schedule.stages.push_back(std::move(order));
        schedule.activationCap.push_back(std::min(warmUp + 1, request.microbatches));
    }
    return schedule;
}

} // namespace geotrain
