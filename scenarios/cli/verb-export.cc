// SPDX-License-Identifier: GPL-2.0-only
// The verb `geotrain export` writes the traces of a run or a comparison in other formats.
#include "cli/missing-traces.h"
#include "cli/verb.h"

#include "export/csv-export.h"
#include "export/perfetto-export.h"
#include "runner/exit-codes.h"
#include "runner/result-list.h"
#include "trace/result-folder.h"

#include <filesystem>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

/// ExportArguments are the options of the verb.
struct ExportArguments
{
    std::string folder;
    std::string format;
    OutputOptions output;
};

/// Writes the timeline of each run into the run's folder, and returns the files.
std::vector<fs::path>
ExportTimelines(const std::vector<ResultRun>& runs)
{
    std::vector<fs::path> files;
    for (const auto& run : runs)
    {
        const ResultUpdate update(run.folder);
        files.push_back(run.folder / "timeline.pftrace");
        ExportPerfetto(run.folder / "trace.pb", files.back());
    }
    return files;
}

int
Export(const ExportArguments& arguments)
{
    const fs::path folder(arguments.folder);
    const auto runs = fs::is_directory(folder) ? ReadableRunsIn(folder) : std::vector<ResultRun>{};
    if (runs.empty())
    {
        RefuseWithoutTraces("export", folder);
    }
    TellOfMissingTraces(folder);
    std::vector<fs::path> written;
    if (arguments.format == "perfetto")
    {
        written = ExportTimelines(runs);
    }
    else
    {
        const ResultUpdate update(folder);
        written = {folder / "csv"};
        MakeResultFolder(written.front());
        ExportCsv(runs, written.front());
    }
    auto list = nlohmann::ordered_json::array();
    std::string lines;
    for (const auto& path : written)
    {
        list.push_back(path.string());
        lines += path.string() + "\n";
    }
    PrintResults(arguments.output, {{"written", list}}, lines);
    return exitDone;
}

} // namespace

void
AddExportVerb(VerbList& verbs)
{
    auto [verb, arguments] =
        verbs.Add("export", "Export the traces of a run or a comparison", Export);
    verb.add_option("DIR", arguments.folder, "A folder that run or compare wrote")->required();
    verb.add_option("--format",
                    arguments.format,
                    "perfetto: timeline.pftrace for ui.perfetto.dev in each run's folder; "
                    "csv: tables in DIR/csv, of a comparison with columns variant and seed")
        ->required()
        ->check(CLI::IsMember({"perfetto", "csv"}));
    AddOutputOptions(verb, arguments.output);
    verb.footer(R"(
Examples:
  geotrain export results/three-dc-gpt-1 --format perfetto
  geotrain export results/three-dc-gpt-1 --format csv
The tables are for pandas and the like; the Python package geotrain reads a folder without them.)");
}

} // namespace geotrain
