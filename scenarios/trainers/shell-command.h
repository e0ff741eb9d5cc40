// SPDX-License-Identifier: GPL-2.0-only
// Finds the training command in a shell's text: a pasted command line, a file of arguments, or a script
// that sets variables and arrays, some of them in branches, and then runs the command. It ignores what
// commands print, and refuses loops, case and functions.
#pragma once

#include "trainers/shell-script.h"

#include <string>

namespace geotrain
{

/// Returns the command with the most options, with the values of variables put in. Throws ConfigError
/// for quotes, brackets or branches that don't end, and for loops.
ShellCommand FindShellCommand(const std::string& text, const std::string& name);

} // namespace geotrain
