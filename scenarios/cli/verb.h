// SPDX-License-Identifier: GPL-2.0-only
// Declares what the verbs of the geotrain program share: how each adds itself to the command line,
// and the options that they have in common.
#pragma once

#include "loader/scenario-text.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

namespace geotrain
{

/// A VerbAction runs the chosen verb. It returns the exit code, or throws an exception that
/// ExitCodeOf() knows.
using VerbAction = std::function<int()>;

/// OutputOptions are the options of every verb.
struct OutputOptions
{
    bool quiet = false; ///< no tables, no progress
    bool json = false;  ///< one JSON object instead of tables
};

/// Adds --quiet and --json.
void AddOutputOptions(CLI::App& verb, OutputOptions& options);

/// Adds an option that may be given several times, with one value each time.
CLI::Option* AddRepeated(CLI::App& verb,
                         const std::string& name,
                         std::vector<std::string>& values,
                         const std::string& help);

/// Adds --load, which may be given several times.
CLI::Option* AddLoadOption(CLI::App& verb, std::vector<std::string>& libraries);

/// Loads the libraries of --load, then reads the scenario. Throws ConfigError.
ScenarioText ReadScenarioWith(const std::vector<std::string>& libraries,
                              const std::string& nameOrPath);

/// Returns the names that `geotrain list KIND` lists; none for an unknown kind.
std::vector<std::string> ListedNames(const std::string& kind);

// Each function adds its verb to `app`; parsing sets `action` when the verb is chosen.
void AddRunVerb(CLI::App& app, VerbAction& action, const std::string& commandLine);
void AddCompareVerb(CLI::App& app, VerbAction& action, const std::string& commandLine);
void AddPlanVerb(CLI::App& app, VerbAction& action, const std::string& commandLine);
void AddCheckVerb(CLI::App& app, VerbAction& action);
void AddLiveVerb(CLI::App& app, VerbAction& action, const std::string& commandLine);
void AddListVerb(CLI::App& app, VerbAction& action);
void AddFiguresVerb(CLI::App& app, VerbAction& action, const std::string& commandLine);
void AddExportVerb(CLI::App& app, VerbAction& action);
void AddTransferVerb(CLI::App& app, VerbAction& action);
void AddTimingVerb(CLI::App& app, VerbAction& action);
void AddFitGpuVerb(CLI::App& app, VerbAction& action);
void AddLearnVerb(CLI::App& app, VerbAction& action);
void AddScheduleVerb(CLI::App& app, VerbAction& action, const std::string& commandLine);

} // namespace geotrain
