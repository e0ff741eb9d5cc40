// SPDX-License-Identifier: GPL-2.0-only
#include "cli/suite-figures.h"

#include "cli/status-line.h"
#include "runner/exit-codes.h"
#include "runner/run-watch.h"
#include "runner/stderr-text.h"
#include "suite/run-suite.h"
#include "units/config-error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <thread>

namespace geotrain
{

namespace
{

/// Prints what the suite will do, and how long it takes.
void
AnnounceSuite(const SuiteWork& work, unsigned jobs)
{
    const auto minutes = std::max(1.0, std::ceil(work.cpuSeconds / jobs / 60));
    PrintToStderr("{} figures of {} runs; {} runs to do, about {:.0f} min on {} cores\n",
                  work.figures,
                  work.allRuns,
                  work.runs,
                  minutes,
                  jobs);
    std::fflush(stderr);
}

void
PrintReport(const SuiteReport& report, const OutputOptions& output)
{
    if (output.json)
    {
        nlohmann::ordered_json object;
        object["folder"] = report.folder.string();
        object["figures"] = report.figures;
        object["failures"] = nlohmann::ordered_json::array();
        for (const auto& failure : report.failures)
        {
            object["failures"].push_back(
                {{"what", failure.what}, {"exit_code", failure.exitCode}, {"error", failure.error}});
        }
        fmt::print("{}\n", object.dump(2));
    }
    else if (!output.quiet)
    {
        fmt::print("{} figures in {}; captions in {}\n",
                   report.figures,
                   (report.folder / "figures").string(),
                   (report.folder / "index.md").string());
    }
}

/// Makes the suite's figures. The progress line is gone when it returns.
SuiteReport
RunWithProgress(const Suite& suite, SuiteOptions options, bool quiet)
{
    StatusLine line(quiet);
    options.progress = [&line](double share, const std::string& what) { line.Show(share, what); };
    return RunSuite(suite, options);
}

} // namespace

void
AddSuiteOptions(CLI::App& verb, SuiteArguments& arguments)
{
    auto* suite = verb.add_option("--suite",
                                  arguments.suite,
                                  "Run the library for the figures of a paper: paper")
                      ->check(CLI::IsMember(std::vector<std::string>{"paper"}));
    verb.add_flag("--quick", arguments.quick, "Suite: fewer points, seeds and iterations");
    verb.add_option("--out",
                    arguments.out,
                    "Suite: folder of runs and figures, in which a killed suite goes on; default "
                    "results/<suite>-<n>");
    verb.add_flag("--force", arguments.force, "Suite: replace all results that are in the folder");
    verb.add_option("--jobs", arguments.jobs, "Suite: processes at a time; default: one per core")
        ->check(CLI::Range(1, 10000));
    for (const auto* option : {"--quick", "--out", "--force", "--jobs"})
    {
        verb.get_option(option)->needs(suite);
    }
}

int
MakeSuite(const SuiteArguments& arguments,
          const FigureChoices& choices,
          const OutputOptions& output,
          const std::string& commandLine)
{
    const auto suite = PaperSuite(arguments.quick);
    SuiteOptions options;
    options.out = arguments.out;
    options.force = arguments.force;
    options.only.assign(choices.only.begin(), choices.only.end());
    options.choices = choices;
    options.choices.only.clear();
    options.jobs =
        arguments.jobs > 0 ? arguments.jobs : std::max(1U, std::thread::hardware_concurrency());
    options.commandLine = commandLine;
    options.announce = [&](const SuiteWork& work)
    {
        if (!output.quiet && !output.json)
        {
            AnnounceSuite(work, options.jobs);
        }
    };
    CatchInterrupts();
    const auto report = RunWithProgress(suite, options, output.quiet || output.json);
    PrintReport(report, output);
    for (const auto& failure : report.failures)
    {
        PrintToStderr("{}: exit {}: {}\n", failure.what, failure.exitCode, failure.error);
    }
    if (report.isInterrupted)
    {
        PrintToStderr("interrupted; the same command with --out {} goes on\n",
                      report.folder.string());
        return exitUnfinished;
    }
    return report.failures.empty() ? exitDone : report.failures.front().exitCode;
}

} // namespace geotrain
