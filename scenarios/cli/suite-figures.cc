// SPDX-License-Identifier: GPL-2.0-only
#include "cli/suite-figures.h"

#include "cli/battery-runs.h"
#include "comparison/sweep-ranks.h"
#include "runner/run-folder.h"
#include "runner/run-watch.h"
#include "suite/paper-suite.h"
#include "units/json-text.h"

namespace geotrain
{

namespace
{

/// Returns the suite's folder: new, or one of a suite to go on in. Throws ConfigError for a folder that
/// holds anything else.
std::filesystem::path
OpenSuiteFolder(const SuiteArguments& arguments)
{
    const auto info = TryJsonFile(std::filesystem::path(arguments.out) / "run-info.json");
    const bool isOfSuite =
        !arguments.out.empty() && info.is_object() && info.value("scenario", "") == arguments.suite;
    return isOfSuite && !arguments.force
               ? ResumeRunFolder(arguments.out)
               : MakeRunFolder(arguments.out, arguments.suite, arguments.force);
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
    AddOutOption(verb,
                 arguments.out,
                 "Suite: folder of runs and figures, in which a killed suite goes on; default "
                 "results/<suite>-<n>");
    verb.add_flag("--force", arguments.force, "Suite: remove all earlier results in the folder");
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
          const OutputOptions& output)
{
    RefuseUnknownFigures(choices.only);
    if (const auto code = ServedAsRank(arguments.out))
    {
        return *code;
    }
    BatteryOptions options;
    FigureChoices own = choices;
    options.choices = &own;
    options.variants.full = !arguments.quick;
    options.jobs = arguments.jobs;
    options.resume = true;
    options.commandLine = output.commandLine;
    options.folder = OpenSuiteFolder(arguments);
    CatchInterrupts();
    const auto sweep = LeadOfLaunch(options.folder, options.jobs);
    options.sweep = sweep.get();
    const std::string out = arguments.out.empty() ? " --out " + options.folder.string() : "";
    return ShowBattery(MakePaperFigures, options, output, output.commandLine + out);
}

} // namespace geotrain
