// SPDX-License-Identifier: GPL-2.0-only
// The verb `geotrain live` runs a scenario in real time: the kernel's TCP, and the user's programs, over the
// emulated WAN.
#include "cli/live-report.h"
#include "cli/status-line.h"
#include "cli/verb.h"

#include "comparison/job-pool.h"
#include "comparison/schedule-fallback.h"
#include "live-wan/helper/awake-processors.h"
#include "live-wan/helper/own-namespaces.h"
#include "live-wan/helper/rights.h"
#include "live-wan/helper/urgency.h"
#include "live/live-lock.h"
#include "live/live-run.h"
#include "live/node-names.h"
#include "loader/scenario-loader.h"
#include "runner/exit-codes.h"
#include "runner/run-folder.h"
#include "runner/run-info.h"
#include "runner/run-watch.h"
#include "runner/stderr-text.h"
#include "trace/result-file.h"
#include "units/config-error.h"

#include <fmt/format.h>

#include <csignal>
#include <filesystem>
#include <optional>
#include <tuple>
#include <unistd.h>

namespace geotrain
{

namespace
{

/// LiveArguments are the options of the verb.
struct LiveArguments
{
    ScenarioArguments scenario;
    std::vector<std::string> exec;
    std::optional<int> nice;
    std::optional<std::string> shell;
    bool hold = false;
    bool train = false;
    bool clean = false;
    std::vector<std::string> pcap;
    std::string out;
    bool force = false;
    OutputOptions output;
};

NodeProgram
ProgramOf(const std::string& text,
          std::size_t number,
          const WanTopology& topology,
          const std::filesystem::path& folder)
{
    NodeProgram program;
    std::tie(program.nodeName, program.command) = NodeAndCommand(text, topology);
    program.node = NodeCalled(program.nodeName, topology, "--exec");
    program.command = WithAddresses(program.command, topology, "--exec");
    program.output = folder / fmt::format("exec-{}.txt", number);
    return program;
}

/// Reads the options against the topology. The folder of results is not made yet.
LiveOptions
OptionsOf(const LiveArguments& arguments, const WanTopology& topology)
{
    LiveOptions options;
    for (const auto& text : arguments.exec)
    {
        options.programs.push_back(ProgramOf(text, options.programs.size() + 1, topology, {}));
        options.programs.back().nice = arguments.nice;
    }
    if (arguments.shell)
    {
        options.shell = NodeCalled(*arguments.shell, topology, "--shell");
    }
    for (const auto& node : arguments.pcap)
    {
        options.captures.push_back(NodeCalled(node, topology, "--pcap"));
    }
    options.holds = arguments.hold;
    options.runsScenario =
        arguments.train || (arguments.exec.empty() && !arguments.shell && !arguments.hold);
    return options;
}

void
PrintAddresses(const WanTopology& topology)
{
    for (std::uint32_t node = 0; node < topology.NodeCount(); ++node)
    {
        PrintToStderr("{} is {}\n",
                      NameOfNode(node, topology),
                      WithAddresses("{" + NameOfNode(node, topology) + "}", topology, ""));
    }
}

/// Says on stderr which programs failed by themselves. Returns whether one did.
bool
TellOfFailedPrograms(const std::vector<NodeProgram>& programs)
{
    bool anyFailed = false;
    for (const auto& program : programs)
    {
        if (program.exitCode != 0 && !program.isStopped)
        {
            anyFailed = true;
            PrintToStderr("--exec {}: {}: {}; its output is in {}\n",
                          program.nodeName,
                          program.command,
                          program.exitCode > 128
                              ? fmt::format("ended by signal {}", program.exitCode - 128)
                              : fmt::format("exit code {}", program.exitCode),
                          program.output.string());
        }
    }
    return anyFailed;
}

/// Is the first process of the namespaces.
int
RunApart(const LiveArguments& arguments, const Experiment& scenario, LiveOptions options)
{
    const auto folder = options.run.folder;
    LiveResult result;
    {
        StatusLine line(arguments.output.quiet || options.shell || !options.runsScenario);
        options.run.progress = [&](double share) { line.Show(share, scenario.run.name); };
        if (!options.runsScenario && !arguments.output.quiet)
        {
            options.onReady = [&scenario, holds = options.holds]
            {
                PrintAddresses(scenario.testbed.wan);
                PrintToStderr("{}", holds ? "the WAN is up; Ctrl-C ends it\n" : "");
            };
        }
        result = RunLiveScenario(scenario, options);
    }
    WriteIntoPlace(folder / "live.json", LiveReportJson(result).dump(2) + "\n");
    PrintResults(
        arguments.output, LiveJson(result, folder.string()), LiveText(result, folder.string()));
    const auto reason = result.unfinished.empty() ? result.Doubt() : result.unfinished;
    const auto failed = TellOfFailedPrograms(result.programs);
    if (!reason.empty())
    {
        throw UnfinishedRun(reason);
    }
    return failed ? exitProgram : exitDone;
}

/// Says what is left of killed runs: their namespaces, interfaces and processes have no name outside
/// them, so that the kernel has removed them with the run.
int
Clean(const OutputOptions& output)
{
    const LiveLock lock; // no run is under way
    PrintResults(output,
                 {{"left", nlohmann::json::array()}},
                 "nothing is left of earlier live runs: the kernel removes their namespaces, "
                 "interfaces and processes when they end\n");
    return exitDone;
}

int
RunLive(const LiveArguments& arguments)
{
    if (arguments.clean)
    {
        return Clean(arguments.output);
    }
    if (arguments.scenario.name.empty())
    {
        throw ConfigError("live", "", "", "needs a SCENARIO, or --clean");
    }
    const auto text = arguments.scenario.Read();
    const auto scenario = LoadScenario(text, WithFallback(text, arguments.scenario.Assignments()));
    auto options = OptionsOf(arguments, scenario.testbed.wan);
    RequireLive(scenario, options.runsScenario);
    const LiveLock lock;
    CatchInterrupts(); // before there is a folder, so that it says how its run ended
    options.run.folder = MakeRunFolder(arguments.out, scenario.run.name, arguments.force);
    options.run.commandLine = arguments.output.commandLine;
    const RunInfo info(options.run.folder,
                       scenario.run.name,
                       {static_cast<std::int64_t>(scenario.run.seed)},
                       arguments.output.commandLine,
                       {{}, scenario.provenance.libraries});
    WriteIntoPlace(options.run.folder / "scenario.textproto", ResolvedText(scenario.provenance));
    for (auto& program : options.programs)
    {
        program.output = options.run.folder / program.output;
        RecordInPlace(program.output);
    }
    const ns3::AwakeProcessors processors;
    ns3::SetUrgency(ns3::Urgency::Wan); // which may not be allowed later, in namespaces
    auto process = ns3::StartApart(
        "live", [&] { return ExitCodeOf([&] { return RunApart(arguments, scenario, options); }); });
    ns3::SetUrgency(ns3::Urgency::Ordinary);
    ns3::DropRights(); // this process only waits
    // A signal of `kill` comes here alone, and Ctrl-C to both.
    const int code = WaitAndForward(process, SIGINT);
    info.Finish(code > 128 ? exitUnfinished : code);
    if (code > 128)
    {
        throw UnfinishedRun(fmt::format("the live run was killed by signal {}", code - 128));
    }
    return code;
}

} // namespace

void
AddLiveVerb(VerbList& verbs)
{
    auto [verb, arguments] =
        verbs.Add("live", "Run a scenario in real time over the kernel's TCP", RunLive);
    auto* scenario = AddScenario(verb, arguments.scenario);
    AddSetOption(verb, arguments.scenario);
    AddFieldOption(verb, arguments.scenario, "--seed", "run.seed", "The same as --set run.seed=N");
    AddFieldOption(verb,
                   arguments.scenario,
                   "--scale",
                   "run.scale",
                   "N: divide rates, windows and messages by N, and keep times; the same as --set "
                   "run.scale=N");
    AddRepeated(
        verb,
        "--exec",
        arguments.exec,
        "'NODE: COMMAND': run a command in a node, such as 'dc-a/0: iperf3 -s'; the run ends "
        "with the last one");
    verb.add_option("--nice",
                    arguments.nice,
                    "Nice value of the programs of --exec, -20 (first) to 19; below 0 needs root; "
                    "default: that of the run")
        ->check(CLI::Range(-20, 19));
    auto* shell = verb.add_option("--shell", arguments.shell, "NODE: open a shell in a node");
    verb.add_flag(
            "--hold", arguments.hold, "Keep the WAN up until Ctrl-C; a shell does until it ends")
        ->excludes(shell); // which would leave the terminal to its own process group
    verb.add_flag("--train",
                  arguments.train,
                  "Run the scenario's iterations also where --exec, --shell or --hold is given");
    AddRepeated(verb, "--pcap", arguments.pcap, "NODE: record its frames in NODE.pcap");
    verb.add_flag("--clean", arguments.clean, "Make sure that nothing is left of killed runs")
        ->excludes(scenario);
    AddResultOptions(verb, arguments.out, arguments.force);
    AddOutputOptions(verb, arguments.output);
    verb.footer(R"(
Each node is a network namespace with the kernel's own TCP, and the WAN between them is the
scenario's, in real time. Without --exec, --shell and --hold the nodes run the scenario's iterations
or transfers, and the folder of results is that of `geotrain run`, with live.json beside it: how late
packets left. A run that could not keep up says so and exits with 2; where a program of --exec fails by
itself, a line says so and the exit code is 4. {NODE} in a command is the
node's address. Root is not needed where the kernel allows user namespaces, and nothing leaves the
machine.

Examples:
  geotrain live three-dc-gpt --scale 50
  geotrain live three-dc-gpt --scale 50 --exec 'dc-a/0: iperf3 -s' \
      --exec 'dc-b/0: iperf3 -c {dc-a/0}'
  geotrain live three-dc-gpt --scale 50 --shell dc-a/0
  geotrain live three-dc-gpt --scale 50 --hold)");
}

} // namespace geotrain
