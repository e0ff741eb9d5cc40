#include "comparison/compare.h"

#include "comparison/job-pool.h"
#include "figures/comparison-figure.h"
#include "runner/exit-codes.h"
#include "runner/run-info.h"
#include "runner/run.h"
#include "trace/result-file.h"
#include "trace/trace-error.h"
#include "units/config-error.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

// One run of a comparison.
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

Job
MakeJob(const ScenarioText& text, const CompareOptions& options, const PlannedRun& run)
{
    return [&text, &options, &run](const JobProgress& progress)
    {
        // What a run has to say belongs to its folder.
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
                one.variant = options.plans.variants[run.variant].name;
                one.commandLine = options.commandLine;
                one.progress = progress;
                Run(LoadScenario(text, run.assignments), one);
                return exitDone;
            });
    };
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
        rows.push_back({variant.name, variant.values, 0, "", {}});
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

void
Draw(const ComparisonTable& table, const fs::path& folder)
{
    std::vector<VariantSummary> variants;
    for (const auto& [name, summary] : table.Means())
    {
        variants.push_back({name, summary});
    }
    if (variants.empty())
    {
        return;
    }
    fs::create_directories(folder / "figures");
    DrawComparison(variants, folder / "figures" / "comparison");
}

// The runs of a variant's folder: itself, or one for each seed.
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

// In the order of comparison.csv, whose first column has the variants.
std::vector<std::string>
VariantNames(const fs::path& folder)
{
    std::vector<std::string> names;
    std::ifstream file(folder / "comparison.csv");
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line))
    {
        names.push_back(line.substr(0, line.find(',')));
    }
    return names;
}

} // namespace

ComparisonTable
Compare(const ScenarioText& text, const CompareOptions& options)
{
    const RunInfo info(options.folder, text.file, 0, options.commandLine);
    const auto runs = PlanRuns(options);
    std::vector<Job> jobs;
    for (const auto& run : runs)
    {
        fs::create_directories(run.folder);
        jobs.push_back(MakeJob(text, options, run));
    }
    const auto codes = RunJobs(jobs,
                               options.jobs,
                               [&options](const std::vector<double>& shares)
                               {
                                   if (options.progress)
                                   {
                                       options.progress(shares);
                                   }
                               });
    ComparisonTable table(options.plans.variedPaths, MakeRows(options, runs, codes));
    WriteIntoPlace(options.folder / "comparison.csv", table.Csv());
    try
    {
        Draw(table, options.folder);
    }
    catch (const TraceError& error)
    {
        fmt::print(stderr, "geotrain: warning: no figures: {}\n", error.what());
    }
    const auto failed =
        std::find_if(codes.begin(), codes.end(), [](int code) { return code != 0; });
    info.Finish(failed == codes.end() ? 0 : *failed);
    return table;
}

void
DrawComparisonFigures(const fs::path& folder)
{
    std::vector<ComparisonRow> rows;
    for (const auto& name : VariantNames(folder))
    {
        ComparisonRow row{name, {}, 0, "", {}};
        for (const auto& run :
             fs::exists(folder / name) ? RunFolders(folder / name) : std::vector<fs::path>{})
        {
            row.summaries.push_back(SummaryOf(run));
        }
        if (!row.summaries.empty())
        {
            rows.push_back(row);
        }
    }
    if (rows.empty())
    {
        throw ConfigError(folder.string(), "", "", "must hold the traces of a comparison");
    }
    Draw(ComparisonTable({}, rows), folder);
}

} // namespace geotrain
