// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/schedule-catalogue.h"

#include "schedule/atlas.h"
#include "schedule/cross-dc.h"
#include "schedule/dualpipe-v.h"
#include "schedule/gpipe.h"
#include "schedule/interleaved.h"
#include "schedule/one-forward-one-backward.h"
#include "schedule/pipedream-2bw.h"
#include "schedule/pipemare.h"
#include "schedule/varuna.h"
#include "schedule/zb-1p.h"
#include "schedule/zb-2p.h"
#include "schedule/zb-h1.h"
#include "schedule/zb-h2.h"
#include "schedule/zb-v.h"

#include <stdexcept>

namespace geotrain
{

namespace
{

std::string
LayoutRefusal(const ScheduleEntry& entry, const ScheduleShape& shape)
{
    if (shape.virtualStages > 1 && entry.layout == StageLayout::OneEach)
    {
        return "has no virtual stages: they must be 1, not " + std::to_string(shape.virtualStages);
    }
    if (shape.virtualStages > 2 && entry.layout == StageLayout::Wave)
    {
        return "has 2 virtual stages per worker, not " + std::to_string(shape.virtualStages);
    }
    if (shape.cellSize > 1 && !entry.knowsTurns)
    {
        return "plans no turns of a cell: only " + NamesOfSchedules(&ScheduleEntry::knowsTurns) +
               " does";
    }
    return "";
}

std::string
OwnRefusal(const ScheduleEntry& entry, const ScheduleShape& shape)
{
    return entry.refuse == nullptr ? "" : entry.refuse(shape);
}

std::string
CapRefusal(const ScheduleEntry& entry, const ScheduleShape& shape)
{
    for (std::uint32_t worker = 0; shape.memoryCap && worker < shape.stages; ++worker)
    {
        const std::uint32_t most = entry.mostActivations(worker, shape);
        if (most > *shape.memoryCap)
        {
            return "holds " + std::to_string(most) + " activations on worker " +
                   std::to_string(worker) + ", more than the memory cap of " +
                   std::to_string(*shape.memoryCap);
        }
    }
    return "";
}

} // namespace

const std::vector<ScheduleEntry>&
ScheduleCatalogue()
{
    static const std::vector<ScheduleEntry> entries = {
        GPipeEntry(),
        OneForwardOneBackwardEntry(),
        InterleavedEntry(),
        VarunaEntry(),
        AtlasEntry(),
        PipeDream2BwEntry(),
        PipeMareEntry(),
        ZbH1Entry(),
        ZbH2Entry(),
        Zb1pEntry(),
        Zb2pEntry(),
        ZbVEntry(),
        DualPipeVEntry(),
        CrossDcEntry(),
    };
    return entries;
}

const ScheduleEntry*
FindSchedule(const std::string& name)
{
    for (const ScheduleEntry& entry : ScheduleCatalogue())
    {
        if (entry.name == name)
        {
            return &entry;
        }
    }
    return nullptr;
}

std::string
NamesOfSchedules(bool ScheduleEntry::*trait)
{
    std::string names;
    for (const ScheduleEntry& entry : ScheduleCatalogue())
    {
        if (entry.*trait)
        {
            names += (names.empty() ? "" : ", ") + entry.name;
        }
    }
    return names;
}

std::string
RefusalOf(const ScheduleEntry& entry, const ScheduleShape& shape)
{
    if (shape.stages == 0 || shape.microbatches == 0 || shape.virtualStages == 0 ||
        shape.cellSize == 0)
    {
        return "a pipeline has at least 1 worker, microbatch and stage, and a DP-cell 1 pipeline";
    }
    for (const auto& refusal :
         {LayoutRefusal(entry, shape), OwnRefusal(entry, shape), CapRefusal(entry, shape)})
    {
        if (!refusal.empty())
        {
            return entry.name + " " + refusal;
        }
    }
    return "";
}

ScheduleOrder
MakeSchedule(const ScheduleEntry& entry, const ScheduleRequest& request)
{
    const std::string refusal = RefusalOf(entry, request);
    if (!refusal.empty())
    {
        const bool isOwn = refusal == entry.name + " " + OwnRefusal(entry, request);
        const std::string shape = " (" + std::to_string(request.stages) + " stages, " +
                                  std::to_string(request.microbatches) + " microbatches)";
        throw std::invalid_argument(refusal + (isOwn ? shape : ""));
    }
    return entry.make(request);
}

std::uint32_t
DefaultVirtualStages(const ScheduleEntry& entry)
{
    return entry.layout == StageLayout::Wave ? 2 : 1;
}

std::vector<std::uint32_t>
MostActivations(const ScheduleEntry& entry, const ScheduleShape& shape)
{
    std::vector<std::uint32_t> most;
    most.reserve(shape.stages);
    for (std::uint32_t worker = 0; worker < shape.stages; ++worker)
    {
        most.push_back(entry.mostActivations(worker, shape));
    }
    return most;
}

std::vector<std::uint32_t>
WorkersOfStages(const ScheduleEntry& entry, const ScheduleShape& shape)
{
    const bool isWave = entry.layout == StageLayout::Wave;
    std::vector<std::uint32_t> workers;
    for (std::uint32_t stage = 0; stage < shape.stages * (isWave ? 2 : shape.virtualStages);
         ++stage)
    {
        const bool goesUp = isWave && stage >= shape.stages;
        workers.push_back(goesUp ? 2 * shape.stages - 1 - stage : stage % shape.stages);
    }
    return workers;
}

} // namespace geotrain
