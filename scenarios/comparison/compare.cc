// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/compare.h"

#include "comparison/path-flows.h"
#include "comparison/table-report.h"
#include "figures/comparison-figures.h"
#include "figures/declared-figures.h"
#include "figures/figure-files.h"
#include "loader/declared-results.h"
#include "loader/nearest-names.h"
#include "runner/exit-codes.h"
#include "runner/run-info.h"
#include "runner/run-watch.h"
#include "runner/stderr-text.h"
#include "trace/result-file.h"
#include "trace/result-folder.h"
#include "trace/trace-error.h"
#include "units/config-error.h"
#include "units/csv-cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

/// Returns all seeds of the runs.
std::vector<std::int64_t>
SeedsOf(const std::vector<PlannedRun>& runs)
{
    std::vector<std::int64_t> seeds;
    for (const auto& run : runs)
    {
        const auto seed = SeedOf(*run.text, run.assignments);
        if (std::find(seeds.begin(), seeds.end(), seed) == seeds.end())
        {
            seeds.push_back(seed);
        }
    }
    return seeds;
}

/// Returns the table's variants for figures, with traces of their runs, which are below `folder`.
Comparison
ComparisonOf(const ComparisonTable& table, const fs::path& folder)
{
    Comparison comparison = table.Means();
    for (auto& variant : comparison.variants)
    {
        variant.trace = ReadableRunsOf(folder / variant.variant).front().folder / "trace.pb";
    }
    return comparison;
}

/// Returns whether a run of the comparison has the figure's metric, and warns where none has it.
bool
HasMetric(const ComparisonTable& table, const DeclaredFigure& figure)
{
    std::vector<std::string> names;
    for (const auto& row : table.Rows())
    {
        for (const auto& summary : row.summaries)
        {
            if (summary.Find(figure.metric))
            {
                return true;
            }
            for (const auto& metric : summary.metrics)
            {
                names.push_back(metric.name);
            }
        }
    }
    if (!names.empty())
    {
        std::sort(names.begin(), names.end());
        names.erase(std::unique(names.begin(), names.end()), names.end());
        PrintToStderr("geotrain: warning: figure {} is not drawn: \"{}\" {}\n",
                      figure.name,
                      figure.metric,
                      UnknownName("metric of these runs", figure.metric, names));
    }
    return false;
}

/// Returns those of the declared figures whose fields the comparison varies and whose metric its runs
/// have, and those that show no metric.
std::vector<DeclaredFigure>
FiguresFor(const ComparisonTable& table, std::vector<DeclaredFigure> declared)
{
    const auto paths = table.Means().variedPaths;
    const auto varies = [&](const std::string& path)
    { return std::find(paths.begin(), paths.end(), path) != paths.end(); };
    declared.erase(std::remove_if(declared.begin(),
                                  declared.end(),
                                  [&](const DeclaredFigure& figure)
                                  {
                                      return figure.ShowsMetric() &&
                                             (!varies(figure.across) || !varies(figure.by) ||
                                              !HasMetric(table, figure));
                                  }),
                   declared.end());
    return declared;
}

/// Returns the figures that the choices ask for.
std::vector<DeclaredFigure>
ChosenOf(std::vector<DeclaredFigure> declared, const FigureChoices* choices)
{
    const auto isLeftOut = [&](const DeclaredFigure& figure)
    { return choices && !choices->only.empty() && choices->only.count(figure.name) == 0; };
    declared.erase(std::remove_if(declared.begin(), declared.end(), isLeftOut), declared.end());
    return declared;
}

/// Returns the figures that the scenario of a folder of results declares.
std::vector<DeclaredFigure>
FiguresDeclaredIn(const fs::path& folder)
{
    const auto file = folder / "scenario.textproto";
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    return text.empty() ? std::vector<DeclaredFigure>{}
                        : ReadFigures({file.string(), folder, text});
}

/// Draws the declared figures, or those that the comparison chooses where there are none.
std::vector<fs::path>
DrawFiguresOf(const Comparison& comparison,
              const std::vector<DeclaredFigure>& declared,
              const FigurePlace& place)
{
    Files files = declared.empty() ? DrawComparisonFigures(comparison, place)
                                   : DrawDeclaredFigures(comparison, declared, place);
    for (const auto& figure : declared)
    {
        const auto isOfFigure = [&figure](const fs::path& file)
        { return file.stem() == figure.name; };
        if (std::none_of(files.begin(), files.end(), isOfFigure))
        {
            PrintToStderr("geotrain: warning: no figure {}: no run has what it shows\n",
                          figure.name);
        }
    }
    const auto marked = place.WithCaution(CautionOf(comparison));
    Append(files, DrawPathSpread(PathFlowsOf(comparison), marked));
    return files;
}

/// Reads variants and varied paths from comparison.csv: the columns before the first metric. A
/// column `job`, which files of older versions lack, says which rows are of jobs.
ComparisonTable
ReadVariants(const fs::path& folder)
{
    std::vector<ComparisonRow> rows;
    std::ifstream file(folder / "comparison.csv");
    std::string line;
    std::getline(file, line);
    auto paths = CsvCells(line);
    const auto isMetric = [](const std::string& column)
    {
        return column == iterationTimeColumn || column == completionTimeColumn ||
               column == goodputColumn || column == simulatedTimeColumn;
    };
    paths.erase(std::find_if(paths.begin(), paths.end(), isMetric), paths.end());
    const std::size_t before = paths.size() > 1 && paths[1] == "job" ? 2 : 1;
    paths.erase(paths.begin(),
                paths.begin() + static_cast<std::ptrdiff_t>(std::min(before, paths.size())));
    while (std::getline(file, line))
    {
        auto cells = CsvCells(line);
        cells.resize(std::max(cells.size(), paths.size() + before));
        const auto values = cells.begin() + static_cast<std::ptrdiff_t>(before);
        if (before == 1 || cells[1].empty())
        {
            rows.push_back({cells.front(),
                            {values, values + static_cast<std::ptrdiff_t>(paths.size())},
                            0,
                            "",
                            {}});
        }
    }
    return {paths, rows};
}

/// Returns what is drawn unless the options say otherwise: drawing takes longer than many a run.
DrawnFigures
DrawnByDefault(std::size_t runs, std::size_t variants)
{
    constexpr std::size_t mostDrawn = 10;
    return runs > mostDrawn || runs > variants ? DrawnFigures::Comparison : DrawnFigures::All;
}

/// Draws the comparison's figures. Where that fails, the numbers are complete without them.
void
DrawOrWarn(const ComparisonTable& table,
           const std::vector<DeclaredFigure>& declared,
           const CompareOptions& options)
{
    try
    {
        DrawFiguresOf(ComparisonOf(table, options.folder),
                      FiguresFor(table, declared),
                      {options.folder / "figures", options.choices});
    }
    catch (const TraceError& error)
    {
        PrintToStderr("geotrain: warning: no figures: {}\n", error.what());
    }
}

} // namespace

ComparisonTable
Compare(const ScenarioText& text, const CompareOptions& options)
{
    const auto declared = ChosenOf(ReadFigures(text), options.choices);
    ReadCriteria(text); // nobody runs for hours to learn of a slip
    const auto runs = PlanRuns(text, options.plans, options.seeds, options.folder);
    const RunInfo info(options.folder,
                       text.file,
                       SeedsOf(runs),
                       options.commandLine,
                       {options.ns3Defaults, LoadedLibraries()});
    WriteIntoPlace(options.folder / "scenario.textproto", text.text);
    const auto drawn =
        options.figures.value_or(DrawnByDefault(runs.size(), options.plans.variants.size()));
    RunPool pool = options;
    pool.drawsFigures = drawn == DrawnFigures::All;
    const auto codes = RunAll(runs, pool);
    const auto table = MakeTable(options.plans, runs, codes);
    WriteIntoPlace(options.folder / "comparison.csv", table.Csv());
    if (WasInterrupted())
    {
        info.Finish(exitUnfinished);
        return table;
    }
    if (drawn != DrawnFigures::None)
    {
        DrawOrWarn(table, declared, options);
    }
    WriteReport(table, options.folder);
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
        for (const auto& run : ReadableRunsOf(folder / row.variant))
        {
            row.summaries.push_back(SummaryOf(run.folder));
        }
        if (!row.summaries.empty())
        {
            row.title = row.summaries.front().header.variant_title();
            rows.push_back(row);
        }
    }
    if (rows.empty())
    {
        throw ConfigError("figures",
                          "",
                          folder.string(),
                          "has no comparison.csv that lists its variants, as a comparison that was "
                          "killed; each run's folder can be drawn by itself");
    }
    const ComparisonTable table(written.VariedPaths(), rows);
    Comparison comparison = ComparisonOf(table, folder);
    if (!only.empty())
    {
        comparison.variants = ChooseVariants(comparison.variants, only);
    }
    const auto files = DrawFiguresOf(
        comparison, FiguresFor(table, FiguresDeclaredIn(folder)), {folder / "figures", &choices});
    WriteReport(table, folder);
    return files;
}

} // namespace geotrain
