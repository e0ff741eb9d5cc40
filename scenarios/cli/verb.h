// SPDX-License-Identifier: GPL-2.0-only
// Declares what the verbs of the geotrain program share: how each adds itself to the command line,
// the options that they have in common, and how they print their results.
#pragma once

#include "loader/assignment.h"
#include "loader/scenario-text.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace geotrain
{

/// A VerbAction runs the chosen verb. It returns the exit code, or throws an exception that
/// ExitCodeOf() knows.
using VerbAction = std::function<int()>;

/// OutputOptions are the options of every verb.
struct OutputOptions
{
    bool quiet = false;           ///< no tables, no progress
    bool json = false;            ///< one JSON object instead of tables
    std::string commandLine = {}; ///< the program's whole command line, as a shell takes it again
};

/// VerbList adds verbs to the command line, and knows what the chosen one does.
struct VerbList
{
    CLI::App& app;
    std::string commandLine;
    VerbAction action = {}; ///< set by parsing

    /// Adds a verb. Its options put their values into the arguments that are returned, with which
    /// `work` is called. Arguments have a member `output` of OutputOptions.
    template <typename Arguments>
    std::pair<CLI::App&, Arguments&>
    Add(const std::string& name, const std::string& help, int (*work)(const Arguments&))
    {
        const auto arguments = std::make_shared<Arguments>();
        arguments->output.commandLine = commandLine;
        auto& verb = *app.add_subcommand(name, help);
        verb.callback([this, arguments, work]
                      { action = [arguments, work] { return work(*arguments); }; });
        return {verb, *arguments};
    }
};

/// Adds --quiet and --json.
void AddOutputOptions(CLI::App& verb, OutputOptions& options);

/// Prints a verb's results: `json` with --json, else `text` unless --quiet.
void PrintResults(const OutputOptions& options,
                  const nlohmann::ordered_json& json,
                  const std::string& text);

/// Prints `quantities`, an object of numbers and texts, as a verb's results; the table has a row
/// per quantity.
void PrintQuantities(const nlohmann::ordered_json& quantities, const OutputOptions& options);

/// Adds an option that may be given several times, with one value each time.
CLI::Option* AddRepeated(CLI::App& verb,
                         const std::string& name,
                         std::vector<std::string>& values,
                         const std::string& help);

/// Adds --load, which may be given several times.
CLI::Option* AddLoadOption(CLI::App& verb, std::vector<std::string>& libraries);

/// Adds --ns3, which may be given several times.
CLI::Option* AddNs3Option(CLI::App& verb, std::vector<std::string>& defaults);

/// ScenarioArguments are the options of a verb that loads a scenario.
struct ScenarioArguments
{
    std::string name; ///< or path
    std::vector<std::string> sets;
    std::vector<Assignment> fields; ///< of options that stand for a field, such as --seed
    std::vector<std::string> load;

    /// Returns the assignments of --set, and behind them those of `fields`.
    std::vector<Assignment> Assignments() const;

    /// Loads the libraries of --load, then reads the scenario. Throws ConfigError.
    ScenarioText Read() const;
};

/// Adds the positional SCENARIO.
CLI::Option* AddScenario(CLI::App& verb, ScenarioArguments& scenario);

/// Adds --set, which may be given several times.
CLI::Option* AddSetOption(CLI::App& verb,
                          ScenarioArguments& scenario,
                          const std::string& help = "change a field of the scenario");

/// Adds an option whose value is that of the scenario's field `path`.
CLI::Option* AddFieldOption(CLI::App& verb,
                            ScenarioArguments& scenario,
                            const std::string& name,
                            const std::string& path,
                            const std::string& help);

/// Adds --out, which may not be empty.
CLI::Option* AddOutOption(CLI::App& verb, std::string& out, const std::string& help);

/// Adds --out for a folder of results, and --force.
void AddResultOptions(CLI::App& verb,
                      std::string& out,
                      bool& force,
                      const std::string& place = "results/<name>-<n>");

/// Adds --network.
CLI::Option* AddNetworkOption(CLI::App& verb, ScenarioArguments& scenario);

/// Returns how many runs go side by side unless --jobs says otherwise: one per core.
unsigned DefaultJobs();

/// Returns the names that `geotrain list KIND` lists; none for an unknown kind.
std::vector<std::string> ListedNames(const std::string& kind);

// Each function adds its verb.
void AddRunVerb(VerbList& verbs);
void AddCompareVerb(VerbList& verbs);
void AddPlanVerb(VerbList& verbs);
void AddCheckVerb(VerbList& verbs);
void AddLiveVerb(VerbList& verbs);
void AddListVerb(VerbList& verbs);
void AddFiguresVerb(VerbList& verbs);
void AddExportVerb(VerbList& verbs);
void AddTransferVerb(VerbList& verbs);
void AddTimingVerb(VerbList& verbs);
void AddFitGpuVerb(VerbList& verbs);
void AddLearnVerb(VerbList& verbs);
void AddImportVerb(VerbList& verbs);
void AddScheduleVerb(VerbList& verbs);

} // namespace geotrain
