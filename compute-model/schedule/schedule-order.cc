// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/schedule-order.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace geotrain
{

StageTiming
ScheduleTimes::Stage(std::uint32_t stage) const
{
    if (stages.empty())
    {
        StageTiming unit;
        unit.forward = unit.backwardInput = unit.backwardWeight = Duration::Milliseconds(1);
        return unit;
    }
    return stages.size() == 1 ? stages.front() : stages.at(stage);
}

Hop
ScheduleTimes::HopAfter(std::uint32_t stage) const
{
    if (hops.empty())
    {
        return {};
    }
    return hops.size() == 1 ? hops.front() : hops.at(stage);
}

bool
TakesTurns(const ScheduleRequest& request)
{
    const auto& hops = request.times.hops;
    return request.cellSize > 1 && std::any_of(hops.begin(),
                                               hops.end(),
                                               [](const Hop& hop) { return hop.takesTurns; });
}

std::uint32_t
ScheduleOrder::StageCount() const
{
    std::size_t count = stagesOfWorker.empty() ? stages.size() : 0;
    for (const auto& hosted : stagesOfWorker)
    {
        count += hosted.size();
    }
    return static_cast<std::uint32_t>(count);
}

std::uint32_t
ScheduleOrder::StageOf(std::uint32_t worker, std::uint32_t chunk) const
{
    return stagesOfWorker.empty() ? worker : stagesOfWorker[worker][chunk];
}

const std::vector<StageOrder>&
ScheduleOrder::OfPipeline(std::uint32_t pipeline) const
{
    return ofPipeline.empty() ? stages : ofPipeline[pipeline % ofPipeline.size()];
}

std::vector<StageHome>
HomesOf(const ScheduleOrder& order)
{
    std::vector<StageHome> homes(order.StageCount());
    std::vector<bool> hasHome(homes.size(), false);
    for (std::uint32_t worker = 0; worker < order.stages.size(); ++worker)
    {
        const std::size_t chunks =
            order.stagesOfWorker.empty() ? 1 : order.stagesOfWorker[worker].size();
        for (std::uint32_t chunk = 0; chunk < chunks; ++chunk)
        {
            const std::uint32_t stage = order.StageOf(worker, chunk);
            if (stage >= homes.size() || hasHome[stage])
            {
                throw std::invalid_argument(
                    "stage " + std::to_string(stage) +
                    " must belong to exactly one worker, and stages count from 0");
            }
            hasHome[stage] = true;
            homes[stage] = {worker, chunk};
        }
    }
    return homes;
}

std::vector<std::vector<std::uint32_t>>
RoundRobinStages(std::uint32_t workers, std::uint32_t chunks)
{
    std::vector<std::vector<std::uint32_t>> stages(workers);
    for (std::uint32_t stage = 0; stage < workers * chunks; ++stage)
    {
        stages[stage % workers].push_back(stage);
    }
    return stages;
}

std::vector<std::vector<std::uint32_t>>
WaveStages(std::uint32_t workers)
{
    std::vector<std::vector<std::uint32_t>> stages;
    for (std::uint32_t worker = 0; worker < workers; ++worker)
    {
        stages.push_back({worker, 2 * workers - 1 - worker});
    }
    return stages;
}

std::uint32_t
PeakActivations(const StageOrder& order, HeldForWeights held)
{
    std::vector<std::pair<std::uint32_t, std::uint32_t>> splitBackwards;
    for (const Operation& operation : order)
    {
        if (operation.kind == Operation::Kind::WeightGradient)
        {
            splitBackwards.emplace_back(operation.chunk, operation.microbatch);
        }
    }
    std::sort(splitBackwards.begin(), splitBackwards.end());
    const auto isSplit = [&splitBackwards](const Operation& backward)
    {
        return std::binary_search(splitBackwards.begin(),
                                  splitBackwards.end(),
                                  std::pair(backward.chunk, backward.microbatch));
    };
    const auto kept = static_cast<std::uint32_t>(held);
    std::uint32_t halves = 0;
    std::uint32_t peak = 0;
    for (const Operation& operation : order)
    {
        switch (operation.kind)
        {
        case Operation::Kind::Forward:
            halves += 2;
            peak = std::max(peak, halves);
            break;
        case Operation::Kind::Backward:
            halves -= isSplit(operation) ? 2 - kept : 2;
            break;
        case Operation::Kind::WeightGradient:
            halves -= kept;
            break;
        case Operation::Kind::Recompute:
            break;
        }
    }
    return (peak + 1) / 2;
}

} // namespace geotrain
