// SPDX-License-Identifier: GPL-2.0-only
#include "suite/run-set.h"

namespace geotrain
{

std::string
VariantName(const RunSet& set, std::size_t series, std::size_t point)
{
    return set.points.empty() ? set.series[series].name
                              : set.series[series].name + "_" + set.points[point].name;
}

VariantPlans
PlansOf(const RunSet& set)
{
    const auto points = set.points.empty() ? std::vector<SuitePoint>(1) : set.points;
    VariantPlans plans;
    plans.variedPaths = {"series", "point"};
    for (std::size_t series = 0; series < set.series.size(); ++series)
    {
        for (std::size_t point = 0; point < points.size(); ++point)
        {
            VariantPlan plan;
            plan.name = VariantName(set, series, point);
            plan.values = {set.series[series].name, points[point].name};
            plan.assignments = {{"variant=", ""}, {"grid=", ""}};
            for (const auto* sets : {&set.sets, &points[point].sets, &set.series[series].sets})
            {
                for (const auto& text : *sets)
                {
                    plan.assignments.push_back({text, "suite"});
                }
            }
            plans.variants.push_back(plan);
        }
    }
    return plans;
}

std::size_t
RunsOf(const RunSet& set)
{
    return set.series.size() * std::max<std::size_t>(1, set.points.size()) * set.seeds.size();
}

std::vector<SuitePoint>
PointsAt(const std::vector<std::string>& values, const std::vector<std::string>& paths)
{
    std::vector<SuitePoint> points;
    for (const auto& value : values)
    {
        SuitePoint point{std::stod(value), value};
        for (const auto& path : paths)
        {
            point.sets.push_back(path + "=" + value);
        }
        points.push_back(point);
    }
    return points;
}

} // namespace geotrain
