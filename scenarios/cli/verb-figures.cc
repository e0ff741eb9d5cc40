// SPDX-License-Identifier: GPL-2.0-only
// The verb `geotrain figures` draws the figures of a run or a comparison again, from traces alone.
#include "cli/verb.h"

#include "comparison/compare.h"
#include "figures/run-figures.h"
#include "runner/exit-codes.h"
#include "units/config-error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

void
DrawRun(const fs::path& folder)
{
    fs::create_directories(folder / "figures");
    const auto trace = folder / "trace.pb";
    TraceReader reader(trace.string());
    if (reader.Header().has_transfers())
    {
        DrawTransferFigures(trace, folder / "figures");
    }
    else
    {
        DrawRunFigures(RunTally(reader), folder / "figures");
    }
    if (!fs::exists(folder / "summary.csv"))
    {
        fmt::print(stderr,
                   "{}: the run did not finish; its figures show what there is\n",
                   folder.string());
    }
}

int
Figures(const std::string& folder, const OutputOptions& output)
{
    if (!fs::is_directory(folder))
    {
        throw ConfigError("figures", "", folder, "must be a folder that run or compare wrote");
    }
    if (fs::exists(fs::path(folder) / "trace.pb"))
    {
        DrawRun(folder);
    }
    else
    {
        DrawComparisonAgain(folder);
        for (const auto& entry : fs::recursive_directory_iterator(folder))
        {
            if (entry.path().filename() == "trace.pb")
            {
                DrawRun(entry.path().parent_path());
            }
        }
    }
    const auto written = (fs::path(folder) / "figures").string();
    if (output.json)
    {
        fmt::print("{}\n", nlohmann::ordered_json{{"figures", written}}.dump(2));
    }
    else if (!output.quiet)
    {
        fmt::print("figures in {}\n", written);
    }
    return exitDone;
}

} // namespace

void
AddFiguresVerb(CLI::App& app, VerbAction& action)
{
    const auto folder = std::make_shared<std::string>();
    const auto output = std::make_shared<OutputOptions>();
    auto& verb = *app.add_subcommand("figures", "Draw the figures again, from traces alone");
    verb.add_option("DIR", *folder, "A folder that run or compare wrote")->required();
    AddOutputOptions(verb, *output);
    verb.footer(R"(
Examples:
  geotrain figures results/three-dc-gpt-1)");
    verb.callback([folder, output, &action]
                  { action = [folder, output] { return Figures(*folder, *output); }; });
}

} // namespace geotrain
