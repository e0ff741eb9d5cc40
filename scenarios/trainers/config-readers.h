// SPDX-License-Identifier: GPL-2.0-only
// Reads the formats that trainers are configured in: TOML, YAML, and a shell's command line.
#pragma once

#include "trainers/trainer-config.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Returns the text of a configuration's file. Throws ConfigError where it can't be read, or has more
/// than a megabyte.
std::string ReadConfigText(const std::string& path);

// Each throws ConfigError that names the file and the line where the text is no such format.
TrainerConfig ReadTomlConfig(const std::string& text, const std::string& file);
TrainerConfig ReadYamlConfig(const std::string& text, const std::string& file);

/// Returns the arguments of the command in a shell's text (shell-command.h). Throws ConfigError for a text
/// without options, with loops, or with a variable that may hold options and isn't set.
TrainerConfig ReadShellArguments(const std::string& text, const std::string& name);

/// Returns the arguments of a command that a shell has split into words already.
TrainerConfig ReadArguments(const std::vector<std::string>& words, const std::string& name);

/// Sets values as trainers' command lines do: `--path=value`, `--path value` or `path=value`. Throws
/// ConfigError for another word.
void Override(TrainerConfig& config, const std::vector<std::string>& words);

} // namespace geotrain
