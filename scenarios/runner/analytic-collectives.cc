// SPDX-License-Identifier: GPL-2.0-only
#include "runner/analytic-collectives.h"

#include <algorithm>

namespace geotrain
{

Duration
RingTime(const CollectiveRequest& request,
         const Resources& resources,
         BitRate nodeLocalRate)
{
    const auto members = static_cast<std::int64_t>(request.members.size());
    if (members < 2)
    {
        return Duration();
    }
    const auto piece = Bytes::Of((request.size.Count() + members - 1) / members);
    Duration slowestStep;
    for (std::size_t i = 0; i < request.members.size(); ++i)
    {
        const auto source = request.members[i];
        const auto destination = request.members[(i + 1) % request.members.size()];
        auto step = nodeLocalRate.TransmissionTime(piece);
        if (source != destination)
        {
            Duration transmission;
            for (const auto index : resources.Of(source, destination))
            {
                transmission =
                    std::max(transmission, resources.Rates()[index].TransmissionTime(piece));
            }
            step = transmission + resources.Delay(source, destination);
        }
        slowestStep = std::max(slowestStep, step);
    }
    const std::int64_t rounds = request.kind == CollectiveKind::AllReduce ? 2 : 1;
    return slowestStep * (rounds * (members - 1));
}

} // namespace geotrain
