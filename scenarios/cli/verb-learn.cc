// SPDX-License-Identifier: GPL-2.0-only
// The verb `geotrain learn` makes model files of network paths from packet records, and draws paths
// of a family.
#include "cli/verb.h"

#include "comparison/text-table.h"
#include "learned-path/model/path-file.h"
#include "learned-path/model/path-learner.h"
#include "learned-path/model/trace-readers.h"
#include "runner/exit-codes.h"
#include "trace/result-file.h"
#include "units/config-error.h"
#include "units/quantity-parser.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>
#include <stdexcept>

namespace geotrain
{

namespace
{

/// LearnArguments are the options of the verb.
struct LearnArguments
{
    std::vector<std::string> files;
    std::string model = "ibox";
    std::string out;
    std::vector<std::string> evaluate;
    std::string like;
    std::int64_t paths = 20;
    std::uint64_t seed = 1;
    OutputOptions output;
};

/// EvaluatedTrace is one record that the path did not see.
struct EvaluatedTrace
{
    std::string name;
    PathErrors errors;
};

std::vector<EvaluatedTrace>
EvaluateOn(const PathModel& model, const std::vector<std::string>& files)
{
    std::vector<EvaluatedTrace> evaluated;
    for (const std::string& file : files)
    {
        const PacketTrace trace = ParsePacketTrace(file, ReadMaybeGzipped(file));
        evaluated.push_back({file, ErrorsOn(model.forward, trace)});
    }
    return evaluated;
}

void
AddErrors(nlohmann::ordered_json& object, const PathErrors& errors)
{
    object["throughput_error"] = errors.throughput;
    object["delay_mean_error"] = errors.delayMean;
    object["delay_p95_error"] = errors.delayP95;
    object["loss_error"] = errors.loss;
}

nlohmann::ordered_json
PathAsJson(const PathModel& model, const std::string& out)
{
    nlohmann::ordered_json object;
    object["out"] = out;
    object["model"] = model.model;
    object["rate_bps"] = model.forward.rate.ToBitsPerSecond();
    object["propagation_s"] = model.forward.propagation.ToSeconds();
    object["buffer_bytes"] = model.forward.buffer.Count();
    object["cross_traffic_bps"] = model.forward.crossTraffic.MeanBitsPerSecond();
    return object;
}

nlohmann::ordered_json
LearnedAsJson(const LearnedFiles& learned,
              const std::string& out,
              const std::vector<EvaluatedTrace>& evaluated)
{
    nlohmann::ordered_json object = PathAsJson(learned.model, out);
    object["packets"] = learned.model.packets;
    std::vector<PathErrors> errors;
    auto rows = nlohmann::ordered_json::array();
    for (const EvaluatedTrace& trace : evaluated)
    {
        nlohmann::ordered_json row{{"trace", trace.name}};
        AddErrors(row, trace.errors);
        rows.push_back(row);
        errors.push_back(trace.errors);
    }
    if (!errors.empty())
    {
        AddErrors(object, MeanOf(errors));
    }
    else if (learned.model.errors)
    {
        AddErrors(object, *learned.model.errors);
    }
    object["evaluated"] = rows;
    object["warnings"] = learned.warnings;
    return object;
}

void
AddErrorRow(TextTable& table, const std::string& name, const PathErrors& errors)
{
    table.AddRow({name,
                  fmt::format("{:.2f} %", errors.throughput * 100),
                  fmt::format("{:.2f} %", errors.delayMean * 100),
                  fmt::format("{:.2f} %", errors.delayP95 * 100),
                  fmt::format("{:.2f}", errors.loss * 100)});
}

std::string
LearnedText(const LearnedFiles& learned,
            const std::string& out,
            const std::vector<EvaluatedTrace>& evaluated)
{
    const PathParameters& path = learned.model.forward;
    std::string text =
        fmt::format("{}: rate {}, propagation {}, buffer {}, cross traffic {} on average\n",
                    out,
                    Format(path.rate),
                    Format(path.propagation),
                    Format(path.buffer),
                    Format(BitRate::BitsPerSecond(
                        static_cast<std::int64_t>(path.crossTraffic.MeanBitsPerSecond()))));
    TextTable table({"errors", "throughput", "mean delay", "95th percentile", "loss, points"});
    if (learned.model.errors)
    {
        AddErrorRow(table, "inputs", *learned.model.errors);
    }
    for (const EvaluatedTrace& trace : evaluated)
    {
        AddErrorRow(table, trace.name, trace.errors);
    }
    if (learned.model.errors || !evaluated.empty())
    {
        text += "\n" + table.Text();
    }
    for (const std::string& warning : learned.warnings)
    {
        text += "warning: " + warning + "\n";
    }
    return text;
}

int
LearnPath(const LearnArguments& arguments)
{
    const LearnedFiles learned = LearnIBox(arguments.files, arguments.seed);
    const std::vector<EvaluatedTrace> evaluated = EvaluateOn(learned.model, arguments.evaluate);
    WriteIntoPlace(arguments.out, EncodePath(learned.model));
    if (arguments.output.json)
    {
        fmt::print("{}\n", LearnedAsJson(learned, arguments.out, evaluated).dump(2));
    }
    else if (!arguments.output.quiet)
    {
        fmt::print("{}", LearnedText(learned, arguments.out, evaluated));
    }
    return exitDone;
}

std::vector<PathModel>
DrawFamily(const LearnArguments& arguments)
{
    const PathModel model = ReadPathFile(arguments.like);
    try
    {
        return DrawLike(model, static_cast<std::size_t>(arguments.paths), arguments.seed);
    }
    catch (const std::invalid_argument& broken)
    {
        throw ConfigError(arguments.like, "", "", broken.what());
    }
}

int
DrawPaths(const LearnArguments& arguments)
{
    const std::vector<PathModel> drawn = DrawFamily(arguments);
    std::filesystem::create_directories(arguments.out);
    auto list = nlohmann::ordered_json::array();
    TextTable table({"path", "rate", "propagation", "buffer"});
    for (std::size_t i = 0; i < drawn.size(); ++i)
    {
        const std::string file =
            (std::filesystem::path(arguments.out) / fmt::format("path-{}.pb", i + 1)).string();
        WriteIntoPlace(file, EncodePath(drawn[i]));
        list.push_back(PathAsJson(drawn[i], file));
        const PathParameters& path = drawn[i].forward;
        table.AddRow({file, Format(path.rate), Format(path.propagation), Format(path.buffer)});
    }
    if (arguments.output.json)
    {
        fmt::print("{}\n", nlohmann::ordered_json{{"paths", list}}.dump(2));
    }
    else if (!arguments.output.quiet)
    {
        fmt::print("{}", table.Text());
    }
    return exitDone;
}

int
LearnOrDraw(const LearnArguments& arguments)
{
    const bool draws = !arguments.like.empty();
    if (draws != arguments.files.empty())
    {
        throw ConfigError("geotrain learn", "", "", "takes either TRACE... or --like");
    }
    return draws ? DrawPaths(arguments) : LearnPath(arguments);
}

} // namespace

void
AddLearnVerb(CLI::App& app, VerbAction& action)
{
    const auto arguments = std::make_shared<LearnArguments>();
    auto& verb = *app.add_subcommand("learn", "A network path from packet records");
    verb.add_option("TRACE",
                    arguments->files,
                    "Pantheon tunnel logs, CSV send_s,size_bytes,delay_s, packets of a run "
                    "(run.packet_trace), or iBoxNet profiles");
    verb.add_option("--model", arguments->model, "What is learned: ibox, iBoxNet's estimate")
        ->check(CLI::IsMember({"ibox"}))
        ->capture_default_str();
    verb.add_option("--out", arguments->out, "Model file to write; with --like the folder")
        ->required();
    AddRepeated(
        verb, "--evaluate", arguments->evaluate, "TRACE: errors of the path on another record");
    auto* like = verb.add_option(
        "--like", arguments->like, "PATH.pb: draw paths of the family it was made of");
    verb.add_option("--paths", arguments->paths, "Paths to draw")
        ->needs(like)
        ->check(CLI::Range(1, 100000))
        ->capture_default_str();
    verb.add_option("--seed", arguments->seed, "Seed of the paths drawn")->capture_default_str();
    AddOutputOptions(verb, arguments->output);
    verb.footer(R"(
The model file is a link of a scenario: wan_link { from: "a" to: "b" learned: "path.pb" }. Errors compare
what the path predicts for the recorded send times with what was recorded.

Examples:
  geotrain learn cubic.log.gz --out path.pb --evaluate bbr.log.gz
  geotrain learn profiles/*.json --out family.pb
  geotrain learn --like family.pb --paths 20 --out family)");
    verb.callback([arguments, &action]
                  { action = [arguments] { return LearnOrDraw(*arguments); }; });
}

} // namespace geotrain
