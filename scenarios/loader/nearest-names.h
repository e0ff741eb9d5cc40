// SPDX-License-Identifier: GPL-2.0-only
// Finds the known names that are nearest to a mistyped name, by Levenshtein distance without regard
// to case. Names that begin with the typed text come first.
#pragma once

#include <string>
#include <vector>

namespace geotrain
{

/// Returns up to three of `known`, the nearest first, and ties in the order of `known`.
std::vector<std::string> NearestNames(const std::string& name,
                                      const std::vector<std::string>& known);

/// Returns the rule that an unknown name breaks: "is no GPU; the nearest are A100-40, A100-80". With
/// `list`, the kind of `geotrain list` that has all names, it says so.
std::string UnknownName(const std::string& what,
                        const std::string& name,
                        const std::vector<std::string>& known,
                        const std::string& list = "");

} // namespace geotrain
