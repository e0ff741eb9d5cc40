// SPDX-License-Identifier: GPL-2.0-only
// The verb `geotrain schedule` runs one pipeline schedule by itself.
#include "cli/quantity-options.h"
#include "cli/verb.h"

#include "cli/schedule-picture.h"
#include "cli/schedule-run.h"
#include "cli/terminal-width.h"
#include "comparison/text-table.h"
#include "figures/run-figures.h"
#include "loader/catalogue-names.h"
#include "runner/exit-codes.h"
#include "runner/run-folder.h"
#include "runner/run-info.h"
#include "schedule/custom-order.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <stdexcept>

namespace geotrain
{

namespace
{

constexpr std::size_t mostPictureColumns = 160;
constexpr std::size_t longestPrintedOrder = 64; // operations per stage

/// ScheduleArguments are the options of the verb.
struct ScheduleArguments
{
    ScheduleRunRequest request; ///< its times are read from the texts
    std::string forward;
    std::string backward;
    std::string weight = "0";
    std::string recompute = "0";
    std::string hop = "0";
    std::string hops;
    std::string turn = "0";
    std::string overlapped;
    std::string orders;
    std::string out;
    bool force = false;
    OutputOptions output;
};

Duration
TimeOption(const std::string& option, const std::string& text)
{
    return DurationOption(option, text, Duration(), Duration::Seconds(86400));
}

std::vector<Duration>
HopsOf(const std::string& all, const std::string& each, std::uint32_t stages)
{
    if (each.empty())
    {
        return {TimeOption("--hop", all)};
    }
    std::vector<Duration> hops;
    std::istringstream list(each);
    std::string hop;
    while (std::getline(list, hop, ','))
    {
        hops.push_back(TimeOption("--hops", hop));
    }
    if (hops.size() + 1 != stages)
    {
        throw ConfigError(
            "--hops",
            "",
            each,
            fmt::format("must have {} delays, one between each two stages", stages - 1));
    }
    return hops;
}

/// Takes the order from --orders. --stages and --microbatches must agree with it where they are
/// given.
void
UseOwnOrder(ScheduleRunRequest& request, const std::string& file)
{
    const CustomOrder own = ReadOrder(file);
    const auto workers = static_cast<std::uint32_t>(own.order.stages.size());
    const auto set = [&file](const char* option, std::uint32_t& given, std::uint32_t is)
    {
        if (given != 0 && given != is)
        {
            throw ConfigError(option,
                              "",
                              std::to_string(given),
                              fmt::format("must be {}, as {} has it", is, file));
        }
        given = is;
    };
    set("--stages", request.shape.stages, workers);
    set("--microbatches", request.shape.microbatches, own.microbatches);
    request.shape.virtualStages = own.order.StageCount() / workers;
    request.ownOrder = own.order;
}

void
CheckShape(const ScheduleShape& shape)
{
    for (const auto& [option, given] :
         {std::pair("--stages", shape.stages), std::pair("--microbatches", shape.microbatches)})
    {
        if (given == 0)
        {
            throw ConfigError(option, "", "", "must be set, or --orders");
        }
    }
    constexpr std::uint64_t mostComputations = 5000000;
    if (std::uint64_t{shape.stages} * shape.microbatches * shape.cellSize * shape.virtualStages >
        mostComputations)
    {
        throw ConfigError("--microbatches",
                          "",
                          std::to_string(shape.microbatches),
                          "must be small enough for stages x microbatches x virtual stages x cells "
                          "<= 5000000");
    }
}

ScheduleRunRequest
RequestOf(const ScheduleArguments& arguments)
{
    ScheduleRunRequest request = arguments.request;
    if (!arguments.orders.empty())
    {
        UseOwnOrder(request, arguments.orders);
    }
    else
    {
        request.name = ScheduleNamed(request.name, "", {"schedule", ""}).name;
    }
    CheckShape(request.shape);
    request.timing.forward = TimeOption("--forward", arguments.forward);
    request.timing.recompute = TimeOption("--recompute", arguments.recompute);
    request.timing.backwardInput = TimeOption("--backward", arguments.backward);
    request.timing.backwardWeight = TimeOption("--weight", arguments.weight);
    request.turn = TimeOption("--turn", arguments.turn);
    if (!arguments.overlapped.empty())
    {
        request.overlappedBlock = TimeOption("--overlapped", arguments.overlapped);
    }
    request.hops = HopsOf(arguments.hop, arguments.hops, request.shape.stages);
    return request;
}

std::uint32_t
LargestPeak(const ScheduleRunResult& result)
{
    return *std::max_element(result.peakActivations.begin(), result.peakActivations.end());
}

void
AddNoFlush(const ScheduleRunResult& result, nlohmann::ordered_json& object)
{
    const NoFlush& rule = *result.order.noFlush;
    object["iteration_time_s"] = result.steadyIteration.ToSeconds();
    object["staleness_updates"] =
        *std::max_element(rule.forwardStaleness.begin(), rule.forwardStaleness.end());
    object["staleness_updates_by_stage"] = rule.forwardStaleness;
    object["extra_weight_copies"] = rule.extraWeightCopies;
}

void
AddRival(const StaticRival& rival, nlohmann::ordered_json& object)
{
    object["own_makespan_s"] = rival.ownMakespan.ToSeconds();
    object["fallback"] = rival.name;
    object["fallback_makespan_s"] = rival.makespan.ToSeconds();
    object["fallback_used"] = rival.isUsed;
}

nlohmann::ordered_json
JsonOf(const ScheduleRunRequest& request, const ScheduleRunResult& result)
{
    nlohmann::ordered_json object;
    object["schedule"] = request.name;
    object["stages"] = request.shape.stages;
    object["virtual_stages"] = result.order.StageCount() / request.shape.stages;
    object["microbatches"] = request.shape.microbatches;
    object["makespan_s"] = result.makespan.ToSeconds();
    object["bubble_rate"] = result.bubbleRate;
    object["peak_activations"] = LargestPeak(result);
    object["peak_activations_by_stage"] = result.peakActivations;
    if (result.order.noFlush)
    {
        AddNoFlush(result, object);
    }
    if (result.order.rival)
    {
        AddRival(*result.order.rival, object);
    }
    auto orders = nlohmann::ordered_json::array();
    for (std::uint32_t worker = 0; worker < result.order.stages.size(); ++worker)
    {
        orders.push_back(OrderText(result.order, worker));
    }
    object["order"] = orders;
    return object;
}

std::string
NoFlushText(const ScheduleRunResult& result)
{
    const NoFlush& rule = *result.order.noFlush;
    const auto most = *std::max_element(rule.forwardStaleness.begin(), rule.forwardStaleness.end());
    return fmt::format("iteration time    {}  (steady state, without flush)\n",
                       TimeText(result.steadyIteration)) +
           Labelled(fmt::format("weight staleness  {:.3g} updates  ", most),
                    fmt::format("(by stage: {:.3g})", fmt::join(rule.forwardStaleness, " ")),
                    TableColumns()) +
           fmt::format("extra memory      {} more cop{} of the weights\n",
                       rule.extraWeightCopies,
                       rule.extraWeightCopies == 1 ? "y" : "ies");
}

std::string
RivalText(const StaticRival& rival)
{
    const auto fallBack = rival.name.empty()
                              ? "none fits the memory"
                              : fmt::format("{} ({}){}",
                                            TimeText(rival.makespan),
                                            rival.name,
                                            rival.isUsed ? ", which runs: the search finds "
                                                           "nothing faster"
                                                         : "");
    return fmt::format("own schedule      {}\n", TimeText(rival.ownMakespan)) +
           Labelled("fall-back         ", fallBack, TableColumns());
}

std::string
TextOf(const ScheduleRunRequest& request, const ScheduleRunResult& result)
{
    std::string text = fmt::format("{}, {} stages, {} microbatches\n"
                                   "makespan          {}\n"
                                   "bubble rate       {:.4f}\n",
                                   request.name,
                                   result.order.StageCount(),
                                   request.shape.microbatches,
                                   TimeText(result.makespan),
                                   result.bubbleRate);
    text += Labelled(fmt::format("peak activations  {}  ", LargestPeak(result)),
                     fmt::format("(by stage: {})", fmt::join(result.peakActivations, " ")),
                     TableColumns());
    text += result.order.noFlush ? NoFlushText(result) : "";
    text += result.order.rival ? RivalText(*result.order.rival) : "";
    const auto* label = result.order.stagesOfWorker.empty() ? "stage" : "worker";
    for (std::uint32_t worker = 0; worker < result.order.stages.size(); ++worker)
    {
        ScheduleOrder shown = result.order;
        auto& order = shown.stages[worker];
        const bool cut = order.size() > longestPrintedOrder;
        order.resize(std::min(order.size(), longestPrintedOrder));
        text += Labelled(fmt::format("order of {} {:>3}: ", label, worker),
                         OrderText(shown, worker) + (cut ? " ..." : ""),
                         TableColumns());
    }
    constexpr std::size_t columnsOfLabel = 13; // "worker   0 |" on the left, "|" on the right
    return text +
           SchedulePicture(result, std::min(mostPictureColumns, TableColumns() - columnsOfLabel));
}

int
Schedule(const ScheduleArguments& arguments)
{
    const auto request = RequestOf(arguments);
    std::filesystem::path folder;
    std::optional<RunInfo> info;
    if (!arguments.out.empty())
    {
        folder = MakeRunFolder(arguments.out, request.name, arguments.force);
        info.emplace(folder,
                     request.name,
                     std::vector<std::int64_t>{},
                     arguments.output.commandLine,
                     RunEnvironment{});
    }
    ScheduleRunResult result;
    try
    {
        result = RunSchedule(request, folder.empty() ? folder : folder / "trace.pb");
    }
    catch (const std::invalid_argument& broken)
    {
        throw ConfigError("schedule", "", request.name, broken.what());
    }
    if (!folder.empty())
    {
        TraceReader reader((folder / "trace.pb").string());
        DrawRunFigures(RunTally(reader), folder);
        info->Finish(exitDone);
    }
    auto object = JsonOf(request, result);
    auto text = TextOf(request, result);
    if (!folder.empty())
    {
        const auto picture = (folder / "timeline.png").string();
        object["picture"] = picture;
        text += "picture in " + picture + "\n";
    }
    PrintResults(arguments.output, object, text);
    return exitDone;
}

std::string
ScheduleFooter()
{
    return R"(
Times are of a microbatch in one stage; a worker with V virtual stages runs each V times. A hop is a delay and
occupies no GPU. The numbers come from the executor that runs every scenario.

The bubble rate is (cost - work) / cost: the cost is the longest over the workers of the span from its first
operation's start to its last one's end, the work is what it computes. An activation counts from its forward's
start to its last backward's end; under )" +
           NamesOfSchedules(&ScheduleEntry::givesHalfBack) +
           R"( half of one counts between input and weight gradient, as in its paper.
Without flush ()" +
           NamesOfSchedules(&ScheduleEntry::isAsynchronous) +
           R"() iterations overlap: the makespan is the first one's, the bubble rate that of
one in the steady state.

A row of --orders is a worker, blanks are idle, "2B0" is stage 2, input gradient, microbatch 0. NAME is then a name
of your own.

Examples:
  geotrain schedule gpipe --stages 4 --microbatches 8 --forward 10ms --backward 20ms
  geotrain schedule 1f1b --stages 8 --microbatches 24 --forward 18.5ms --backward 18.1ms --weight 9.3ms --hop 0.6ms
  geotrain schedule 1f1b --stages 3 --microbatches 6 --forward 1ms --backward 2ms --hops 5ms,20ms --json
  geotrain schedule zb-v --stages 4 --microbatches 16 --forward 10ms --backward 10ms --weight 10ms
  geotrain schedule cross-dc --stages 4 --microbatches 16 --forward 10ms --backward 10ms --weight 8ms --hop 20ms --memory-cap 8
  geotrain schedule atlas --stages 3 --microbatches 16 --forward 10ms --backward 20ms --hop 40ms --cells 4 --turn 3ms
  geotrain schedule mine --orders orders.csv --forward 10ms --backward 10ms --weight 10ms)";
}

} // namespace

void
AddScheduleVerb(VerbList& verbs)
{
    auto [verb, arguments] = verbs.Add("schedule", "One pipeline schedule by itself", Schedule);
    auto& shape = arguments.request.shape;
    shape.stages = 0; // must be given, or taken from --orders
    shape.microbatches = 0;
    verb.add_option("NAME", arguments.request.name, "A name of `list schedules`")->required();
    verb.add_option("--stages", shape.stages, "Workers of the pipeline")
        ->check(CLI::Range(1, 10000));
    verb.add_option("--microbatches", shape.microbatches, "Microbatches of an iteration")
        ->check(CLI::Range(1, 1000000));
    verb.add_option(
            "--virtual-stages", shape.virtualStages, "Stages that a worker hosts; default 1")
        ->check(CLI::Range(1, 1000));
    verb.add_option("--memory-cap",
                    shape.memoryCap,
                    "Activations of stages that a worker may hold; default: the schedule's own")
        ->check(CLI::Range(1, 1000000));
    verb.add_option("--cells",
                    shape.cellSize,
                    NamesOfSchedules(&ScheduleEntry::knowsTurns) +
                        ": pipelines of a DP-cell that take turns")
        ->check(CLI::Range(1, 1000));
    verb.add_option("--turn",
                    arguments.turn,
                    "Time that a message occupies its hop, one after another; default 0");
    verb.add_option("--overlapped",
                    arguments.overlapped,
                    NamesOfSchedules(&ScheduleEntry::overlapsBlocks) +
                        ": time of a forward and a backward as one; default: their sum");
    verb.add_option("--orders", arguments.orders, "CSV of an order of your own, instead of NAME's");
    verb.add_option("--forward", arguments.forward, "Time of a forward")->required();
    verb.add_option("--backward", arguments.backward, "Time of a backward of the inputs")
        ->required();
    verb.add_option("--weight", arguments.weight, "Time of a weight gradient; default 0");
    verb.add_option("--recompute", arguments.recompute, "Time of a recomputation; default 0");
    auto* hop = verb.add_option("--hop", arguments.hop, "Delay between neighbours; default 0");
    verb.add_option("--hops", arguments.hops, "A,B,...: the delay between each two stages")
        ->excludes(hop);
    verb.add_option("--warmup-factor",
                    shape.warmupFactor,
                    NamesOfSchedules(&ScheduleEntry::deepensWarmUp) +
                        ": times as many warm-up forwards")
        ->check(CLI::Range(1, 1000));
    AddResultOptions(
        verb, arguments.out, arguments.force, "none; it takes the trace and the picture");
    AddOutputOptions(verb, arguments.output);
    verb.footer(ScheduleFooter());
}

} // namespace geotrain
