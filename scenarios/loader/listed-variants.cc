// SPDX-License-Identifier: GPL-2.0-only
#include "loader/listed-variants.h"

#include "loader/scenario-loader.h"
#include "schema/scenario.pb.h"

#include <fmt/format.h>

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
        listed.variants.push_back(
            {written.name(), AssignmentsIn(written.set(), place + ".set"), written.full()});
    }
    for (int i = 0; i < scenario.grid_size(); ++i)
    {
        const auto& written = scenario.grid(i);
        const auto place = fmt::format("{}: grid[{}]", text.file, i);
        listed.grids.push_back({AssignmentsIn(written.vary(), place + ".vary"),
                                AssignmentsIn(written.set(), place + ".set"),
                                written.full()});
    }
    return listed;
}

} // namespace geotrain
