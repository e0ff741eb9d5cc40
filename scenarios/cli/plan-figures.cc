// SPDX-License-Identifier: GPL-2.0-only
#include "cli/plan-figures.h"

#include "figures/curve-figure.h"

#include <algorithm>
#include <map>

namespace geotrain
{

namespace
{

double
Throughput(const PlanReport& report, const PlanSearch& search)
{
    return static_cast<double>(report.globalBatch) /
           search.ranked.front().simulation.iterationTime.ToSeconds();
}

Curve
CellsCurve(const PlanReport& report)
{
    Curve curve{"DP-cells", "Throughput (sequences/s)", {}, true};
    for (const auto& point : report.atlas->curve)
    {
        if (point.missing.empty())
        {
            curve.points.emplace_back(point.cells, point.sequencesPerSecond);
        }
    }
    return curve;
}

Curve
FrontCurve(const PlanReport& report)
{
    Curve curve{"Iteration time (s)", "Cost of an iteration ($)", {}, false};
    for (const auto& plan : report.search.front)
    {
        curve.points.emplace_back(plan.simulation.iterationTime.ToSeconds(), plan.cost.dollars);
    }
    return curve;
}

/// Returns the curves of the what-ifs by the figure's name. Curves over a data centre's GPUs also
/// have the plan itself as a point.
std::map<std::string, Curve>
WhatIfCurves(const PlanReport& report)
{
    std::map<std::string, Curve> curves;
    for (const auto& answer : report.whatIfs)
    {
        const auto& asked = answer.whatIf;
        if (!answer.search || asked.kind == WhatIf::Kind::Without)
        {
            continue;
        }
        const bool isRate = asked.kind == WhatIf::Kind::WanRate;
        Curve& curve = curves[isRate ? "wan-rate" : "gpus-of-" + asked.subject];
        curve.xLabel = isRate ? "WAN rate (Gbit/s)" : "GPUs of " + asked.subject;
        curve.yLabel = "Throughput (sequences/s)";
        curve.countsOnX = !isRate;
        if (!isRate && curve.points.empty())
        {
            curve.points.emplace_back(asked.valueBefore, Throughput(report, report.search));
        }
        curve.points.emplace_back(asked.value, Throughput(report, *answer.search));
    }
    for (auto& [name, curve] : curves)
    {
        std::sort(curve.points.begin(), curve.points.end());
    }
    return curves;
}

} // namespace

void
DrawPlanFigures(const PlanReport& report, const std::filesystem::path& folder)
{
    auto curves = WhatIfCurves(report);
    if (report.atlas && report.atlas->best)
    {
        curves["dp-cells"] = CellsCurve(report);
    }
    if (report.search.front.front().cost.dollars > 0)
    {
        curves["front"] = FrontCurve(report);
    }
    std::filesystem::create_directories(folder);
    for (const auto& [name, curve] : curves)
    {
        DrawCurve(curve, folder / name);
    }
}

} // namespace geotrain
