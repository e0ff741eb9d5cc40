// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/packets-of-best.h"

#include "comparison/text-table.h"
#include "loader/network-kinds.h"
#include "runner/analytic-warnings.h"
#include "runner/exit-codes.h"
#include "runner/run-estimate.h"
#include "runner/run-watch.h"

#include <fmt/format.h>

#include <algorithm>

namespace geotrain
{

namespace
{

/// Returns the variant of the least iteration time; null where none has one.
const ComparisonRow*
FastestOf(const ComparisonTable& table)
{
    const ComparisonRow* fastest = nullptr;
    for (const ComparisonRow& row : table.Rows())
    {
        const auto time = table.CellOf(row, iterationTimeColumn);
        if (row.job.empty() && time &&
            (fastest == nullptr || time->mean < table.CellOf(*fastest, iterationTimeColumn)->mean))
        {
            fastest = &row;
        }
    }
    return fastest;
}

bool
HasMeetingReplicas(const ComparisonRow& row)
{
    return std::any_of(row.summaries.begin(),
                       row.summaries.end(),
                       [](const Summary& summary)
                       {
                           return std::any_of(
                               summary.warnings.begin(),
                               summary.warnings.end(),
                               [](const std::string& warning)
                               { return warning.find(meetingReplicas) != std::string::npos; });
                       });
}

} // namespace

std::string
TimeOfBestOverPackets(const ScenarioText& text,
                      CompareOptions options,
                      const ComparisonTable& table)
{
    const ComparisonRow* best = FastestOf(table);
    if (best == nullptr || !HasMeetingReplicas(*best))
    {
        return "";
    }
    auto& variants = options.plans.variants;
    variants.erase(std::remove_if(variants.begin(),
                                  variants.end(),
                                  [best](const VariantPlan& variant)
                                  { return variant.name != best->variant; }),
                   variants.end());
    const std::string packets = NetworkAssignment(PacketNetworkKind().name);
    variants.front().assignments.push_back({packets, "--network"});
    options.resume = false;
    options.drawsFigures = false;
    auto runs = PlanRuns(text, options.plans, options.seeds, options.folder);
    runs.resize(1); // of the first seed
    runs.front().folder = options.folder / "best-over-packets";
    const auto estimate = EstimateRun(LoadScenario(text, runs.front().assignments));
    if (!estimate || estimate->wallSeconds > mostSecondsOverPackets)
    {
        return fmt::format("the fastest, {}, did not run over packets, which would take long: "
                           "--set {} runs it",
                           best->title,
                           packets);
    }
    if (RunAll(runs, options).front() != exitDone)
    {
        return fmt::format("the fastest, {}, {} over packets",
                           best->title,
                           WasInterrupted() ? "was interrupted" : "failed");
    }
    const double seconds = SummaryOf(runs.front().folder).Find("iteration_time").value_or(0);
    const double analytic = best->summaries.front().Find("iteration_time").value_or(0);
    return fmt::format("over packets the fastest, {}, takes {} s, {} s on the analytic network",
                       best->title,
                       ShortNumber(seconds),
                       ShortNumber(analytic));
}

} // namespace geotrain
