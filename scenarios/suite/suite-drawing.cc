// SPDX-License-Identifier: GPL-2.0-only
#include "suite/suite-drawing.h"

#include <algorithm>

namespace geotrain
{

namespace
{

void
AddCurve(CurveFamily& family, const SuiteCurve& curve)
{
    if (!curve.points.empty())
    {
        family.curves.emplace_back(curve.title, curve.points);
        family.halfWidths.push_back(curve.halfWidths);
    }
}

} // namespace

void
DrawSuiteCurves(const SuiteCurveLabels& labels,
                const std::vector<SuiteCurve>& curves,
                const FigurePlace& place)
{
    CurveFamily family{labels.xLabel, labels.yLabel, labels.look};
    family.logX = labels.logX;
    family.most = labels.most;
    family.leastTop = labels.leastTop;
    for (const auto& curve : curves)
    {
        AddCurve(family, curve);
    }
    family.references = labels.references;
    for (const auto& points : labels.published)
    {
        family.published.push_back({points.title, points.points, points.halfWidths});
    }
    DrawCurveFamily(family, place);
}

SuiteCurve
Ratio(const SuiteCurve& above, const SuiteCurve& below, const std::string& title)
{
    SuiteCurve ratio{title, {}, {}};
    for (const auto& [x, y] : above.points)
    {
        const auto found = std::find_if(below.points.begin(),
                                        below.points.end(),
                                        [x = x](const auto& point) { return point.first == x; });
        if (found != below.points.end())
        {
            ratio.points.emplace_back(x, y / found->second);
        }
    }
    return ratio;
}

} // namespace geotrain
