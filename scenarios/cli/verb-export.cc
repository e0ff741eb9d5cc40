// SPDX-License-Identifier: GPL-2.0-only
// The verb `geotrain export` writes the trace of a run in other formats.
#include "cli/verb.h"

#include "export/csv-export.h"
#include "export/perfetto-export.h"
#include "runner/exit-codes.h"
#include "trace/trace-reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>

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

int
Export(const ExportArguments& arguments)
{
    const fs::path folder(arguments.folder);
    TraceReader reader((folder / "trace.pb").string());
    auto written = folder / "timeline.json";
    if (arguments.format == "perfetto")
    {
        ExportPerfetto(reader, written);
    }
    else
    {
        written = folder / "csv";
        fs::create_directories(written);
        ExportCsv(reader, written);
    }
    if (arguments.output.json)
    {
        fmt::print("{}\n", nlohmann::ordered_json{{"written", written.string()}}.dump(2));
    }
    else if (!arguments.output.quiet)
    {
        fmt::print("{}\n", written.string());
    }
    return exitDone;
}

} // namespace

void
AddExportVerb(CLI::App& app, VerbAction& action)
{
    const auto arguments = std::make_shared<ExportArguments>();
    auto& verb = *app.add_subcommand("export", "Export the trace of a run");
    verb.add_option("DIR", arguments->folder, "A folder that run wrote")->required();
    verb.add_option("--format",
                    arguments->format,
                    "perfetto: DIR/timeline.json for ui.perfetto.dev; csv: tables in DIR/csv")
        ->required()
        ->check(CLI::IsMember({"perfetto", "csv"}));
    AddOutputOptions(verb, arguments->output);
    verb.footer(R"(
Examples:
  geotrain export results/three-dc-gpt-1 --format perfetto
  geotrain export results/three-dc-gpt-1 --format csv)");
    verb.callback([arguments, &action] { action = [arguments] { return Export(*arguments); }; });
}

} // namespace geotrain
