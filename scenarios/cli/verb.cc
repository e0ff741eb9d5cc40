// SPDX-License-Identifier: GPL-2.0-only
#include "cli/verb.h"

#include "cli/stdout-text.h"
#include "cli/terminal-width.h"

#include "comparison/text-table.h"
#include "loader/control-library.h"
#include "loader/network-kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace geotrain
{

void
AddOutputOptions(CLI::App& verb, OutputOptions& options)
{
    verb.add_flag("--quiet", options.quiet, "No table and no progress on the terminal");
    verb.add_flag("--json", options.json, "One JSON object on stdout instead of a table");
}

void
PrintResults(const OutputOptions& options,
             const nlohmann::ordered_json& json,
             const std::string& text)
{
    if (options.json)
    {
        PrintToStdout(json.dump(2) + "\n");
    }
    else if (!options.quiet)
    {
        PrintToStdout(text);
    }
}

void
PrintQuantities(const nlohmann::ordered_json& quantities, const OutputOptions& options)
{
    TextTable table({"quantity", "value"});
    for (const auto& [name, value] : quantities.items())
    {
        table.AddRow({name,
                      value.is_number_float() ? ShortNumber(value.get<double>())
                      : value.is_string()     ? value.get<std::string>()
                                              : value.dump()});
    }
    PrintResults(options, quantities, table.Text(TableColumns()));
}

CLI::Option*
AddRepeated(CLI::App& verb,
            const std::string& name,
            std::vector<std::string>& values,
            const std::string& help)
{
    return verb.add_option(name, values, help)->allow_extra_args(false);
}

CLI::Option*
AddLoadOption(CLI::App& verb, std::vector<std::string>& libraries)
{
    return AddRepeated(
        verb,
        "--load",
        libraries,
        "LIBRARY.so: load congestion controls of your own (see scenarios/reference.md)");
}

CLI::Option*
AddNs3Option(CLI::App& verb, std::vector<std::string>& defaults)
{
    return AddRepeated(
        verb,
        "--ns3",
        defaults,
        "NAME=VALUE: change a default of ns-3, or of bulk-tcp (`list tcp-settings`)");
}

std::vector<Assignment>
ScenarioArguments::Assignments() const
{
    std::vector<Assignment> assignments;
    for (const auto& set : sets)
    {
        assignments.push_back({set, "--set"});
    }
    assignments.insert(assignments.end(), fields.begin(), fields.end());
    return assignments;
}

ScenarioText
ScenarioArguments::Read() const
{
    const auto loaded = LoadControlLibraries(load);
    auto text = ReadScenarioText(name);
    text.libraries = loaded;
    return text;
}

CLI::Option*
AddOutOption(CLI::App& verb, std::string& out, const std::string& help)
{
    const auto isNamed = [](const std::string& text)
    { return text.empty() ? std::string("must not be empty") : std::string(); };
    return verb.add_option("--out", out, help)->check(CLI::Validator(isNamed, ""));
}

void
AddResultOptions(CLI::App& verb, std::string& out, bool& force, const std::string& place)
{
    AddOutOption(verb, out, "Folder of the results; default " + place);
    verb.add_flag(
        "--force",
        force,
        "Remove earlier results that are in the folder; what geotrain did not write is kept");
}

CLI::Option*
AddScenario(CLI::App& verb, ScenarioArguments& scenario)
{
    return verb.add_option(
        "SCENARIO", scenario.name, "A .textproto file, or a name of `list scenarios`");
}

CLI::Option*
AddSetOption(CLI::App& verb, ScenarioArguments& scenario, const std::string& help)
{
    return AddRepeated(verb, "--set", scenario.sets, "PATH=VALUE: " + help);
}

CLI::Option*
AddFieldOption(CLI::App& verb,
               ScenarioArguments& scenario,
               const std::string& name,
               const std::string& path,
               const std::string& help)
{
    return verb.add_option_function<std::string>(
        name,
        [&scenario, name, path](const std::string& value) {
            scenario.fields.push_back({path + "=" + value, name});
        },
        help);
}

CLI::Option*
AddNetworkOption(CLI::App& verb, ScenarioArguments& scenario)
{
    return verb
        .add_option_function<std::string>(
            "--network",
            [&scenario](const std::string& name) {
                scenario.fields.push_back({NetworkAssignment(name), "--network"});
            },
            "packet (TCP on ns-3) or analytic (fast)")
        ->check(CLI::IsMember(NetworkNames()));
}

unsigned
DefaultJobs()
{
    return std::max(1U, std::thread::hardware_concurrency());
}

} // namespace geotrain
