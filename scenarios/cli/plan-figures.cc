// SPDX-License-Identifier: GPL-2.0-only
#include "cli/plan-figures.h"

#include "figures/curve-family-figure.h"
#include "trace/result-file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <vector>

namespace geotrain
{

namespace
{

double
Throughput(const PlanReport& report, const ListedPlan& plan)
{
    return static_cast<double>(report.globalBatch) / plan.analytic.seconds;
}

CurveFamily
CellsCurve(const PlanReport& report)
{
    CurvePoints points;
    for (const auto& point : report.atlas->curve)
    {
        if (point.missing.empty())
        {
            points.emplace_back(point.cells, point.sequencesPerSecond);
        }
    }
    auto curve = SingleCurve("DP-cells", "Throughput (sequences/s)", points);
    curve.countsOnX = true;
    return curve;
}

CurveFamily
FrontCurve(const PlanReport& report)
{
    const bool hasPrices = HasPrices(report.cluster);
    CurvePoints points;
    for (const auto& plan : report.plans)
    {
        if (plan.isOnFront)
        {
            points.emplace_back(plan.analytic.seconds, PriceOf(plan.plan.cost, report.cluster));
        }
    }
    return SingleCurve("Iteration time (s)",
                       hasPrices ? "Cost of an iteration ($)" : "GPU-hours of an iteration",
                       points);
}

/// Returns the curves of the what-ifs by the figure's name. Curves over a data centre's GPUs also
/// have the plan itself as a point.
std::map<std::string, CurveFamily>
WhatIfCurves(const PlanReport& report)
{
    std::map<std::string, CurveFamily> curves;
    for (const auto& answer : report.whatIfs)
    {
        const auto& asked = answer.whatIf;
        if (answer.plans.empty() || asked.kind == WhatIf::Kind::Without)
        {
            continue;
        }
        const bool isRate = asked.kind == WhatIf::Kind::WanRate;
        CurveFamily& curve = curves[isRate ? "wan-rate" : "gpus-of-" + asked.subject];
        curve.xLabel = isRate ? "WAN rate (Gbit/s)" : "GPUs of " + asked.subject;
        curve.yLabel = "Throughput (sequences/s)";
        curve.countsOnX = !isRate;
        curve.curves.resize(1);
        auto& points = curve.curves.front().second;
        if (!isRate && points.empty())
        {
            points.emplace_back(asked.valueBefore, Throughput(report, report.plans.front()));
        }
        points.emplace_back(asked.value, Throughput(report, answer.plans.front()));
    }
    for (auto& [name, curve] : curves)
    {
        auto& points = curve.curves.front().second;
        std::sort(points.begin(), points.end());
    }
    return curves;
}

} // namespace

std::string
DrawPlanFigures(const PlanReport& report, const std::filesystem::path& folder)
{
    auto curves = WhatIfCurves(report);
    if (report.atlas && report.atlas->best)
    {
        curves["dp-cells"] = CellsCurve(report);
    }
    curves["front"] = FrontCurve(report);
    std::vector<std::string> drawn;
    std::vector<std::string> single;
    for (const auto& [name, curve] : curves)
    {
        const bool isCurve = curve.curves.front().second.size() > 1;
        (isCurve ? drawn : single).push_back(name);
        if (isCurve)
        {
            MakeResultFolder(folder);
            DrawCurveFamily(curve, folder / name);
        }
    }
    return fmt::format("figures: {}{}",
                       drawn.empty() ? "none" : fmt::format("{}", fmt::join(drawn, ", ")),
                       single.empty() ? ""
                                      : fmt::format("; of a single point and not drawn: {}",
                                                    fmt::join(single, ", ")));
}

} // namespace geotrain
