// SPDX-License-Identifier: GPL-2.0-only
#include "loader/nearest-names.h"

#include <boost/algorithm/string/case_conv.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace geotrain
{

namespace
{

// Most letters of a name that are compared; known names are shorter.
constexpr std::size_t longestName = 64;

std::string
LowerCase(const std::string& text)
{
    return boost::to_lower_copy(text.substr(0, longestName));
}

std::size_t
EditDistance(const std::string& a, const std::string& b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i)
    {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j)
        {
            const auto replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row[b.size()];
}

/// Returns 0 for a known name that begins with the typed text.
std::size_t
DistanceTo(const std::string& known, const std::string& typed)
{
    const auto lower = LowerCase(known);
    const bool unfinished = !typed.empty() && lower.rfind(typed, 0) == 0;
    return unfinished ? 0 : EditDistance(typed, lower);
}

std::vector<KnownName>
WithoutOthers(const std::vector<std::string>& names)
{
    std::vector<KnownName> known;
    for (const auto& name : names)
    {
        known.push_back({name});
    }
    return known;
}

/// Returns up to three of `known`, the nearest first, and ties in the order of `known`. A known name is
/// as near as the nearest of its other names.
std::vector<std::string>
NearestNames(const std::string& name, const std::vector<KnownName>& known)
{
    std::vector<std::pair<std::size_t, std::string>> ranked;
    const auto typed = LowerCase(name);
    for (const auto& candidate : known)
    {
        auto distance = DistanceTo(candidate.name, typed);
        for (const auto& other : candidate.others)
        {
            distance = std::min(distance, DistanceTo(other, typed));
        }
        ranked.emplace_back(distance, candidate.name);
    }
    std::stable_sort(ranked.begin(),
                     ranked.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> nearest;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, ranked.size()); ++i)
    {
        nearest.push_back(ranked[i].second);
    }
    return nearest;
}

} // namespace

std::string
Listed(std::vector<std::string> names, const std::string& last)
{
    const std::string lastName = names.back();
    names.pop_back();
    return names.empty() ? lastName
                         : fmt::format("{} {} {}", fmt::join(names, ", "), last, lastName);
}

bool
AreSameInAnyCase(const std::string& name, const std::string& other)
{
    return name.size() == other.size() && name.size() <= longestName &&
           LowerCase(name) == LowerCase(other);
}

std::string
UnknownName(const std::string& what,
            const std::string& name,
            const std::vector<KnownName>& known,
            const std::string& list)
{
    const auto nearest = NearestNames(name, known);
    std::string rule = "is no " + what;
    if (!nearest.empty())
    {
        rule += fmt::format(
            "; the nearest {} {}", nearest.size() == 1 ? "is" : "are", fmt::join(nearest, ", "));
    }
    return rule + (list.empty() ? "" : "; `geotrain list " + list + "` has them all");
}

std::string
UnknownName(const std::string& what,
            const std::string& name,
            const std::vector<std::string>& known,
            const std::string& list)
{
    return UnknownName(what, name, WithoutOthers(known), list);
}

} // namespace geotrain
