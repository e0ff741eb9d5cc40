// SPDX-License-Identifier: GPL-2.0-only
#include "loader/listed-variants.h"

#include "loader/field-rules.h"
#include "loader/scenario-loader.h"
#include "schema/scenario.pb.h"
#include "units/config-error.h"

#include <fmt/format.h>

#include <set>

namespace geotrain
{

namespace
{

/// A list of lines, each with the place where it stands.
template <typename Lines>
std::vector<Assignment>
AssignmentsIn(const Lines& lines, const std::string& place)
{
    std::vector<Assignment> assignments;
    for (int i = 0; i < lines.size(); ++i)
    {
        const auto from = fmt::format("{}[{}]", place, i);
        SplitAssignment(lines.Get(i), from, ""); // throws where it is none
        assignments.push_back({lines.Get(i), from});
    }
    return assignments;
}

} // namespace

ListedVariants
ReadListedVariants(const ScenarioText& text, const std::vector<Assignment>& assignments)
{
    const auto scenario = ReadScenario(text, assignments);
    ListedVariants listed;
    for (int i = 0; i < scenario.variant_size(); ++i)
    {
        const auto& written = scenario.variant(i);
        const auto place = fmt::format("{}: variant[{}]", text.file, i);
        listed.variants.push_back({written.name(),
                                   written.title(),
                                   AssignmentsIn(written.set(), place + ".set"),
                                   written.full()});
    }
    for (int i = 0; i < scenario.grid_size(); ++i)
    {
        const auto& written = scenario.grid(i);
        const auto place = fmt::format("{}: grid[{}]", text.file, i);
        listed.grids.push_back({AssignmentsIn(written.vary(), place + ".vary"),
                                AssignmentsIn(written.set(), place + ".set"),
                                written.full()});
    }
    const auto& seeds = scenario.run().seeds();
    listed.seeds.assign(seeds.begin(), seeds.end());
    if (std::set<std::int64_t>(seeds.begin(), seeds.end()).size() != listed.seeds.size())
    {
        throw ConfigError(text.file, "run.seeds", "", "must name a seed once only");
    }
    return listed;
}

std::vector<ListedExpectation>
ReadExpectations(const ScenarioText& text)
{
    std::vector<ListedExpectation> expectations;
    const auto scenario = ReadScenario(text, {});
    for (auto expected : scenario.expected())
    {
        ApplyFieldRules(expected, text.file);
        expectations.push_back(
            {expected.variant(), expected.metric(), expected.value(), expected.tolerance()});
    }
    return expectations;
}

} // namespace geotrain
