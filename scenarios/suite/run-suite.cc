// SPDX-License-Identifier: GPL-2.0-only
#include "suite/run-suite.h"

#include "comparison/planned-runs.h"
#include "runner/exit-codes.h"
#include "runner/run-folder.h"
#include "runner/run-info.h"
#include "runner/run-watch.h"
#include "suite/suite-report.h"
#include "trace/result-file.h"
#include "units/config-error.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <list>
#include <nlohmann/json.hpp>
#include <numeric>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

constexpr double shareOfRuns = 0.92; // of the wall time; the rest is drawing

/// A PlannedSet is a set of runs with its scenario's text, variants and runs.
struct PlannedSet
{
    const RunSet* set = nullptr;
    ScenarioText text;
    VariantPlans plans;
    fs::path folder;
    std::vector<PlannedRun> runs;
    std::vector<int> codes; ///< exit codes of `runs`
};

/// Returns the sets in a list, since their runs point to their texts.
std::list<PlannedSet>
PlanSets(const Suite& suite, const fs::path& folder)
{
    std::list<PlannedSet> planned;
    for (const auto& set : suite.runSets)
    {
        auto& one = planned.emplace_back();
        one.set = &set;
        one.text = ReadScenarioText(set.scenario);
        one.plans = PlansOf(set);
        one.folder = folder / "runs" / set.name;
        one.runs = PlanRuns(one.text, one.plans, set.seeds, one.folder);
        one.codes.assign(one.runs.size(), exitDone);
    }
    return planned;
}

/// A RunToDo is a run that is not complete, and the place of its exit code.
struct RunToDo
{
    const PlannedRun* run = nullptr;
    int* code = nullptr;
    double cpuSeconds = 1;
};

/// Returns the runs that are not complete, the longest first, so that no long one is left for the
/// end. Throws ConfigError where a folder holds a complete run of other settings.
std::vector<RunToDo>
FindRunsToDo(std::list<PlannedSet>& sets)
{
    std::vector<RunToDo> toDo;
    for (auto& planned : sets)
    {
        for (std::size_t i = 0; i < planned.runs.size(); ++i)
        {
            const auto& run = planned.runs[i];
            if (StateOf(run, {}).isComplete)
            {
                continue;
            }
            if (fs::exists(run.folder / "summary.csv"))
            {
                throw ConfigError("--out",
                                  "",
                                  run.folder.string(),
                                  "holds a run of other settings; --force replaces all results");
            }
            toDo.push_back({&run, &planned.codes[i], planned.set->cpuSeconds});
        }
    }
    std::stable_sort(toDo.begin(),
                     toDo.end(),
                     [](const RunToDo& a, const RunToDo& b) { return a.cpuSeconds > b.cpuSeconds; });
    return toDo;
}

SuiteWork
WorkOf(const Suite& suite, const std::vector<RunToDo>& toDo)
{
    SuiteWork work;
    work.figures = suite.figures.size();
    work.runs = toDo.size();
    for (const auto& set : suite.runSets)
    {
        work.allRuns += RunsOf(set);
    }
    for (const auto& run : toDo)
    {
        work.cpuSeconds += run.cpuSeconds;
    }
    return work;
}

void
RunToEnd(const std::vector<RunToDo>& toDo, const SuiteOptions& options)
{
    std::vector<PlannedRun> runs;
    double cpuSeconds = 0;
    for (const auto& one : toDo)
    {
        runs.push_back(*one.run);
        cpuSeconds += one.cpuSeconds;
    }
    RunPool pool;
    pool.jobs = options.jobs;
    pool.commandLine = options.commandLine;
    pool.drawsFigures = false;
    pool.progress = [&](const std::vector<double>& shares)
    {
        double done = 0;
        for (std::size_t i = 0; i < shares.size(); ++i)
        {
            done += shares[i] * toDo[i].cpuSeconds;
        }
        const auto ended = std::count(shares.begin(), shares.end(), 1.0);
        if (options.progress)
        {
            options.progress(shareOfRuns * done / cpuSeconds,
                             fmt::format("{} of {} runs done", ended, shares.size()));
        }
    };
    const auto codes = RunAll(runs, pool);
    for (std::size_t i = 0; i < codes.size(); ++i)
    {
        *toDo[i].code = codes[i];
    }
}

SetResults
ResultsOf(const PlannedSet& planned)
{
    return {*planned.set, MakeTable(planned.plans, planned.runs, planned.codes), planned.folder};
}

/// Returns a job whose messages go into `log`, which is removed where there are none.
Job
LoggedJob(const fs::path& log, const std::function<void()>& work)
{
    return [log, work](const JobProgress&)
    {
        const int code = ExitCodeWithMessages(log,
                                              [&]
                                              {
                                                  work();
                                                  return exitDone;
                                              });
        std::fflush(stderr);
        if (fs::exists(log) && fs::file_size(log) == 0)
        {
            fs::remove(log);
        }
        return code;
    };
}

Job
TableJob(const PlannedSet& planned)
{
    return LoggedJob(planned.folder / "messages.txt",
                     [&planned]
                     {
                         const auto table =
                             MakeTable(planned.plans, planned.runs, planned.codes);
                         WriteIntoPlace(planned.folder / "comparison.csv", table.Csv());
                     });
}

Job
FigureJob(const SuiteFigure& figure,
          const std::list<PlannedSet>& sets,
          const fs::path& folder,
          const FigureChoices& choices)
{
    return LoggedJob(folder / (figure.name + ".messages"),
                     [&figure, &sets, folder, own = choices]() mutable
                     {
                         SuiteResults results;
                         for (const auto& planned : sets)
                         {
                             const auto& needed = figure.runSets;
                             if (std::find(needed.begin(), needed.end(), planned.set->name) !=
                                 needed.end())
                             {
                                 results.emplace(planned.set->name, ResultsOf(planned));
                             }
                         }
                         figure.draw(results, FigurePlace(folder / figure.name, &own));
                     });
}

std::string
FirstLineOf(const fs::path& path)
{
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

void
ReportRuns(const std::list<PlannedSet>& sets, SuiteReport& report)
{
    for (const auto& planned : sets)
    {
        for (std::size_t i = 0; i < planned.runs.size(); ++i)
        {
            if (planned.codes[i] != exitDone)
            {
                const auto& folder = planned.runs[i].folder;
                report.failures.push_back({"run " + folder.string(),
                                           planned.codes[i],
                                           FirstLineOf(folder / "messages.txt")});
            }
        }
    }
}

/// Writes the sets' tables and draws the figures.
void
Draw(const Suite& suite,
     const std::list<PlannedSet>& sets,
     const SuiteOptions& options,
     SuiteReport& report)
{
    fs::create_directories(report.folder / "figures");
    std::vector<Job> jobs;
    for (const auto& figure : suite.figures)
    {
        jobs.push_back(FigureJob(figure, sets, report.folder / "figures", options.choices));
    }
    for (const auto& planned : sets)
    {
        jobs.push_back(TableJob(planned));
    }
    const auto watch = [&](const std::vector<double>& shares)
    {
        const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
        if (options.progress)
        {
            options.progress(shareOfRuns +
                                 (1 - shareOfRuns) * sum / static_cast<double>(shares.size()),
                             "drawing figures");
        }
    };
    const auto codes = RunJobs(jobs, options.jobs, watch);
    for (std::size_t i = 0; i < suite.figures.size(); ++i)
    {
        const auto& name = suite.figures[i].name;
        const auto log = report.folder / "figures" / (name + ".messages");
        report.figures += codes[i] == exitDone ? 1 : 0;
        if (codes[i] != exitDone)
        {
            report.failures.push_back({"figure " + name, codes[i], FirstLineOf(log)});
        }
    }
}

/// Returns the text that says to which suite a folder belongs.
std::string
SuiteMark(const Suite& suite)
{
    return nlohmann::ordered_json{{"suite", suite.name}}.dump(2) + "\n";
}

/// Returns the suite's folder, new or to go on in.
fs::path
OpenFolder(const Suite& suite, const SuiteOptions& options)
{
    const auto mark = options.out / "suite.json";
    std::ifstream file(mark);
    const auto found = nlohmann::json::parse(file, nullptr, false);
    if (!options.out.empty() && !options.force && found.is_object())
    {
        if (found.value("suite", "") != suite.name)
        {
            throw ConfigError("--out",
                              "",
                              options.out.string(),
                              fmt::format("holds the suite {}; --force replaces it",
                                          found.value("suite", "")));
        }
        ClaimRunFolder(options.out);
        return options.out;
    }
    const auto folder = MakeRunFolder(options.out.string(), suite.name, options.force);
    WriteIntoPlace(folder / "suite.json", SuiteMark(suite));
    return folder;
}

std::vector<std::int64_t>
SeedsOfSets(const Suite& suite)
{
    std::vector<std::int64_t> seeds;
    for (const auto& set : suite.runSets)
    {
        for (const auto seed : set.seeds)
        {
            if (std::find(seeds.begin(), seeds.end(), seed) == seeds.end())
            {
                seeds.push_back(seed);
            }
        }
    }
    return seeds;
}

} // namespace

SuiteReport
RunSuite(const Suite& whole, const SuiteOptions& options)
{
    const auto suite = options.only.empty() ? whole : OnlyFigures(whole, options.only);
    SuiteReport report;
    report.folder = OpenFolder(suite, options);
    auto sets = PlanSets(suite, report.folder);
    const auto toDo = FindRunsToDo(sets);
    const RunInfo info(report.folder, suite.name, SeedsOfSets(suite), options.commandLine);
    if (options.announce)
    {
        options.announce(WorkOf(suite, toDo));
    }
    RunToEnd(toDo, options);
    if (WasInterrupted())
    {
        report.isInterrupted = true;
        info.Finish(exitUnfinished);
        return report;
    }
    ReportRuns(sets, report);
    Draw(suite, sets, options, report);
    WriteIntoPlace(report.folder / "index.md", SuiteIndex(whole, report.folder));
    WriteSuiteReport(whole, report.folder);
    info.Finish(report.failures.empty() ? exitDone : report.failures.front().exitCode);
    return report;
}

} // namespace geotrain
