// SPDX-License-Identifier: GPL-2.0-only
// The verb `geotrain figures` draws the figures of a run or a comparison again, from traces alone:
// all, or chosen ones with a width, title, part of the time and formats of the user's choice. It
// writes their reports again too.
#include "cli/figure-options.h"
#include "cli/missing-traces.h"
#include "cli/suite-figures.h"
#include "cli/verb.h"

#include "comparison/compare.h"
#include "figures/figure-files.h"
#include "loader/nearest-names.h"
#include "report/run-report.h"
#include "report/run-results.h"
#include "runner/exit-codes.h"
#include "runner/result-list.h"
#include "runner/stderr-text.h"
#include "trace/result-folder.h"
#include "units/config-error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

/// FiguresArguments are what the verb was given.
struct FiguresArguments
{
    std::string folder;
    FigureOptions options;
    SuiteArguments suite;
    OutputOptions output;
};

Files
DrawRun(const fs::path& folder, FigureChoices& choices)
{
    const ResultUpdate update(folder);
    MakeResultFolder(folder / "figures");
    const RunResults results(folder / "trace.pb");
    Files files = results.DrawFigures({folder / "figures", &choices});
    WriteRunReport(results.Summarize(), folder);
    if (!fs::exists(folder / "summary.csv"))
    {
        PrintToStderr("{}: the run did not finish; its figures show what there is\n",
                      folder.string());
    }
    return files;
}

/// Removes from `choices.only` the figures that there were, so that the rest can be looked for
/// elsewhere.
void
KeepMissing(FigureChoices& choices)
{
    for (const auto& name : choices.offered)
    {
        choices.only.erase(name);
    }
}

/// Draws the comparison in `folder` and its runs. Of chosen figures, those that the comparison has
/// are drawn for the comparison, and others for its runs.
Files
DrawComparisonAndRuns(const fs::path& folder,
                      const std::vector<std::string>& variants,
                      FigureChoices& choices)
{
    if (ReadableRunsIn(folder).empty())
    {
        RefuseWithoutTraces("figures", folder);
    }
    TellOfMissingTraces(folder);
    const bool hasChosen = !choices.only.empty();
    Files files = DrawComparisonAgain(folder, variants, choices);
    KeepMissing(choices);
    if (hasChosen && choices.only.empty())
    {
        return files;
    }
    for (const auto& run : ReadableRunsIn(folder))
    {
        Append(files, DrawRun(run.folder, choices));
    }
    KeepMissing(choices);
    return files;
}

/// Throws ConfigError where a part of the time is chosen and none of the drawn figures has a time.
void
RefuseTimesWithoutAxis(const FigureOptions& options, const FigureChoices& choices)
{
    const bool isFrom = !options.from.empty();
    if ((isFrom || !options.to.empty()) && !choices.haveTime)
    {
        throw ConfigError("",
                          isFrom ? "--from" : "--to",
                          isFrom ? options.from : options.to,
                          "has no effect: none of these figures has a time axis");
    }
}

int
Figures(const FiguresArguments& arguments)
{
    const fs::path folder(arguments.folder);
    FigureChoices choices = ChoicesOf(arguments.options);
    if (!arguments.suite.suite.empty())
    {
        return MakeSuite(arguments.suite, choices, arguments.output);
    }
    if (arguments.folder.empty())
    {
        throw ConfigError("figures", "", "", "needs a DIR that run or compare wrote, or --suite");
    }
    if (!fs::is_directory(folder))
    {
        throw ConfigError(
            "figures", "", arguments.folder, "must be a folder that run or compare wrote");
    }
    const ResultUpdate update(folder);
    Files files;
    if (!fs::exists(folder / "trace.pb"))
    {
        files = DrawComparisonAndRuns(folder, arguments.options.variants, choices);
    }
    else if (!arguments.options.variants.empty())
    {
        throw ConfigError(
            "", "--variant", arguments.options.variants.front(), "needs a comparison");
    }
    else
    {
        files = DrawRun(folder, choices);
        KeepMissing(choices);
    }
    if (!choices.only.empty())
    {
        const auto& name = *choices.only.begin();
        const std::vector<std::string> offered(choices.offered.begin(), choices.offered.end());
        throw ConfigError("",
                          "--only",
                          name,
                          fmt::format("{}; there are {}",
                                      UnknownName("figure of this folder", name, offered),
                                      fmt::join(offered, ", ")));
    }
    RefuseTimesWithoutAxis(arguments.options, choices);
    auto list = nlohmann::ordered_json::array();
    for (const auto& file : files)
    {
        list.push_back(file.string());
    }
    PrintResults(arguments.output,
                 {{"figures", list}},
                 fmt::format("figures in {}\n", (folder / "figures").string()));
    return exitDone;
}

void
AddChoices(CLI::App& verb, FigureOptions& options)
{
    AddRepeated(verb, "--only", options.only, "Figures by name, such as timeline,wan-throughput");
    verb.add_option("--width",
                    options.width,
                    "3.3in, 8.4cm, 84mm, 240pt, one-column (252pt) or two-column (504pt)");
    AddRepeated(verb, "--variant", options.variants, "Variants of a comparison, such as A,B");
    verb.add_option("--from", options.from, "Start of figures over time, such as 1s or 250ms");
    verb.add_option("--to", options.to, "End of figures over time");
    AddLogOption(verb, options.logAxes);
    verb.add_option("--title", options.title, "A title for the figures, or none");
    AddRepeated(verb, "--format", options.formats, "png, pdf or svg; several as png,svg");
}

} // namespace

void
AddFiguresVerb(VerbList& verbs)
{
    auto [verb, arguments] =
        verbs.Add("figures", "Draw the figures again, from traces alone", Figures);
    auto* folder = verb.add_option("DIR", arguments.folder, "A folder that run or compare wrote");
    AddChoices(verb, arguments.options);
    AddSuiteOptions(verb, arguments.suite);
    for (const auto* option : {"--variant", "--from", "--to"})
    {
        verb.get_option("--suite")->excludes(verb.get_option(option));
    }
    verb.get_option("--suite")->excludes(folder);
    AddOutputOptions(verb, arguments.output);
    verb.footer(R"(
Each figure NAME comes as NAME.png, NAME.pdf and NAME.svg, with its data NAME.csv and the gnuplot
script NAME.gp, which draws it again: edit it, then run `gnuplot NAME.gp` in its folder. With
--format, a figure's pictures of other formats are drawn again where the folder has them, so that
all show the same data.
Of a comparison, --only draws the comparison's figures, and where it has none of that name, those
of each run.
--suite runs the library for the figures of a paper, on all cores, into --out; a suite that was
killed goes on there. The whole takes 20 to 60 minutes on two cores, --quick four minutes.

Examples:
  geotrain figures results/three-dc-gpt-1
  geotrain figures results/a-comparison --only comparison --no-log
  geotrain figures results/three-dc-gpt-1 --only timeline --from 1s --to 2s --width one-column
  geotrain figures results/a-comparison --only comparison --variant A,B --title none --format svg
  geotrain figures --suite paper --quick --out paper
  geotrain figures --suite paper --only goodput-loss,plan-gpus --out some)");
}

} // namespace geotrain
