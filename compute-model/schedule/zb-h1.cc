// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/zb-h1.h"

#include "schedule/interleaved.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

std::uint32_t
ZbH1Activations(std::uint32_t, const ScheduleShape& shape)
{
    return shape.virtualStages * std::min(shape.stages, shape.microbatches);
}

} // namespace

ScheduleOrder
ZbH1(const ScheduleRequest& request)
{
    const std::uint32_t p = request.stages;
    const std::uint32_t total = request.microbatches * request.virtualStages;
    ScheduleOrder schedule;
    if (request.virtualStages > 1)
    {
        schedule.stagesOfWorker = RoundRobinStages(p, request.virtualStages);
    }
    for (std::uint32_t worker = 0; worker < p; ++worker)
    {
        const std::uint32_t warmUp =
            std::min((request.virtualStages - 1) * p + p - 1 - worker, total);
        StageOrder order;
        std::uint32_t forwards = 0;
        for (; forwards < warmUp; ++forwards)
        {
            order.push_back(InterleavedForward(request, forwards));
        }
        for (std::uint32_t backward = 0; backward < total + worker; ++backward)
        {
            if (forwards < total)
            {
                order.push_back(InterleavedForward(request, forwards++));
            }
            if (backward < total)
            {
                order.push_back(InterleavedBackward(request, backward));
            }
            if (backward >= worker)
            {
                Operation weight = InterleavedBackward(request, backward - worker);
                weight.kind = Operation::Kind::WeightGradient;
                order.push_back(weight);
            }
        }
        schedule.stages.push_back(std::move(order));
        schedule.activationCap.push_back(ZbH1Activations(worker, request));
    }
    return schedule;
}

ScheduleEntry
ZbH1Entry()
{
    ScheduleEntry entry;
    entry.name = "zb-h1";
    entry.description = "1F1B with weight gradients apart: a third of its bubble, its memory";
    entry.source = "Qi et al., ICLR'24, section 2.1";
    entry.make = &ZbH1;
    entry.mostActivations = &ZbH1Activations;
    entry.refuse = &RefuseRounds;
    entry.layout = StageLayout::RoundRobin;
    entry.splitsBackward = true;
    return entry;
}

} // namespace geotrain
