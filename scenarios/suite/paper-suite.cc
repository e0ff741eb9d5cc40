// SPDX-License-Identifier: GPL-2.0-only
#include "suite/paper-suite.h"

#include "loader/declared-results.h"
#include "loader/nearest-names.h"
#include "report/page.h"
#include "suite/planning-figures.h"
#include "trace/result-file.h"
#include "units/config-error.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

constexpr const char* planFolder = "plan"; // of the planner's figures

/// Draws the chosen figures of the planner and a page with them; returns their part of the index.
std::vector<BatteryPart>
MakePlanningPart(const fs::path& folder, FigureChoices& choices)
{
    const auto names = PlanningFigureNames();
    if (!choices.only.empty() && std::none_of(names.begin(),
                                              names.end(),
                                              [&](const std::string& name)
                                              { return choices.only.count(name) > 0; }))
    {
        return {};
    }
    const BatteryPart part{
        "Atlas's planner",
        planFolder,
        "How does throughput grow with GPUs in one data centre or several, and when is a second, "
        "smaller one worth its distance?",
        "no runs: the planner's estimates"};
    DrawPlanningFigures({folder / planFolder / "figures", &choices});
    ReportPage page(folder / planFolder);
    page.AddQuestion(part.title, part.question);
    page.AddFigures();
    page.Write();
    return {part};
}

/// Copies the figures of all parts into one folder.
void
CollectFigures(const fs::path& folder)
{
    const auto figures = folder / "figures";
    MakeResultFolder(figures);
    for (const auto& part : fs::directory_iterator(folder))
    {
        const auto own = part.path() / "figures";
        if (part.path() != figures && fs::is_directory(own))
        {
            fs::copy(own, figures, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
        }
    }
}

} // namespace

std::vector<BatteryHeading>
PaperComparisons()
{
    const std::pair<const char*, const char*> names[] = {
        {"paper-systems", "Systems over the distance between data centres"},
        {"paper-schedules", "Schedules and memory"},
        {"paper-prefills", "Prefills in bubbles"},
        {"paper-fill-jobs", "Fill jobs in bubbles"},
        {"paper-messages", "Connections and congestion controls"},
        {"paper-training", "Training by congestion control"}};
    std::vector<BatteryHeading> comparisons;
    for (const auto& [name, title] : names)
    {
        comparisons.push_back({name, title, ReadScenarioText(name)});
    }
    return comparisons;
}

std::vector<std::string>
PaperFigureNames()
{
    std::vector<std::string> names;
    for (const auto& comparison : PaperComparisons())
    {
        const auto figures = ReadFigures(comparison.text);
        std::transform(figures.begin(),
                       figures.end(),
                       std::back_inserter(names),
                       [](const DeclaredFigure& figure) { return figure.name; });
    }
    const auto ofPlanner = PlanningFigureNames();
    names.insert(names.end(), ofPlanner.begin(), ofPlanner.end());
    return names;
}

void
RefuseUnknownFigures(const std::set<std::string>& chosen)
{
    const auto names = PaperFigureNames();
    for (const auto& name : chosen)
    {
        if (std::find(names.begin(), names.end(), name) == names.end())
        {
            throw ConfigError("--only", "", name, UnknownName("figure of the suite", name, names));
        }
    }
}

BatteryResult
MakePaperFigures(BatteryOptions options)
{
    options.headings = PaperComparisons();
    options.name = "paper";
    options.title = "The figures of a paper";
    options.runsOnlyShown = true;
    options.makeMore = [&options]
    { return MakePlanningPart(options.folder, *options.choices); };
    const auto result = RunBattery(options);
    if (!result.isInterrupted)
    {
        CollectFigures(options.folder);
    }
    return result;
}

} // namespace geotrain
