// SPDX-License-Identifier: GPL-2.0-only
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

ScheduleEntry
GPipeEntry()
{
    ScheduleEntry entry;
    entry.name = "gpipe";
    entry.description = "all forwards, then all backwards; holds every microbatch's activations";
    entry.source = "Huang et al., NeurIPS'19, section 2.3";
    entry.make = &GPipe;
    entry.mostActivations = [](std::uint32_t, const ScheduleShape& shape)
    { return shape.microbatches; };
    entry.hasPhases = true;
    return entry;
}

} // namespace geotrain
