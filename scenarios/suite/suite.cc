// SPDX-License-Identifier: GPL-2.0-only
#include "suite/suite.h"

#include "suite/paper-sets.h"

#include "loader/nearest-names.h"
#include "units/config-error.h"

#include <algorithm>

namespace geotrain
{

Suite
PaperSuite(bool quick)
{
    Suite suite{quick ? "paper-quick" : "paper", TrainingRunSets(quick), TrainingFigures()};
    for (auto& set : TransportRunSets(quick))
    {
        suite.runSets.push_back(std::move(set));
    }
    for (const auto& figures : {FillingFigures(), TransportFigures(), PlanningFigures()})
    {
        suite.figures.insert(suite.figures.end(), figures.begin(), figures.end());
    }
    return suite;
}

Suite
OnlyFigures(const Suite& suite, const std::vector<std::string>& names)
{
    std::vector<std::string> all;
    for (const auto& figure : suite.figures)
    {
        all.push_back(figure.name);
    }
    Suite only{suite.name, {}, {}};
    for (const auto& name : names)
    {
        const auto found = std::find(all.begin(), all.end(), name);
        if (found == all.end())
        {
            throw ConfigError("--only", "", name, UnknownName("figure of the suite", name, all));
        }
        only.figures.push_back(suite.figures[static_cast<std::size_t>(found - all.begin())]);
    }
    for (const auto& set : suite.runSets)
    {
        const bool isNeeded =
            std::any_of(only.figures.begin(),
                        only.figures.end(),
                        [&](const SuiteFigure& figure)
                        {
                            return std::find(figure.runSets.begin(),
                                             figure.runSets.end(),
                                             set.name) != figure.runSets.end();
                        });
        if (isNeeded)
        {
            only.runSets.push_back(set);
        }
    }
    return only;
}

} // namespace geotrain
