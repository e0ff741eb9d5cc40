// SPDX-License-Identifier: GPL-2.0-only
#include "figures/spread-figure.h"

#include "figures/figure.h"
#include "metrics/statistics.h"

#include <fmt/format.h>

#include <algorithm>

namespace geotrain
{

namespace
{

constexpr double spreadPanelPoints = 96; // height of a panel
constexpr double spreadGapPoints = 14;
constexpr double spreadBottomPoints = 22; // for the names of the groups
constexpr double spreadLeftPoints = 50;
constexpr double spreadRightPoints = 10;
constexpr double spreadGroupShare = 0.8; // of a group's place that its boxes fill

double
HighestOf(const SpreadPanel& panel)
{
    double highest = 0;
    for (const auto& group : panel.groups)
    {
        for (const auto& spread : group)
        {
            highest = std::max(highest, spread ? spread->p95 : 0);
        }
    }
    return highest > 0 ? highest : 1;
}

/// Returns the boxes of one series; those of a group stand side by side around the group's number.
FigureTable
BoxesOf(const SpreadFigure& figure, const SpreadPanel& panel, std::size_t series)
{
    FigureTable table{
        {{"quantity", ColumnNameOf(panel.label)}, {figure.seriesAre, figure.series[series]}},
        {figure.groupsAre, "place", "p5", "p25", "p50", "p75", "p95"},
        {}};
    const double step = spreadGroupShare / static_cast<double>(figure.series.size());
    for (std::size_t group = 0; group < figure.groups.size(); ++group)
    {
        if (const auto& spread = panel.groups[group][series])
        {
            const double place = static_cast<double>(group) - spreadGroupShare / 2 +
                                 step * (static_cast<double>(series) + 0.5);
            table.rows.push_back({figure.groups[group],
                                  place,
                                  spread->p5,
                                  spread->p25,
                                  spread->p50,
                                  spread->p75,
                                  spread->p95});
        }
    }
    return table;
}

/// Returns the lower end of the y axis: 0, or what a logarithmic axis shows instead of 0.
double
LowestOf(const SpreadPanel& panel)
{
    double lowest = HighestOf(panel);
    for (const auto& group : panel.groups)
    {
        for (const auto& spread : group)
        {
            lowest = spread && spread->p5 > 0 ? std::min(lowest, spread->p5) : lowest;
        }
    }
    return panel.isLog ? lowest / 1.3 : 0;
}

/// Returns gnuplot commands of a panel's y axis.
std::string
SpreadAxis(const SpreadPanel& panel)
{
    const double highest = HighestOf(panel);
    const std::string scale =
        panel.isLog ? "set logscale y\nset ytics 10\n"
                    : fmt::format("unset logscale y\nset ytics {}\n", TickStep(highest));
    return scale + fmt::format("set yrange [{}:{}]\nset ylabel {}\n",
                               LowestOf(panel),
                               (panel.isLog ? 1.3 : 1.08) * highest,
                               Quoted(panel.label));
}

/// Returns gnuplot's `plot` of a series: boxes with whiskers, and a line at each median.
std::string
PlotOfBoxes(const std::string& data, const char* colour, double width, double lowest)
{
    const auto atLeast = [&](int column)
    { return fmt::format("(${0}<{1}?{1}:${0})", column, lowest); };
    return fmt::format(
        "{0} using 2:{1}:{2}:{3}:{4} with candlesticks whiskerbars 0.5 fs solid 0.45 "
        "border lw 0.7 lt 1 lc rgb '{5}', "
        "{0} using ($2-{6}):{7}:({8}):(0) with vectors nohead lw 1.4 lt 1 lc rgb '{9}'",
        data,
        atLeast(4),
        atLeast(3),
        atLeast(7),
        atLeast(6),
        colour,
        width / 2,
        atLeast(5),
        width,
        lineColour);
}

void
PlotSpreads(FigureScript& script,
            const SpreadFigure& figure,
            const SpreadPanel& panel,
            const Legend& legend)
{
    const double width = 0.8 * spreadGroupShare / static_cast<double>(figure.series.size());
    script << SpreadAxis(panel) << fmt::format("set boxwidth {}\n", width);
    const auto styles = StylesOf(figure.series);
    std::string plot = "plot NaN notitle";
    for (std::size_t series = 0; series < figure.series.size(); ++series)
    {
        auto table = BoxesOf(figure, panel, series);
        if (!table.rows.empty())
        {
            plot += ", " + PlotOfBoxes(script.Add(std::move(table)),
                                       styles[series].colour,
                                       width,
                                       LowestOf(panel));
        }
        plot += fmt::format(", keyentry with boxes {}{}",
                            BoxOf(styles[series].colour),
                            legend.Title(figure.series[series]));
    }
    script << plot << "\n";
}

} // namespace

std::optional<FivePercentiles>
SpreadOfValues(const std::vector<double>& values)
{
    if (values.empty())
    {
        return std::nullopt;
    }
    const auto at = [&](double percent) { return Percentile(values, percent); };
    return FivePercentiles{at(5), at(25), at(50), at(75), at(95)};
}

std::vector<std::filesystem::path>
DrawSpreads(const SpreadFigure& figure, const FigurePlace& place)
{
    const Legend legend(figure.series, place.Width(twoColumnPoints));
    const auto panels = static_cast<double>(figure.panels.size());
    const double top = legend.Height() + 8;
    const FigurePage page = place.Page(twoColumnPoints,
                                       top + panels * (spreadPanelPoints + spreadGapPoints) -
                                           spreadGapPoints + spreadBottomPoints);
    const Panels layout = {figure.panels.size(),
                           1,
                           spreadLeftPoints,
                           spreadRightPoints,
                           top,
                           spreadBottomPoints,
                           0,
                           spreadGapPoints};
    return DrawFigure(
        place,
        page,
        [&](FigureScript& script)
        {
            script << Frame() << "set grid ytics " << gridStyle << "\n"
                   << fmt::format("set xrange [-0.5:{}]\n",
                                  static_cast<double>(figure.groups.size()) - 0.5)
                   << legend.Commands(page);
            for (std::size_t i = 0; i < figure.panels.size(); ++i)
            {
                const bool isLast = i + 1 == figure.panels.size(); // names stand below it alone
                script << NamedTics(
                    "x", isLast ? figure.groups : std::vector<std::string>(figure.groups.size()));
                PlotSpreads(script, figure, figure.panels[i], legend);
                script << "unset key\n"; // it stands above the first panel
            }
        },
        layout);
}

} // namespace geotrain
