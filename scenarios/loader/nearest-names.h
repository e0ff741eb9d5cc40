// SPDX-License-Identifier: GPL-2.0-only
// Finds the known names that are nearest to a mistyped name, by Levenshtein distance without regard
// to case. Names that begin with the typed text come first.
#pragma once

#include <string>
#include <vector>

namespace geotrain
{

/// A KnownName is a name with the other names that mean the same.
struct KnownName
{
    std::string name;
    std::vector<std::string> others = {};
};

/// Returns the names as in "A, B or C", where `last` is "or".
std::string Listed(std::vector<std::string> names, const std::string& last);

/// Returns whether two names differ in the case of letters at most.
bool AreSameInAnyCase(const std::string& name, const std::string& other);

/// Returns the rule that an unknown name breaks: "is no GPU; the nearest are A100-40, A100-80". With
/// `list`, the kind of `geotrain list` that has all names, it says so.
std::string UnknownName(const std::string& what,
                        const std::string& name,
                        const std::vector<KnownName>& known,
                        const std::string& list = "");
std::string UnknownName(const std::string& what,
                        const std::string& name,
                        const std::vector<std::string>& known,
                        const std::string& list = "");

} // namespace geotrain
