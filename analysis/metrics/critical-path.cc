// SPDX-License-Identifier: GPL-2.0-only
#include "metrics/critical-path.h"

#include "trace/csv-cell.h"
#include "trace/enum-name.h"
#include "trace/result-file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace geotrain
{

namespace
{

/// Names of the kinds, in the order of CauseKind.
constexpr std::array<const char*, 9> causeNames{"compute",
                                                "wan_turn",
                                                "wan_serialisation",
                                                "wan_window",
                                                "wan_congestion",
                                                "wan_propagation",
                                                "local",
                                                "collective",
                                                "other"};

/// Returns stage and microbatch of a step's row, each empty where the step has none.
std::string
StageAndMicrobatch(const CausalStep& step)
{
    if (step.work != nullptr && step.work->kind() == trace::GPU_WORK_OPTIMIZER_STEP)
    {
        return ",";
    }
    if (step.work != nullptr)
    {
        return fmt::format("{},{}", step.work->stage(), step.work->microbatch());
    }
    if (step.message != nullptr)
    {
        return fmt::format("{},{}", step.message->stage(), step.message->microbatch());
    }
    return step.collective != nullptr ? fmt::format("{},", step.collective->stage()) : ",";
}

} // namespace

std::vector<CausalStep>
CriticalPath(const CausalHistory& history, MeasuredSpan iteration)
{
    return history.Before(history.LatestUntil(iteration.endNs), iteration.startNs);
}

std::string
NameOfCause(CauseKind kind)
{
    return causeNames[static_cast<std::size_t>(kind)];
}

std::string
WhatOf(const CausalStep& step)
{
    if (step.work != nullptr)
    {
        const auto name = NameOf(step.work->kind());
        return step.work->kind() == trace::GPU_WORK_OPTIMIZER_STEP
                   ? name
                   : fmt::format("{} {}", name, step.work->microbatch());
    }
    if (step.message != nullptr)
    {
        return fmt::format("{} {}", NameOf(step.message->payload()), step.message->microbatch());
    }
    return step.collective == nullptr ? NameOfCause(step.kind) : NameOf(step.collective->kind());
}

std::vector<PathTime>
PathTimes(const std::vector<CausalStep>& path)
{
    std::array<std::int64_t, causeNames.size()> sumsNs{};
    std::array<std::size_t, causeNames.size()> counts{};
    for (const auto& step : path)
    {
        sumsNs[static_cast<std::size_t>(step.kind)] += step.endNs - step.startNs;
        ++counts[static_cast<std::size_t>(step.kind)];
    }
    std::vector<PathTime> times;
    for (std::size_t kind = 0; kind < causeNames.size(); ++kind)
    {
        if (counts[kind] > 0)
        {
            times.push_back(
                {causeNames[kind], static_cast<double>(sumsNs[kind]) / 1e9, counts[kind]});
        }
    }
    std::stable_sort(times.begin(),
                     times.end(),
                     [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
    return times;
}

void
WriteCriticalPathCsv(const std::vector<CausalStep>& steps,
                     const trace::RunHeader& header,
                     const std::filesystem::path& path)
{
    std::string text =
        "cause,what,start_ns,end_ns,length_ns,replica,worker_stage,stage,microbatch,from,to\n";
    const auto nodeName = [&header](std::uint32_t node)
    { return CsvCell(header.nodes(static_cast<int>(node)).name()); };
    for (const auto& step : steps)
    {
        const std::int64_t startNs = step.startNs - steps.front().startNs;
        const std::int64_t endNs = step.endNs - steps.front().startNs;
        const auto& worker = header.workers(static_cast<int>(step.worker));
        const auto node = step.message != nullptr ? step.message->source() : worker.node();
        const auto to = step.message != nullptr ? step.message->destination() : node;
        text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n",
                            NameOfCause(step.kind),
                            WhatOf(step),
                            startNs,
                            endNs,
                            endNs - startNs,
                            worker.replica(),
                            worker.stage(),
                            StageAndMicrobatch(step),
                            nodeName(node),
                            nodeName(to));
    }
    WriteIntoPlace(path, text);
}

} // namespace geotrain
