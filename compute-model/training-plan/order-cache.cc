// SPDX-License-Identifier: GPL-2.0-only
#include "training-plan/order-cache.h"

namespace geotrain
{

namespace
{

/// Most operations that are kept: about 300 MB.
constexpr std::uint64_t mostOperations = 10000000;

/// Returns all that an order depends on.
std::vector<std::int64_t>
KeyOf(const ScheduleRequest& request)
{
    std::vector<std::int64_t> key = {request.stages,
                                     request.microbatches,
                                     request.warmupFactor,
                                     request.virtualStages,
                                     request.memoryCap.value_or(0),
                                     request.cellSize};
    for (const StageTiming& timing : request.times.stages)
    {
        for (const Duration time :
             {timing.forward, timing.recompute, timing.backwardInput, timing.backwardWeight})
        {
            key.push_back(time.ToNanoseconds());
        }
    }
    for (const Hop& hop : request.times.hops)
    {
        key.insert(key.end(),
                   {hop.delay.ToNanoseconds(), hop.occupancy.ToNanoseconds(), hop.takesTurns});
    }
    return key;
}

std::uint64_t
OperationsOf(const ScheduleOrder& order)
{
    std::uint64_t operations = 0;
    for (const StageOrder& stage : order.stages)
    {
        operations += stage.size();
    }
    return operations * (1 + order.ofPipeline.size());
}

} // namespace

std::shared_ptr<const ScheduleOrder>
OrderCache::Of(const ScheduleEntry& schedule, const ScheduleRequest& request)
{
    const Key key(schedule.name, KeyOf(request));
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        const auto found = m_orders.find(key);
        if (found != m_orders.end())
        {
            return found->second;
        }
    }
    const auto order = std::make_shared<const ScheduleOrder>(MakeSchedule(schedule, request));
    const std::uint64_t operations = OperationsOf(*order);
    const std::lock_guard<std::mutex> lock(m_mutex);
    if (m_operations + operations <= mostOperations && m_orders.emplace(key, order).second)
    {
        m_operations += operations;
    }
    return order;
}

} // namespace geotrain
