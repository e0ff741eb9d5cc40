// SPDX-License-Identifier: GPL-2.0-only
// A change of a scenario as text: --set, --vary, and the `set` lines of variants and grids.
#pragma once

#include <string>
#include <utility>

namespace geotrain
{

struct Assignment
{
    std::string text; ///< "path=value"
    std::string from; ///< what an error in it names as its file: "--set"
};

/// "path=value" in its two parts. Throws ConfigError with `file` and `field` when there is no "=".
std::pair<std::string, std::string>
SplitAssignment(const std::string& assignment, const std::string& file, const std::string& field);

} // namespace geotrain
