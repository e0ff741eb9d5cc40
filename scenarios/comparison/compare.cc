// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/compare.h"

#include "comparison/job-pool.h"
#include "figures/comparison-figures.h"
#include "loader/field-rules.h"
#include "report/comparison-report.h"
#include "runner/exit-codes.h"
#include "runner/run-info.h"
#include "runner/run.h"
#include "trace/result-file.h"
#include "trace/trace-error.h"
#include "units/config-error.h"
#include "units/csv-cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

/// PlannedRun is one run of a comparison.
struct PlannedRun
{
    std::size_t variant = 0;
    std::vector<Assignment> assignments;
    fs::path folder;
};

std::vector<PlannedRun>
PlanRuns(const CompareOptions& options)
{
    std::vector<PlannedRun> runs;
    for (std::size_t i = 0; i < options.plans.variants.size(); ++i)
    {
        const auto& variant = options.plans.variants[i];
        const auto folder = options.folder / variant.name;
        if (options.seeds.empty())
        {
            runs.push_back({i, variant.assignments, folder});
        }
        for (const auto seed : options.seeds)
        {
            auto assignments = variant.assignments;
            assignments.push_back({"run.seed=" + std::to_string(seed), "--seeds"});
            const auto own =
                options.seeds.size() == 1 ? folder : folder / ("seed-" + std::to_string(seed));
            runs.push_back({i, assignments, own});
        }
    }
    return runs;
}

/// Returns the seeds of --seeds, or the variants' own seeds.
std::vector<std::int64_t>
SeedsOf(const ScenarioText& text, const CompareOptions& options)
{
    if (!options.seeds.empty())
    {
        return options.seeds;
    }
    std::vector<std::int64_t> seeds;
    for (const auto& variant : options.plans.variants)
    {
        const auto seed = SeedOf(text, variant.assignments);
        if (std::find(seeds.begin(), seeds.end(), seed) == seeds.end())
        {
            seeds.push_back(seed);
        }
    }
    return seeds;
}

Job
MakeJob(const ScenarioText& text, const CompareOptions& options, const PlannedRun& run)
{
    return [&text, &options, &run](const JobProgress& progress)
    {
        // The messages of a run go into its folder.
        if (std::freopen((run.folder / "messages.txt").c_str(), "w", stderr) == nullptr)
        {
            return exitInternal;
        }
        ExitOnTerminate();
        return ExitCodeOf(
            [&]
            {
                RunOptions one;
                one.folder = run.folder;
                const auto& variant = options.plans.variants[run.variant];
                one.variant = {variant.name, variant.title};
                one.commandLine = options.commandLine;
                one.progress = progress;
                Run(LoadScenario(text, run.assignments), one);
                return exitDone;
            });
    };
}

std::string
Contents(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns whether the run's folder holds a run of the same resolved scenario that ended without
/// error.
bool
IsComplete(const ScenarioText& text, const PlannedRun& run)
{
    const auto info = nlohmann::json::parse(Contents(run.folder / "run-info.json"), nullptr, false);
    if (!info.is_object() || info.value("exit_code", -1) != exitDone ||
        !fs::exists(run.folder / "summary.csv"))
    {
        return false;
    }
    try
    {
        return Contents(run.folder / "scenario.textproto") ==
               ResolvedText(LoadScenario(text, run.assignments));
    }
    catch (const ConfigError&)
    {
        return false; // the run will report the error
    }
}

/// Runs all runs that are not complete, and returns the exit codes of all.
std::vector<int>
RunAll(const ScenarioText& text, const CompareOptions& options, const std::vector<PlannedRun>& runs)
{
    std::vector<Job> jobs;
    std::vector<std::size_t> places; // index of each job's run
    for (std::size_t i = 0; i < runs.size(); ++i)
    {
        if (options.resume && IsComplete(text, runs[i]))
        {
            continue;
        }
        fs::remove_all(runs[i].folder);
        fs::create_directories(runs[i].folder);
        jobs.push_back(MakeJob(text, options, runs[i]));
        places.push_back(i);
    }
    std::vector<double> shares(runs.size(), 1);
    const auto codes = RunJobs(jobs,
                               options.jobs,
                               [&](const std::vector<double>& ofJobs)
                               {
                                   for (std::size_t job = 0; job < ofJobs.size(); ++job)
                                   {
                                       shares[places[job]] = ofJobs[job];
                                   }
                                   if (options.progress)
                                   {
                                       options.progress(shares);
                                   }
                               });
    std::vector<int> all(runs.size(), exitDone);
    for (std::size_t job = 0; job < codes.size(); ++job)
    {
        all[places[job]] = codes[job];
    }
    return all;
}

std::string
FirstLine(const fs::path& path)
{
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

void
RemoveIfEmpty(const fs::path& path)
{
    if (fs::exists(path) && fs::file_size(path) == 0)
    {
        fs::remove(path);
    }
}

Summary
SummaryOf(const fs::path& runFolder)
{
    TraceReader reader((runFolder / "trace.pb").string());
    return Summarize(reader);
}

std::vector<ComparisonRow>
MakeRows(const CompareOptions& options,
         const std::vector<PlannedRun>& runs,
         const std::vector<int>& codes)
{
    std::vector<ComparisonRow> rows;
    for (const auto& variant : options.plans.variants)
    {
        rows.push_back({variant.name, variant.values, 0, "", {}, variant.title});
    }
    for (std::size_t i = 0; i < runs.size(); ++i)
    {
        auto& row = rows[runs[i].variant];
        if (codes[i] != 0 && row.exitCode == 0)
        {
            row.exitCode = codes[i];
            row.error = FirstLine(runs[i].folder / "messages.txt");
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
    return rows;
}

/// Returns the folders of a variant's runs: its own folder, or one per seed.
std::vector<fs::path>
RunFolders(const fs::path& variant)
{
    if (fs::exists(variant / "trace.pb"))
    {
        return {variant};
    }
    std::vector<fs::path> folders;
    for (const auto& entry : fs::directory_iterator(variant))
    {
        if (fs::exists(entry.path() / "trace.pb"))
        {
            folders.push_back(entry.path());
        }
    }
    std::sort(folders.begin(), folders.end());
    return folders;
}

/// Returns the table's variants for figures, with traces of their runs, which are below `folder`.
Comparison
ComparisonOf(const ComparisonTable& table, const fs::path& folder)
{
    Comparison comparison = table.Means();
    for (auto& variant : comparison.variants)
    {
        variant.trace = RunFolders(folder / variant.variant).front() / "trace.pb";
    }
    return comparison;
}

/// Writes report.html of the table's variants.
void
Report(const ComparisonTable& table, const fs::path& folder)
{
    ComparedResults results{table.Means(), {}, {}};
    for (const auto& warning : table.Warnings())
    {
        results.warnings.push_back({warning.text, warning.variants});
    }
    for (const auto& row : table.Rows())
    {
        if (row.summaries.empty())
        {
            const auto& title = row.title.empty() ? row.variant : row.title;
            results.failed.push_back({row.variant, title, row.error});
        }
    }
    WriteComparisonReport(results, folder);
}

/// Reads variants and varied paths from comparison.csv: the columns before the first metric.
ComparisonTable
ReadVariants(const fs::path& folder)
{
    std::vector<ComparisonRow> rows;
    std::ifstream file(folder / "comparison.csv");
    std::string line;
    std::getline(file, line);
    auto paths = CsvCells(line);
    const auto isMetric = [](const std::string& column)
    { return column == iterationTimeColumn || column == completionTimeColumn; };
    paths.erase(std::find_if(paths.begin(), paths.end(), isMetric), paths.end());
    paths.erase(paths.begin(), paths.begin() + (paths.empty() ? 0 : 1));
    while (std::getline(file, line))
    {
        auto cells = CsvCells(line);
        cells.resize(std::max(cells.size(), paths.size() + 1));
        const auto values = cells.begin() + 1;
        rows.push_back({cells.front(),
                        {values, values + static_cast<std::ptrdiff_t>(paths.size())},
                        0,
                        "",
                        {}});
    }
    return {paths, rows};
}

} // namespace

ComparisonTable
Compare(const ScenarioText& text, const CompareOptions& options)
{
    const RunInfo info(options.folder, text.file, SeedsOf(text, options), options.commandLine);
    WriteIntoPlace(options.folder / "scenario.textproto", text.text);
    const auto runs = PlanRuns(options);
    const auto codes = RunAll(text, options, runs);
    ComparisonTable table(options.plans.variedPaths, MakeRows(options, runs, codes));
    WriteIntoPlace(options.folder / "comparison.csv", table.Csv());
    try
    {
        DrawComparisonFigures(ComparisonOf(table, options.folder), options.folder / "figures");
    }
    catch (const TraceError& error)
    {
        fmt::print(stderr, "geotrain: warning: no figures: {}\n", error.what());
    }
    Report(table, options.folder);
    const auto failed =
        std::find_if(codes.begin(), codes.end(), [](int code) { return code != 0; });
    info.Finish(failed == codes.end() ? 0 : *failed);
    return table;
}

std::vector<fs::path>
DrawComparisonAgain(const fs::path& folder,
                    const std::vector<std::string>& only,
                    FigureChoices& choices)
{
    const auto written = ReadVariants(folder);
    std::vector<ComparisonRow> rows;
    for (auto row : written.Rows())
    {
        const auto variant = folder / row.variant;
        for (const auto& run : fs::exists(variant) ? RunFolders(variant) : std::vector<fs::path>{})
        {
            row.summaries.push_back(SummaryOf(run));
        }
        if (!row.summaries.empty())
        {
            row.title = row.summaries.front().header.variant_title();
            rows.push_back(row);
        }
    }
    if (rows.empty())
    {
        throw ConfigError(folder.string(), "", "", "must hold the traces of a comparison");
    }
    const ComparisonTable table(written.VariedPaths(), rows);
    Comparison comparison = ComparisonOf(table, folder);
    if (!only.empty())
    {
        comparison.variants = ChooseVariants(comparison.variants, only);
    }
    const auto files = DrawComparisonFigures(comparison, {folder / "figures", &choices});
    Report(table, folder);
    return files;
}

} // namespace geotrain
