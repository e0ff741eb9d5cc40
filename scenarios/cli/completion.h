// SPDX-License-Identifier: GPL-2.0-only
// Completes command lines of geotrain for the shells, from the tables of options that parse them. An option whose help says
// "`list KIND`" takes the names of that list.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace geotrain
{

/// Returns what the last of `words` may become; `words` is a command line behind the program's name. Empty where any file may
/// stand.
std::vector<std::string> Completions(const CLI::App& app, const std::vector<std::string>& words);

} // namespace geotrain
