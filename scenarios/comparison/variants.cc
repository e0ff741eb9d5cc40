// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/variants.h"

#include "comparison/path-folders.h"
#include "comparison/variant-title.h"
#include "loader/listed-variants.h"
#include "units/config-error.h"
#include "units/text-pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace geotrain
{

namespace
{

constexpr std::size_t mostVariants = 10000;

/// Adds the numbers of a range such as "1..4", or the value itself where it is none. Throws
/// ConfigError, which names `from`, where a range goes down or is too long.
void
AddValues(std::vector<std::string>& values, const std::string& value, const std::string& from)
{
    static const TextPattern range("^([0-9]{1,10})\\.\\.([0-9]{1,10})$");
    const auto ends = range.FindIn(value);
    if (ends.empty())
    {
        values.push_back(value);
        return;
    }
    const auto first = std::stoll(std::string(ends[1]));
    const auto last = std::stoll(std::string(ends[2]));
    if (last < first || last - first >= static_cast<std::int64_t>(mostVariants))
    {
        throw ConfigError(
            from, "", value, fmt::format("must go up, by at most {} values", mostVariants));
    }
    for (auto number = first; number <= last; ++number)
    {
        values.push_back(std::to_string(number));
    }
}

/// Splits a text such as "A,B,[1,2],1..4" at the commas outside of brackets and quotes.
std::vector<std::string>
SplitValues(const std::string& text, const std::string& from)
{
    std::vector<std::string> values;
    std::string value;
    int depth = 0;
    bool quoted = false;
    for (const char c : text)
    {
        quoted = quoted != (c == '"');
        depth += (c == '[' || c == '{') ? 1 : 0;
        depth -= (c == ']' || c == '}') ? 1 : 0;
        if (c == ',' && depth == 0 && !quoted)
        {
            AddValues(values, value, from);
            value.clear();
        }
        else
        {
            value += c;
        }
    }
    AddValues(values, value, from);
    return values;
}

std::string
FolderName(const std::string& text)
{
    std::string name;
    for (const char c : text)
    {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '+' || c == '-' ||
                           c == '=';
        name += plain ? c : '-';
    }
    return name;
}

std::string
LastPart(const std::string& path)
{
    return path.substr(path.rfind('.') + 1);
}

std::string
UniqueName(const std::string& wanted, std::set<std::string>& taken, const std::string& hyphen = "-")
{
    auto name = wanted;
    for (int n = 2; !taken.insert(name).second; ++n)
    {
        name = wanted + hyphen + std::to_string(n);
    }
    return name;
}

/// Returns what holds for every variant: full_set of the scenario where it is asked for, then --set.
std::vector<Assignment>
AssignmentsOf(const ScenarioText& text, const VariantRequest& request)
{
    auto assignments =
        request.full ? ReadListedVariants(text, {}).fullSets : std::vector<Assignment>{};
    for (const auto& set : request.sets)
    {
        assignments.push_back({set, "--set"});
    }
    return assignments;
}

/// Adds a varied path: each variant so far is repeated with each of the path's values.
void
Multiply(VariantPlans& plans, const std::string& vary, const std::string& from)
{
    const auto [path, list] = SplitAssignment(vary, from, "");
    const auto& known = plans.variedPaths;
    if (std::find(known.begin(), known.end(), path) != known.end())
    {
        throw ConfigError(
            from, "", vary, "varies " + path + " a second time; one list has all values");
    }
    RefuseOwnList(path, vary, from);
    const auto values = SplitValues(list, from);
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        if (std::find(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(i), values[i]) !=
            values.begin() + static_cast<std::ptrdiff_t>(i))
        {
            throw ConfigError(from, "", vary, "must have the value " + values[i] + " once only");
        }
    }
    plans.variedPaths.push_back(path);
    std::vector<VariantPlan> product;
    for (const auto& variant : plans.variants)
    {
        for (const auto& value : values)
        {
            auto one = variant;
            one.name += (one.name.empty() ? "" : "_") + FolderName(LastPart(path) + "=" + value);
            one.assignments.push_back({path + "=" + value, from});
            one.values.push_back(value);
            product.push_back(one);
        }
    }
    if (product.size() > mostVariants)
    {
        throw ConfigError(from, "", vary, "must give at most 10000 variants together");
    }
    plans.variants = product;
}

/// Gives each variant of a product a title by the values of its varied paths.
void
SetTitles(VariantPlans& plans)
{
    for (auto& variant : plans.variants)
    {
        variant.title = TitleOfValues(plans.variedPaths, variant.values);
    }
}

/// Makes every path that a variant sets a varied path. A variant that doesn't set it has an empty
/// value.
void
FindVariedPaths(VariantPlans& plans, std::size_t common)
{
    for (const auto& variant : plans.variants)
    {
        for (std::size_t i = common; i < variant.assignments.size(); ++i)
        {
            const auto path = SplitAssignment(variant.assignments[i].text, "", "").first;
            auto& paths = plans.variedPaths;
            if (std::find(paths.begin(), paths.end(), path) == paths.end())
            {
                paths.push_back(path);
            }
        }
    }
    for (auto& variant : plans.variants)
    {
        variant.values.assign(plans.variedPaths.size(), "");
        for (std::size_t i = common; i < variant.assignments.size(); ++i)
        {
            const auto [path, value] = SplitAssignment(variant.assignments[i].text, "", "");
            const auto& paths = plans.variedPaths;
            const auto column = std::find(paths.begin(), paths.end(), path) - paths.begin();
            variant.values[static_cast<std::size_t>(column)] = value;
        }
    }
}

/// Returns `base` with more assignments behind its own.
VariantPlan
With(const VariantPlan& base, const std::vector<Assignment>& more)
{
    VariantPlan variant = base;
    variant.assignments.insert(variant.assignments.end(), more.begin(), more.end());
    return variant;
}

/// Returns a varied field with its values, and `control` among them if it is a congestion control.
std::string
WithControl(const Assignment& vary, const std::string& control)
{
    const auto [path, list] = SplitAssignment(vary.text, vary.from, "");
    const auto values = SplitValues(list, vary.from);
    const bool isAdded = !control.empty() && LastPart(path) == "congestion_control" &&
                         std::find(values.begin(), values.end(), control) == values.end();
    return isAdded ? vary.text + "," + control : vary.text;
}

/// Returns the product of the values that a grid varies.
std::vector<VariantPlan>
VariantsOf(const ListedGrid& grid, const VariantPlan& base, const std::string& control)
{
    VariantPlans plans;
    plans.variants.push_back(With(base, grid.sets));
    plans.variants.front().name = grid.name;
    for (const auto& vary : grid.varies)
    {
        Multiply(plans, WithControl(vary, control), vary.from);
    }
    SetTitles(plans);
    for (auto& variant : plans.variants)
    {
        variant.grid = grid.title.empty() ? grid.name : grid.title;
        variant.title = variant.grid + (variant.grid.empty() ? "" : ", ") + variant.title;
    }
    return plans.variants;
}

/// Adds the titles of grids as a varied path, where there are some.
void
AddGridColumn(VariantPlans& plans)
{
    const auto& all = plans.variants;
    if (std::any_of(
            all.begin(), all.end(), [](const VariantPlan& one) { return !one.grid.empty(); }))
    {
        plans.variedPaths.emplace_back(gridPath);
        for (auto& variant : plans.variants)
        {
            variant.values.push_back(variant.grid);
        }
    }
}

/// Notes each --set that does not reach some of the listed variants.
void
NoteOverridden(VariantPlans& plans, const VariantRequest& request)
{
    for (const auto& set : request.sets)
    {
        const auto path = SplitAssignment(set, "--set", "").first;
        const auto& paths = plans.variedPaths;
        const auto column =
            static_cast<std::size_t>(std::find(paths.begin(), paths.end(), path) - paths.begin());
        std::string names;
        for (const auto& variant : plans.variants)
        {
            if (column < paths.size() && !variant.values[column].empty())
            {
                names += (names.empty() ? "" : ", ") + variant.name;
            }
        }
        if (!names.empty())
        {
            plans.notes.push_back(fmt::format(
                "--set {} does not reach variants that set it themselves: {}", set, names));
        }
    }
}

void
AddListed(VariantPlans& plans, const ScenarioText& text, const VariantRequest& request)
{
    const auto base = plans.variants.front();
    const auto found = ReadListedVariants(text, base.assignments);
    std::vector<VariantPlan> listed;
    for (const auto& written : found.variants)
    {
        if (!written.isFull || request.full)
        {
            listed.push_back(With(base, written.sets));
            listed.back().name = FolderName(written.name);
            listed.back().title = written.title;
        }
    }
    for (const auto& grid : found.grids)
    {
        if (!grid.isFull || request.full)
        {
            const auto more = VariantsOf(grid, base, request.control);
            listed.insert(listed.end(), more.begin(), more.end());
        }
    }
    if (!listed.empty())
    {
        plans.variants = listed;
        FindVariedPaths(plans, base.assignments.size());
        NoteOverridden(plans, request);
        AddGridColumn(plans);
    }
}

bool
IsSet(const std::string& path, const std::vector<Assignment>& assignments)
{
    return std::any_of(assignments.begin(),
                       assignments.end(),
                       [&path](const Assignment& one)
                       { return SplitAssignment(one.text, one.from, "").first == path; });
}

/// Returns the scenario's seeds for comparisons; none where the command line sets the seed.
std::vector<std::int64_t>
ListedSeeds(const ScenarioText& text, const std::vector<Assignment>& assignments, bool full)
{
    if (IsSet("run.seed", assignments))
    {
        return {};
    }
    const auto listed = ReadListedVariants(text, assignments);
    return full && !listed.fullSeeds.empty() ? listed.fullSeeds : listed.seeds;
}

} // namespace

VariantPlans
PlanVariants(const ScenarioText& text, const VariantRequest& request)
{
    VariantPlans plans;
    plans.variants.push_back({"", "", AssignmentsOf(text, request), {}});
    plans.seeds = ListedSeeds(text, plans.variants.front().assignments, request.full);
    if (request.varies.empty())
    {
        AddListed(plans, text, request);
    }
    for (const auto& vary : request.varies)
    {
        Multiply(plans, WithPathFolders(vary, text.folder), "--vary");
    }
    if (!request.varies.empty())
    {
        SetTitles(plans);
    }
    std::set<std::string> taken;
    std::set<std::string> takenTitles;
    for (auto& variant : plans.variants)
    {
        CheckAssignments(text, variant.assignments);
        if (IsSet("run.seeds", variant.assignments))
        {
            variant.seeds = ListedSeeds(text, variant.assignments, request.full);
        }
        for (const auto* field : {"variant", // what runs is one of them
                                  "grid",
                                  "full_set",
                                  "run.seeds",
                                  "run.full_seeds",
                                  "figure",
                                  "criterion"})
        {
            variant.assignments.push_back({fmt::format("{}=", field), ""});
        }
        variant.name = UniqueName(variant.name.empty() ? "base" : variant.name, taken);
        variant.title =
            UniqueName(variant.title.empty() ? variant.name : variant.title, takenTitles, ", ");
    }
    return plans;
}

std::vector<std::int64_t>
ParseSeeds(const std::string& text)
{
    const auto number = [&text](const std::string& part)
    {
        std::int64_t value = 0;
        const auto [rest, error] = std::from_chars(part.data(), part.data() + part.size(), value);
        if (part.empty() || error != std::errc{} || rest != part.data() + part.size() ||
            value < 1 || value > 4294967295)
        {
            throw ConfigError(
                "--seeds", "", text, "must be like 1..10 or 1,2,5, of numbers from 1");
        }
        return value;
    };
    std::vector<std::int64_t> seeds;
    for (const auto& part : SplitValues(text, "--seeds"))
    {
        seeds.push_back(number(part));
    }
    if (std::set<std::int64_t>(seeds.begin(), seeds.end()).size() != seeds.size())
    {
        throw ConfigError("--seeds", "", text, "must name a seed once only");
    }
    return seeds;
}

} // namespace geotrain
