// SPDX-License-Identifier: GPL-2.0-only
#include "cli/verb.h"

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

} // namespace geotrain
