// SPDX-License-Identifier: GPL-2.0-only
// Defines a change of a scenario as text: --set, --vary, and the `set` lines of variants and grids.
#pragma once

#include <string>
#include <utility>

namespace geotrain
{

/// An Assignment sets one field of a scenario.
struct Assignment
{
    std::string text; ///< "path=value"
    std::string from; ///< what an error in it names as its file: "--set"
};

/// Splits "path=value" into its two parts. Throws ConfigError, which names `file` and `field`, when
/// there is no "=".
std::pair<std::string, std::string>
SplitAssignment(const std::string& assignment, const std::string& file, const std::string& field);

} // namespace geotrain
