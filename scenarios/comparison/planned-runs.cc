// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/planned-runs.h"

#include "comparison/schedule-fallback.h"
#include "runner/exit-codes.h"
#include "runner/result-list.h"
#include "runner/run-estimate.h"
#include "runner/run-watch.h"
#include "runner/run.h"
#include "units/config-error.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <system_error>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

/// Returns the first line of a run's messages that is no warning, or else the first.
std::string
ReasonIn(const fs::path& messages)
{
    std::ifstream file(messages);
    std::string first;
    std::getline(file, first);
    std::string line = first;
    while (line.rfind("geotrain: warning:", 0) == 0)
    {
        if (!std::getline(file, line))
        {
            return first;
        }
    }
    return line;
}

void
EmptyFolder(const fs::path& folder)
{
    RemoveResults(folder);
    MakeResultFolder(folder);
}

/// Returns how the runs at `places` are shared with other ranks; null where there are none.
std::unique_ptr<JobSharing>
SharingOf(const std::vector<PlannedRun>& runs,
          const std::vector<std::size_t>& places,
          const RunPool& pool)
{
    if (pool.sweep == nullptr)
    {
        return nullptr;
    }
    std::vector<std::string> written;
    for (const std::size_t place : places)
    {
        written.push_back(WriteRun(runs[place], pool));
    }
    const auto prepare = [&runs, places](std::size_t job)
    { EmptyFolder(runs[places[job]].folder); };
    return std::make_unique<SweptJobs>(*pool.sweep, written, prepare);
}

void
RemoveIfEmpty(const fs::path& path)
{
    // Another process that reads the same runs may remove it first.
    std::error_code missing;
    if (fs::file_size(path, missing) == 0 && !missing)
    {
        fs::remove(path, missing);
    }
}

/// Returns what a variant runs with. A variant that can't be loaded is left to its run, which says so.
std::vector<Assignment>
AssignmentsToRun(const ScenarioText& text, const VariantPlan& variant)
{
    try
    {
        return WithFallback(text, variant.assignments);
    }
    catch (const ConfigError&)
    {
        return variant.assignments;
    }
}

} // namespace

std::vector<PlannedRun>
PlanRuns(const ScenarioText& text,
         const VariantPlans& plans,
         const std::vector<std::int64_t>& seeds,
         const fs::path& folder)
{
    std::vector<PlannedRun> runs;
    for (std::size_t i = 0; i < plans.variants.size(); ++i)
    {
        const auto& variant = plans.variants[i];
        const auto all = folder / variant.name;
        const auto& own = variant.seeds.empty() ? seeds : variant.seeds;
        const auto ofVariant = AssignmentsToRun(text, variant);
        if (own.empty())
        {
            runs.push_back({&text, i, {variant.name, variant.title}, ofVariant, all});
        }
        for (const auto seed : own)
        {
            auto assignments = ofVariant;
            assignments.push_back({"run.seed=" + std::to_string(seed), "--seeds"});
            const auto place = own.size() == 1 ? all : all / ("seed-" + std::to_string(seed));
            runs.push_back({&text, i, {variant.name, variant.title}, assignments, place});
        }
    }
    return runs;
}

unsigned
RunsThatFit(const Experiment& scenario)
{
    constexpr double most = 10000; // as many as --jobs takes
    const auto limit = static_cast<double>(scenario.run.memoryLimit.Count());
    const auto estimate = EstimateRun(scenario);
    const double fit = estimate ? limit / estimate->memoryBytes : 1;
    return static_cast<unsigned>(std::clamp(fit, 1.0, most));
}

std::vector<int>
RunAll(const std::vector<PlannedRun>& runs, const RunPool& pool)
{
    std::vector<Job> jobs;
    std::vector<std::size_t> places; // index of each job's run
    ResumedRuns resumed;
    const auto together = static_cast<std::int64_t>(
        std::max<std::size_t>(1, std::min<std::size_t>(pool.jobs, runs.size())));
    for (std::size_t i = 0; i < runs.size(); ++i)
    {
        const auto state = pool.resume ? StateOf(runs[i], pool.ns3Defaults) : EarlierState();
        resumed.Count(state);
        if (state.isComplete)
        {
            continue;
        }
        EmptyFolder(runs[i].folder);
        jobs.push_back([&run = runs[i], &pool, together](const JobProgress& progress)
                       { return MakeRun(run, pool, together, progress); });
        places.push_back(i);
    }
    if (pool.resume && pool.resumed)
    {
        pool.resumed(resumed);
    }
    std::vector<double> shares(runs.size(), 1);
    const auto sharing = SharingOf(runs, places, pool);
    const auto codes = RunJobs(
        jobs,
        pool.jobs,
        [&](const std::vector<double>& ofJobs)
        {
            for (std::size_t job = 0; job < ofJobs.size(); ++job)
            {
                shares[places[job]] = ofJobs[job];
            }
            if (pool.progress)
            {
                pool.progress(shares);
            }
        },
        sharing.get());
    if (WasInterrupted() && pool.interrupted)
    {
        const auto isKept = [&](const PlannedRun& run)
        { return StateOf(run, pool.ns3Defaults).isComplete; };
        pool.interrupted(static_cast<std::size_t>(std::count_if(runs.begin(), runs.end(), isKept)),
                         runs.size());
    }
    std::vector<int> all(runs.size(), exitDone);
    for (std::size_t job = 0; job < codes.size(); ++job)
    {
        all[places[job]] = codes[job];
    }
    return all;
}

Summary
SummaryOf(const fs::path& runFolder)
{
    return SummarizeRun((runFolder / "trace.pb").string());
}

ComparisonTable
MakeTable(const VariantPlans& plans,
          const std::vector<PlannedRun>& runs,
          const std::vector<int>& codes)
{
    std::vector<ComparisonRow> rows;
    for (const auto& variant : plans.variants)
    {
        rows.push_back({variant.name, variant.values, 0, "", {}, variant.title});
    }
    for (std::size_t i = 0; i < runs.size(); ++i)
    {
        auto& row = rows[runs[i].variant];
        if (codes[i] != 0 && row.exitCode == 0)
        {
            row.exitCode = codes[i];
            row.error = codes[i] > 128 ? fmt::format("ended by signal {}", codes[i] - 128)
                                       : ReasonIn(runs[i].folder / "messages.txt");
        }
        RemoveIfEmpty(runs[i].folder / "messages.txt");
    }
    for (const auto& run : runs)
    {
        auto& row = rows[run.variant];
        if (row.exitCode == 0)
        {
            row.summaries.push_back(SummaryOf(run.folder));
        }
    }
    const auto isInterrupted = [](const auto& row) { return row.exitCode == interruptedJob; };
    rows.erase(std::remove_if(rows.begin(), rows.end(), isInterrupted), rows.end());
    return {plans.variedPaths, rows};
}

} // namespace geotrain
