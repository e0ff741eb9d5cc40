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
        RefuseOwnList(SplitAssignment(lines.Get(i), from, "").first, lines.Get(i), from);
        assignments.push_back({lines.Get(i), from});
    }
    return assignments;
}

template <typename Seeds>
std::vector<std::int64_t>
SeedsIn(const Seeds& written, const std::string& file, const std::string& field)
{
    const std::set<std::int64_t> different(written.begin(), written.end());
    if (different.size() != static_cast<std::size_t>(written.size()))
    {
        throw ConfigError(file, field, "", "must name a seed once only");
    }
    return {written.begin(), written.end()};
}

} // namespace

void
RefuseOwnList(const std::string& path, const std::string& assignment, const std::string& from)
{
    const auto section = path.substr(0, path.find_first_of("[."));
    for (const auto* list : {"variant", "grid", "full_set", "expected", "figure", "criterion"})
    {
        if (section == list)
        {
            throw ConfigError(from,
                              "",
                              assignment,
                              "must not change " + section + ", which no variant runs with");
        }
    }
}

ListedVariants
ReadListedVariants(const ScenarioText& text, const std::vector<Assignment>& assignments)
{
    const auto scenario = ReadScenario(text, assignments);
    ListedVariants listed;
    std::set<std::string> names;
    for (int i = 0; i < scenario.variant_size(); ++i)
    {
        const auto& written = scenario.variant(i);
        const auto place = fmt::format("{}: variant[{}]", text.file, i);
        if (!written.name().empty() && !names.insert(written.name()).second)
        {
            throw ConfigError(place + ".name",
                              "",
                              written.name(),
                              "must be the name of one entry of variant only");
        }
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
                                written.full(),
                                written.name(),
                                written.title()});
    }
    listed.seeds = SeedsIn(scenario.run().seeds(), text.file, "run.seeds");
    listed.fullSeeds = SeedsIn(scenario.run().full_seeds(), text.file, "run.full_seeds");
    listed.fullSets = AssignmentsIn(scenario.full_set(), text.file + ": full_set");
    return listed;
}

std::vector<ListedExpectation>
ReadExpectations(const ScenarioText& text)
{
    scenario::Scenario declared;
    *declared.mutable_expected() = ReadScenario(text, {}).expected();
    ApplyFieldRules(declared, text.file);
    std::vector<ListedExpectation> expectations;
    for (const auto& expected : declared.expected())
    {
        expectations.push_back({expected.variant(),
                                expected.metric(),
                                expected.value(),
                                expected.tolerance(),
                                expected.job()});
    }
    return expectations;
}

} // namespace geotrain
