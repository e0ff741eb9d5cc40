// SPDX-License-Identifier: GPL-2.0-only
#include "cli/verb.h"

#include "loader/control-library.h"

namespace geotrain
{

void
AddOutputOptions(CLI::App& verb, OutputOptions& options)
{
    verb.add_flag("--quiet", options.quiet, "No table and no progress on the terminal");
    verb.add_flag("--json", options.json, "One JSON object on stdout instead of a table");
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
    return AddRepeated(verb,
                       "--load",
                       libraries,
                       "LIBRARY.so: load congestion controls of your own (see scenarios/README.md)");
}

ScenarioText
ReadScenarioWith(const std::vector<std::string>& libraries, const std::string& nameOrPath)
{
    const auto loaded = LoadControlLibraries(libraries);
    auto text = ReadScenarioText(nameOrPath);
    text.libraries = loaded;
    return text;
}

} // namespace geotrain
