#include "program/verb.h"

#include "figures/run-figures.h"
#include "loader/nearest-names.h"
#include "program/schedule-picture.h"
#include "program/schedule-run.h"
#include "runner/exit-codes.h"
#include "runner/run-folder.h"
#include "schedule/schedule-catalogue.h"
#include "units/config-error.h"
#include "units/quantity-parser.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace geotrain
{

namespace
{

constexpr std::size_t pictureColumns = 160;
constexpr std::size_t longestPrintedOrder = 64; // operations of a stage

struct ScheduleArguments
{
    std::string name;
    std::uint32_t stages = 0;
    std::uint32_t microbatches = 0;
    std::uint32_t warmupFactor = 1;
    std::string forward;
    std::string backward;
    std::string weight = "0";
    std::string recompute = "0";
    std::string hop = "0";
    std::string hops;
    std::string out;
    bool force = false;
    OutputOptions output;
};

Duration
DurationOf(const std::string& option, const std::string& text)
{
    try
    {
        const auto span = ParseDuration(text);
        if (span < Duration())
        {
            throw std::invalid_argument("must be >= 0");
        }
        if (span > Duration::Seconds(86400))
        {
            throw std::invalid_argument("must be <= 24h");
        }
        return span;
    }
    catch (const std::invalid_argument& broken)
    {
        throw ConfigError(option, "", text, broken.what());
    }
}

std::vector<Duration>
HopsOf(const ScheduleArguments& arguments)
{
    if (arguments.hops.empty())
    {
        return std::vector<Duration>(arguments.stages - 1, DurationOf("--hop", arguments.hop));
    }
    std::vector<Duration> hops;
    std::istringstream list(arguments.hops);
    std::string hop;
    while (std::getline(list, hop, ','))
    {
        hops.push_back(DurationOf("--hops", hop));
    }
    if (hops.size() + 1 != arguments.stages)
    {
        throw ConfigError(
            "--hops",
            "",
            arguments.hops,
            fmt::format("must have {} delays, one between each two stages", arguments.stages - 1));
    }
    return hops;
}

ScheduleRunRequest
RequestOf(const ScheduleArguments& arguments)
{
    if (FindSchedule(arguments.name) == nullptr)
    {
        std::vector<std::string> names;
        for (const auto& schedule : ScheduleCatalogue())
        {
            names.push_back(schedule.name);
        }
        throw ConfigError(
            "schedule", "", arguments.name, UnknownName("schedule", arguments.name, names));
    }
    constexpr std::uint64_t mostComputations = 5000000;
    if (std::uint64_t{arguments.stages} * arguments.microbatches > mostComputations)
    {
        throw ConfigError("--microbatches",
                          "",
                          std::to_string(arguments.microbatches),
                          "must be small enough for stages x microbatches <= 5000000");
    }
    ScheduleRunRequest request;
    request.name = arguments.name;
    request.shape = {arguments.stages, arguments.microbatches, arguments.warmupFactor};
    request.timing.forward = DurationOf("--forward", arguments.forward);
    request.timing.recompute = DurationOf("--recompute", arguments.recompute);
    request.timing.backwardInput = DurationOf("--backward", arguments.backward);
    request.timing.backwardWeight = DurationOf("--weight", arguments.weight);
    request.hops = HopsOf(arguments);
    return request;
}

void
PrintJson(const ScheduleArguments& arguments, const ScheduleRunResult& result)
{
    nlohmann::ordered_json object;
    object["schedule"] = arguments.name;
    object["stages"] = arguments.stages;
    object["microbatches"] = arguments.microbatches;
    object["makespan_s"] = result.makespan.ToSeconds();
    object["bubble_rate"] = result.bubbleRate;
    object["peak_activations"] =
        *std::max_element(result.peakActivations.begin(), result.peakActivations.end());
    object["peak_activations_by_stage"] = result.peakActivations;
    auto orders = nlohmann::ordered_json::array();
    for (const auto& order : result.order.stages)
    {
        orders.push_back(OrderText(order));
    }
    object["order"] = orders;
    fmt::print("{}\n", object.dump(2));
}

void
PrintText(const ScheduleArguments& arguments, const ScheduleRunResult& result)
{
    fmt::print("{}, {} stages, {} microbatches\n",
               arguments.name,
               arguments.stages,
               arguments.microbatches);
    fmt::print("makespan          {}\n", Format(result.makespan));
    fmt::print("bubble rate       {:.4f}\n", result.bubbleRate);
    fmt::print("peak activations  {}  (by stage: {})\n",
               *std::max_element(result.peakActivations.begin(), result.peakActivations.end()),
               fmt::join(result.peakActivations, " "));
    for (std::size_t stage = 0; stage < result.order.stages.size(); ++stage)
    {
        auto order = result.order.stages[stage];
        const bool cut = order.size() > longestPrintedOrder;
        order.resize(std::min(order.size(), longestPrintedOrder));
        fmt::print("order of stage {:>3}: {}{}\n", stage, OrderText(order), cut ? " ..." : "");
    }
    fmt::print("{}", SchedulePicture(result, pictureColumns));
}

int
Schedule(const ScheduleArguments& arguments)
{
    const auto request = RequestOf(arguments);
    std::filesystem::path folder;
    if (!arguments.out.empty())
    {
        folder = MakeRunFolder(arguments.out, arguments.name, arguments.force);
    }
    ScheduleRunResult result;
    try
    {
        result = RunSchedule(request, folder.empty() ? folder : folder / "trace.pb");
    }
    catch (const std::invalid_argument& broken)
    {
        throw ConfigError("schedule", "", arguments.name, broken.what());
    }
    if (!folder.empty())
    {
        DrawRunFigures(folder / "trace.pb", folder);
    }
    if (arguments.output.json)
    {
        PrintJson(arguments, result);
    }
    else if (!arguments.output.quiet)
    {
        PrintText(arguments, result);
    }
    return exitDone;
}

} // namespace

void
AddScheduleVerb(CLI::App& app, VerbAction& action)
{
    const auto arguments = std::make_shared<ScheduleArguments>();
    auto& verb = *app.add_subcommand("schedule", "One pipeline schedule by itself");
    verb.add_option("NAME", arguments->name, "A name of `list schedules`")->required();
    verb.add_option("--stages", arguments->stages, "Pipeline stages")
        ->required()
        ->check(CLI::Range(1, 10000));
    verb.add_option("--microbatches", arguments->microbatches, "Microbatches of an iteration")
        ->required()
        ->check(CLI::Range(1, 1000000));
    verb.add_option("--forward", arguments->forward, "Time of a forward")->required();
    verb.add_option("--backward", arguments->backward, "Time of a backward of the inputs")
        ->required();
    verb.add_option("--weight", arguments->weight, "Time of a weight gradient; default 0");
    verb.add_option("--recompute", arguments->recompute, "Time of a recomputation; default 0");
    auto* hop = verb.add_option("--hop", arguments->hop, "Delay between neighbours; default 0");
    verb.add_option("--hops", arguments->hops, "A,B,...: the delay between each two stages")
        ->excludes(hop);
    verb.add_option(
            "--warmup-factor", arguments->warmupFactor, "1f1b: times as many warm-up forwards")
        ->check(CLI::Range(1, 1000));
    verb.add_option("--out", arguments->out, "Folder for the trace and the picture as PNG and PDF");
    verb.add_flag("--force", arguments->force, "Replace results that are in the folder");
    AddOutputOptions(verb, arguments->output);
    verb.footer(R"(
A hop is a delay and occupies no GPU. The numbers come from the executor that runs every scenario. The
bubble rate is the idle share of all GPUs' time over the makespan.

Examples:
  geotrain schedule gpipe --stages 4 --microbatches 8 --forward 10ms --backward 20ms
  geotrain schedule 1f1b --stages 8 --microbatches 24 --forward 18.5ms --backward 18.1ms --weight 9.3ms --hop 0.6ms
  geotrain schedule 1f1b --stages 3 --microbatches 6 --forward 1ms --backward 2ms --hops 5ms,20ms --json)");
    verb.callback([arguments, &action] { action = [arguments] { return Schedule(*arguments); }; });
}

} // namespace geotrain
