// SPDX-License-Identifier: GPL-2.0-only
#include "planner/prune-reasons.h"

#include <algorithm>

namespace geotrain
{

PruneReasons::PruneReasons()
    : m_reasons(static_cast<std::size_t>(PruneRule::Rules))
{
    const auto name = [this](PruneRule rule, const char* text)
    { m_reasons[static_cast<std::size_t>(rule)].rule = text; };
    name(PruneRule::Share, "the model can't be split into these stages");
    name(PruneRule::Batch, "data_parallel x microbatch_size must divide the global batch");
    name(PruneRule::Gpus, "more GPUs than all data centres have");
    name(PruneRule::Room, "the chosen data centres have no room for all stages or replicas");
    name(PruneRule::Shape, "the schedule has no order of that shape");
    name(PruneRule::Memory, "a stage doesn't fit into GPU memory");
    name(PruneRule::Cell, "no DP-cell of two or more pipelines on different nodes");
    name(PruneRule::Hierarchy,
         "a hierarchical all-reduce needs as many replicas in each data centre");
}

std::string
PruneReasons::Degrees(const TrainingPlan& plan)
{
    return "PP " + std::to_string(plan.pipelineStages) + " DP " +
           std::to_string(plan.dataParallel) + " TP " + std::to_string(plan.tensorParallel) +
           ", microbatch " + std::to_string(plan.microbatchSize);
}

std::vector<PruneReason>
Joined(const std::vector<std::vector<PruneReason>>& visits)
{
    std::vector<PruneReason> all = visits.front();
    for (std::size_t visit = 1; visit < visits.size(); ++visit)
    {
        for (std::size_t rule = 0; rule < all.size(); ++rule)
        {
            const PruneReason& reason = visits[visit][rule];
            const std::uint64_t count = all[rule].count + reason.count;
            const bool isNearer = reason.count > 0 &&
                                  (all[rule].count == 0 || reason.shortfall < all[rule].shortfall);
            all[rule] = isNearer ? reason : all[rule];
            all[rule].count = count;
        }
    }
    all.erase(std::remove_if(all.begin(),
                             all.end(),
                             [](const PruneReason& reason) { return reason.count == 0; }),
              all.end());
    return all;
}

std::string
WhatIsMissing(const std::vector<PruneReason>& pruned)
{
    std::string text = "no plan fits";
    for (const PruneReason& reason : pruned)
    {
        text += "; " + reason.rule + " (" + std::to_string(reason.count) +
                ", the nearest: " + reason.nearest + ")";
    }
    return text;
}

} // namespace geotrain
