// SPDX-License-Identifier: GPL-2.0-only
// Finds the training command in a shell's text: a pasted command line, a file of arguments, or a script
// that sets variables and arrays, some of them in branches, and then runs the command. It ignores what
// commands print, and refuses loops, case and functions.
#pragma once

#include <string>
#include <vector>

namespace geotrain
{

/// A ShellCommand is a command as a shell would run it.
struct ShellCommand
{
    std::vector<std::string> words;
    std::vector<std::string> assumptions; ///< on conditions of which the text alone doesn't tell
};

/// Returns whether a word begins with - or -- as an option does.
bool IsOption(const std::string& word);

/// Returns the command with the most options, with the values of variables put in. Throws ConfigError
/// for quotes, brackets or branches that don't end, and for loops.
ShellCommand FindShellCommand(const std::string& text, const std::string& name);

} // namespace geotrain
