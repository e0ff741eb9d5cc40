// SPDX-License-Identifier: GPL-2.0-only
// Helps someone who mistyped a name: the known names that are nearest to it (Levenshtein distance,
// case ignored), and before all those that begin with what was typed.
#pragma once

#include <string>
#include <vector>

namespace geotrain
{

/// Up to three of `known`, the nearest first, ties in the order of `known`.
std::vector<std::string> NearestNames(const std::string& name,
                                      const std::vector<std::string>& known);

/// "is no GPU; the nearest are A100-40, A100-80": the rule that an unknown name broke.
std::string UnknownName(const std::string& what,
                        const std::string& name,
                        const std::vector<std::string>& known);

} // namespace geotrain
