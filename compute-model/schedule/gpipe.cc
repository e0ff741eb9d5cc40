#include "schedule/gpipe.h"

namespace geotrain
{

ScheduleOrder
GPipe(const ScheduleRequest& request)
{
    StageOrder order;
    for (const auto kind : {Operation::Kind::Forward, Operation::Kind::Backward})
    {
        for (std::uint32_t microbatch = 0; microbatch < request.microbatches; ++microbatch)
        {
            order.push_back({kind, microbatch});
        }
    }
    return {std::vector<StageOrder>(request.stages, order),
            std::vector<std::uint32_t>(request.stages, request.microbatches)};
}

} // namespace geotrain
