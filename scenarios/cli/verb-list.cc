// SPDX-License-Identifier: GPL-2.0-only
// The verb `geotrain list` prints what geotrain knows by name, with sources.
#include "cli/terminal-width.h"
#include "cli/verb.h"

#include "bulk-tcp/model/bulk-tcp-attributes.h"
#include "comparison/text-table.h"
#include "execution/all-to-all.h"
#include "execution/collective-catalogue.h"
#include "fill-jobs/fill-catalogue.h"
#include "hardware/gpu-catalogue.h"
#include "loader/congestion-control-sources.h"
#include "loader/control-library.h"
#include "loader/library-texts.h"
#include "loader/nearest-names.h"
#include "loader/regions.h"
#include "loader/scenario-text.h"
#include "loader/transport-section.h"
#include "path-learning/path-file.h"
#include "runner/exit-codes.h"
#include "schedule/schedule-catalogue.h"
#include "units/config-error.h"
#include "units/quantity-parser.h"
#include "workload/model-catalogue.h"
#include "workload/parameter-count.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>

namespace geotrain
{

namespace
{

/// A Listing is a table: the columns, which are also the keys of the JSON, and the rows.
struct Listing
{
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
};

/// Returns a peak in TFLOP/s; "-" where the GPU has none.
std::string
Rate(double flopsPerSecond)
{
    return flopsPerSecond > 0 ? ShortNumber(flopsPerSecond * 1e-12) : "-";
}

Listing
Gpus()
{
    Listing listing{{"name",
                     "tflops",
                     "fp32_tflops",
                     "tf32_tflops",
                     "fp8_tflops",
                     "memory_gb",
                     "memory_gb_per_s",
                     "nvlink_gb_per_s",
                     "constants",
                     "attention",
                     "matmul_efficiency",
                     "half_side",
                     "memory_efficiency",
                     "attention_efficiency",
                     "causal_attention_efficiency",
                     "kernel_gap_us",
                     "efficiency_is",
                     "source"},
                    {}};
    for (const auto& gpu : GpuCatalogue())
    {
        listing.rows.push_back({gpu.name,
                                ShortNumber(gpu.peakFlopsPerSecond * 1e-12),
                                Rate(gpu.fp32FlopsPerSecond),
                                Rate(gpu.tf32FlopsPerSecond),
                                Rate(gpu.fp8FlopsPerSecond),
                                ShortNumber(static_cast<double>(gpu.memory.Count()) * 1e-9),
                                ShortNumber(gpu.memoryBytesPerSecond * 1e-9),
                                ShortNumber(gpu.nvlinkBytesPerSecond * 1e-9),
                                NameOf(gpu.efficiency.source),
                                gpu.fusesAttention ? "fused" : "unfused",
                                ShortNumber(gpu.efficiency.maxMatmulEfficiency),
                                ShortNumber(gpu.efficiency.halfMatmulSide),
                                ShortNumber(gpu.efficiency.memoryEfficiency),
                                ShortNumber(gpu.efficiency.fusedAttentionEfficiency),
                                ShortNumber(gpu.efficiency.causalAttentionEfficiency),
                                ShortNumber(gpu.efficiency.kernelGap.ToSeconds() * 1e6),
                                gpu.efficiency.basis,
                                gpu.source});
    }
    return listing;
}

Listing
Models()
{
    Listing listing{{"name",
                     "parameters_billion",
                     "active_billion",
                     "layers",
                     "hidden",
                     "heads",
                     "kv_heads",
                     "experts",
                     "vocabulary",
                     "sequence",
                     "source"},
                    {}};
    for (const auto& model : ModelCatalogue())
    {
        const ExpertSpec& experts = model.experts;
        listing.rows.push_back(
            {model.name,
             ShortNumber(static_cast<double>(ParameterCount(model)) * 1e-9),
             ShortNumber(static_cast<double>(ActiveParameterCount(model)) * 1e-9),
             std::to_string(model.layers),
             std::to_string(model.hidden),
             std::to_string(model.heads),
             std::to_string(model.kvHeads),
             experts.count == 0 ? "-" : fmt::format("{} of {}", experts.perToken, experts.count),
             std::to_string(model.vocabulary),
             std::to_string(model.sequence),
             model.source});
    }
    return listing;
}

Listing
FillJobs()
{
    Listing listing{
        {"name", "parameters_billion", "training_overhead", "inference_overhead", "source"}, {}};
    for (const auto& model : FillModelCatalogue())
    {
        listing.rows.push_back({model.name,
                                ShortNumber(FillParameters(model) * 1e-9),
                                ShortNumber(model.overheads.training),
                                ShortNumber(model.overheads.inference),
                                model.source});
    }
    return listing;
}

Listing
Schedules()
{
    Listing listing{{"name", "description", "source"}, {}};
    for (const auto& schedule : ScheduleCatalogue())
    {
        listing.rows.push_back({schedule.name, schedule.description, schedule.source});
    }
    return listing;
}

Listing
CollectiveAlgorithms()
{
    Listing listing{{"name", "description"}, {}};
    for (const CollectiveAlgorithm* algorithm : CollectiveCatalogue())
    {
        listing.rows.push_back({algorithm->name, algorithm->description});
    }
    listing.rows.push_back({allToAllCollective.name, allToAllCollective.description});
    return listing;
}

Listing
Controls()
{
    Listing listing{{"name", "also", "source", "caveat"}, {}};
    for (const auto& type : CongestionControls())
    {
        listing.rows.push_back({type.name,
                                type.shortNames,
                                CongestionControlSource(type.name),
                                CongestionControlCaveat(type.name)});
    }
    return listing;
}

Listing
TcpSettings()
{
    Listing listing{{"name", "default", "meaning"}, {}};
    for (const auto& attribute : ns3::BulkTcpAttributes())
    {
        listing.rows.push_back({attribute.name, attribute.value, attribute.help});
    }
    return listing;
}

Listing
RegionNames()
{
    Listing listing{{"name", "provider", "place", "source"}, {}};
    for (const auto& region : Regions())
    {
        listing.rows.push_back({region.name, region.provider, region.place, RegionSource()});
    }
    return listing;
}

Listing
Paths()
{
    Listing listing{{"name", "rate", "propagation", "buffer", "model"}, {}};
    for (const LibraryPath& entry : LibraryPaths())
    {
        const std::string name(entry.name);
        const PathModel model = DecodePath(name, std::string(entry.bytes));
        listing.rows.push_back({name,
                                Format(model.forward.rate),
                                Format(model.forward.propagation),
                                Format(model.forward.buffer),
                                model.model});
    }
    return listing;
}

Listing
Scenarios()
{
    Listing listing{{"name", "verb", "network", "minutes", "question"}, {}};
    for (const auto& entry : ScenarioLibrary())
    {
        listing.rows.push_back({entry.name,
                                entry.hasVariants ? "compare" : "run",
                                entry.network,
                                entry.minutes,
                                entry.question});
    }
    listing.rows.push_back({batteryName,
                            "compare",
                            "packet",
                            "30",
                            "How does a congestion control do under each heading of the field? All "
                            "of battery-*, by `geotrain compare`."});
    return listing;
}

const std::map<std::string, Listing (*)()> listings{{"gpus", Gpus},
                                                    {"models", Models},
                                                    {"fill-jobs", FillJobs},
                                                    {"schedules", Schedules},
                                                    {"collectives", CollectiveAlgorithms},
                                                    {"congestion-controls", Controls},
                                                    {"regions", RegionNames},
                                                    {"paths", Paths},
                                                    {"scenarios", Scenarios},
                                                    {"tcp-settings", TcpSettings}};

int
List(const std::string& kind, const OutputOptions& output)
{
    const auto listing = listings.at(kind)();
    TextTable table(listing.columns);
    auto entries = nlohmann::ordered_json::array();
    for (const auto& row : listing.rows)
    {
        nlohmann::ordered_json entry;
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            entry[listing.columns[i]] = row[i];
        }
        entries.push_back(entry);
        table.AddRow(row);
    }
    PrintResults({false, output.json}, {{kind, entries}}, table.Text(TableColumns()));
    return exitDone;
}

// Prints a scenario of the library, to be copied and edited.
int
Show(const std::string& name, const OutputOptions& output)
{
    std::vector<std::string> names;
    for (const auto& entry : LibraryTexts())
    {
        if (entry.name == name)
        {
            const nlohmann::ordered_json object{{"name", entry.name}, {"text", entry.text}};
            PrintResults({false, output.json}, object, std::string(entry.text));
            return exitDone;
        }
        names.emplace_back(entry.name);
    }
    throw ConfigError(
        "--show", "", name, UnknownName("library scenario", name, names, "scenarios"));
}

/// ListArguments are the options of the verb.
struct ListArguments
{
    std::string kind;
    std::string shown; ///< scenario to print; empty: none
    std::vector<std::string> load;
    OutputOptions output;
};

int
ListOrShow(const ListArguments& arguments)
{
    LoadControlLibraries(arguments.load);
    return arguments.shown.empty() ? List(arguments.kind, arguments.output)
                                   : Show(arguments.shown, arguments.output);
}

} // namespace

std::vector<std::string>
ListedNames(const std::string& kind)
{
    std::vector<std::string> names;
    const auto listing = listings.find(kind);
    if (listing != listings.end())
    {
        for (const auto& row : listing->second().rows)
        {
            names.push_back(row.front());
        }
    }
    return names;
}

void
AddListVerb(VerbList& verbs)
{
    auto [verb, arguments] =
        verbs.Add("list", "Lists what geotrain knows, with sources", ListOrShow);
    std::vector<std::string> kinds;
    for (const auto& [name, list] : listings)
    {
        kinds.push_back(name);
    }
    verb.add_option(
            "KIND",
            arguments.kind,
            "gpus, models, fill-jobs, schedules, congestion-controls, tcp-settings, regions, paths "
            "or scenarios")
        ->required()
        ->check(CLI::IsMember(kinds));
    verb.add_option(
        "--show",
        arguments.shown,
        "With scenarios: prints the text of this one of `list scenarios`, to be copied and edited");
    AddLoadOption(verb, arguments.load);
    AddOutputOptions(verb, arguments.output);
    verb.footer(R"(
Examples:
  geotrain list gpus
  geotrain list scenarios --show three-dc-gpt > my.textproto
  geotrain list congestion-controls --load my-control.so
  geotrain list regions --json

Minutes of scenarios are the processor time of the whole comparison on one core, coarsely: those of
long ones are scaled from a part of their runs.)");
    verb.parse_complete_callback(
        [&given = arguments]
        {
            if (!given.shown.empty() && given.kind != "scenarios")
            {
                throw CLI::ValidationError("--show", "needs the kind scenarios");
            }
        });
}

} // namespace geotrain
