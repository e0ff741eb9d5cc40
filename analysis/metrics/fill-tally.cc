// SPDX-License-Identifier: GPL-2.0-only
// Takes records of fillers, and checks that fillers and training never share a GPU.
#include "metrics/fill-tally.h"

#include <algorithm>
#include <map>

namespace geotrain
{

std::int64_t
FillTally::Take(const trace::Record& record, const trace::RunHeader& header)
{
    if (record.has_fill_span())
    {
        const auto& span = record.fill_span();
        const bool isOnAll = span.kind() != trace::FILL_KIND_FILL_JOB;
        const double gpus = header.workers(static_cast<int>(span.worker())).gpus();
        spans[span.worker()].push_back({span.start_ns(),
                                        span.end_ns(),
                                        span.useful_ns(),
                                        span.flops(),
                                        span.kind(),
                                        span.gpu(),
                                        isOnAll ? 1 : 1 / gpus,
                                        span.offline()});
        return span.end_ns();
    }
    if (record.has_request())
    {
        const auto& request = record.request();
        auto& ended = request.offline() ? offline : requests;
        ended.push_back({request.arrival_ns(),
                         request.first_token_ns(),
                         request.delivered_ns(),
                         request.prompt_tokens(),
                         request.outcome(),
                         request.met_objective(),
                         request.promised_ns()});
    }
    else if (record.has_forecast_score())
    {
        scores.push_back(record.forecast_score());
    }
    else if (record.has_training_hold())
    {
        heldNs += record.training_hold().held_ns();
        stopNs += record.training_hold().stop_ns();
        longestHoldNs = std::max(longestHoldNs, record.training_hold().held_ns());
        ++holds;
    }
    return 0;
}

std::optional<FillTally::Clash>
FillTally::SortAndFindClash(const std::vector<std::vector<trace::GpuSpan>>& training)
{
    for (std::size_t worker = 0; worker < training.size(); ++worker)
    {
        std::stable_sort(spans[worker].begin(),
                         spans[worker].end(),
                         [](const FillTime& a, const FillTime& b)
                         { return a.startNs < b.startNs; });
        if (const auto atNs = FirstClash(worker, training[worker]))
        {
            return Clash{worker, *atNs};
        }
    }
    return std::nullopt;
}

/// Returns the start of the worker's first fill span that does not find its GPUs idle.
std::optional<std::int64_t>
FillTally::FirstClash(std::size_t worker, const std::vector<trace::GpuSpan>& training) const
{
    auto next = training.begin();
    std::map<std::uint32_t, std::int64_t> filledUntilNs; // by GPU
    std::int64_t latestNs = INT64_MIN;                   // latest of these times
    std::int64_t busyUntilNs = INT64_MIN;                // for all of the worker's GPUs
    for (const FillTime& fill : spans[worker])
    {
        for (; next != training.end() && next->start_ns() <= fill.startNs; ++next)
        {
            busyUntilNs = std::max(busyUntilNs, next->end_ns());
        }
        const bool meetsNext = next != training.end() && next->start_ns() < fill.endNs;
        const bool isOnAll = fill.kind != trace::FILL_KIND_FILL_JOB;
        auto& untilNs =
            isOnAll ? busyUntilNs : filledUntilNs.try_emplace(fill.gpu, INT64_MIN).first->second;
        const bool meetsFill = fill.startNs < (isOnAll ? latestNs : untilNs);
        if (fill.startNs < busyUntilNs || meetsFill || meetsNext)
        {
            return fill.startNs;
        }
        untilNs = fill.endNs;
        latestNs = std::max(latestNs, fill.endNs);
    }
    return std::nullopt;
}

} // namespace geotrain
