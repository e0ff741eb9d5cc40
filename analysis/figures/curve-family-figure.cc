// SPDX-License-Identifier: GPL-2.0-only
#include "figures/curve-family-figure.h"

#include "figures/figure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace geotrain
{

namespace
{

constexpr std::size_t mostCurves = 20; // more can't be told apart
constexpr int leastPlainDecade = -3;   // 0.001; beyond it 1e-4
constexpr int mostPlainDecade = 4;
constexpr int markersOfStairs = 7; // on a curve: enough to follow it
constexpr double plotHeight = 140;
constexpr double familyTopPoints = 8;
constexpr double familyAxisPoints = 34;
constexpr double familyLeftPoints = 48; // of the y axis: about what gnuplot leaves
constexpr double yLabelBeyond = 12; // points that a name of the y axis may exceed the plot's height

/// Returns the points of all curves, and those that others have measured.
std::vector<const CurvePoints*>
AllPoints(const CurveFamily& family)
{
    std::vector<const CurvePoints*> all;
    for (const auto& [name, points] : family.curves)
    {
        all.push_back(&points);
    }
    for (const auto& published : family.published)
    {
        all.push_back(&published.points);
    }
    return all;
}

/// XAxis places the x of the curves, linearly or by their logarithms.
class XAxis
{
  public:
    explicit XAxis(const CurveFamily& family)
    {
        double least = INFINITY;
        for (const auto* points : AllPoints(family))
        {
            for (const auto& [x, y] : *points)
            {
                m_right = std::max(m_right, x);
                least = x > 0 ? std::min(least, x) : least;
                m_hasZero = m_hasZero || x <= 0;
            }
        }
        m_log = family.logX && m_right > 0;
        m_least = least;
        m_left = family.leftX;
        m_leastStep = family.countsOnX ? 1 : 0;
        m_firstDecade =
            m_log ? static_cast<int>(std::floor(std::log10(least))) - (m_hasZero ? 1 : 0) : 0;
    }

    /// Returns gnuplot's expression for the place of the x in column 1.
    std::string Place() const
    {
        return m_log && m_hasZero ? fmt::format("($1>0?$1:1e{})", m_firstDecade) : "1";
    }

    std::string Commands(double points) const
    {
        if (!m_log)
        {
            const double width = m_right > m_left ? m_right - m_left : 1;
            return fmt::format("set xrange [{}:{}]\nset xtics {}\n",
                               m_left,
                               m_left + 1.04 * width,
                               std::max(m_leastStep, TickStep(points < 150 ? 2 * width : width)));
        }
        if (!m_hasZero && m_right < 100 * m_least)
        {
            return LogAxis("x", m_least, m_right);
        }
        const double right = std::max(std::log10(m_right), m_firstDecade + 1.0);
        // All labels of an axis are of one kind.
        const bool isPlain = m_firstDecade >= leastPlainDecade && right <= mostPlainDecade;
        return fmt::format("set logscale x\nset xrange [{:.4g}:{:.4g}]\nset xtics 10\n"
                           "set format x '{}'\nunset mxtics\n{}",
                           std::pow(10, m_firstDecade - 0.1),
                           std::pow(10, right + 0.1),
                           isPlain ? "%g" : "1e%T",
                           m_hasZero ? fmt::format("set xtics add ('0' 1e{})\n", m_firstDecade)
                                     : "");
    }

  private:
    bool m_log = false;
    bool m_hasZero = false;
    double m_left = 0;
    double m_right = 0;
    double m_least = 0; ///< that is positive
    double m_leastStep = 0;
    int m_firstDecade = 0; ///< left end of a logarithmic axis
};

/// Returns the half lengths of a curve's error bars; empty where it has none.
std::vector<double>
HalfWidths(const CurveFamily& family, std::size_t curve)
{
    const auto isZero = [](double halfWidth) { return halfWidth == 0; };
    const auto widths =
        family.halfWidths.empty() ? std::vector<double>() : family.halfWidths[curve];
    return std::all_of(widths.begin(), widths.end(), isZero) ? std::vector<double>() : widths;
}

/// Returns the points of a curve with its error bars, whose column's name ends in `barsAre`.
FigureTable
TableOf(const CurveFamily& family,
        const std::string& name,
        const CurvePoints& points,
        const std::vector<double>& halfWidths = {},
        const char* barsAre = "_ci95")
{
    FigureTable table{{}, {ColumnNameOf(family.xLabel), ColumnNameOf(family.yLabel)}};
    if (!name.empty())
    {
        table.keys = {{family.curvesAre, name}};
    }
    if (!halfWidths.empty())
    {
        table.columns.push_back(table.columns[1] + barsAre);
    }
    for (std::size_t i = 0; i < points.size(); ++i)
    {
        table.rows.push_back({points[i].first, points[i].second});
        if (!halfWidths.empty())
        {
            table.rows.back().push_back(halfWidths[i]);
        }
    }
    return table;
}

double
Highest(const CurveFamily& family)
{
    double top = family.leastTop;
    for (std::size_t curve = 0; curve < family.curves.size(); ++curve)
    {
        const auto& points = family.curves[curve].second;
        const auto halfWidths = HalfWidths(family, curve);
        for (std::size_t i = 0; i < points.size(); ++i)
        {
            const double end = points[i].second + (halfWidths.empty() ? 0 : halfWidths[i]);
            top = std::max({top, points[i].second, std::min(end, family.most)});
        }
    }
    for (const auto& published : family.published)
    {
        for (const auto& [x, y] : published.points)
        {
            top = std::max(top, y);
        }
    }
    for (const auto& [name, points] : family.references)
    {
        for (const auto& [x, y] : points)
        {
            top = std::max(top, y);
        }
    }
    return top > 0 ? top : 1;
}

/// Returns the least y of all points.
double
Lowest(const CurveFamily& family)
{
    double least = INFINITY;
    for (const auto* points : AllPoints(family))
    {
        for (const auto& [x, y] : *points)
        {
            least = std::min(least, y);
        }
    }
    return least;
}

/// Returns the commands of the y axis.
std::string
YAxis(const CurveFamily& family)
{
    const double top = Highest(family);
    return family.logY
               ? LogAxis("y", Lowest(family), top)
               : fmt::format("set yrange [0:{}]\nset ytics {}\n", 1.08 * top, TickStep(top));
}

/// Returns whether no two of the points, which are sorted by x, have the same x.
bool
AreOfOneCurve(const CurvePoints& points)
{
    return std::adjacent_find(points.begin(),
                              points.end(),
                              [](const auto& a, const auto& b)
                              { return a.first == b.first; }) == points.end();
}

/// Returns gnuplot's style of the curve and its options.
std::string
LookOf(const CurveFamily& family, std::size_t curve, const SeriesStyle& style)
{
    switch (family.look)
    {
    case CurveLook::Marked:
        return AreOfOneCurve(family.curves[curve].second) ? "linespoints " + style.LineWithMarkers()
                                                          : "points " + style.Markers();
    case CurveLook::Lines:
    case CurveLook::SolidLines:
        return "lines " + style.Line();
    case CurveLook::Stairs:
        return fmt::format("linespoints {} pn {}", style.LineWithMarkers(), markersOfStairs);
    }
    return {};
}

/// Returns the element of the plot command that draws a curve's error bars.
std::string
ErrorBarsOf(const CurveFamily& family,
            const std::string& data,
            const std::string& x,
            const SeriesStyle& style)
{
    const auto low = fmt::format("($2-$3>{0}?$2-$3:{0})", family.logY ? Lowest(family) / 2 : 0);
    const std::string high = std::isfinite(family.most)
                                 ? fmt::format("($2+$3<{0}?$2+$3:$2>{0}?$2:{0})", family.most)
                                 : "($2+$3)";
    return fmt::format("{0} using {1}:{2}:(0):({3}-{2}) {4} lw 0.7 lc rgb '{5}'",
                       data,
                       x,
                       low,
                       high,
                       intervalStyle,
                       style.colour);
}

/// Returns gnuplot's options of the line of formula number `index`.
std::string
ReferenceStyle(std::size_t index)
{
    constexpr const char* styles[] = {"lw 0.9 dt 2 lc rgb '#777777'",
                                      "lw 0.9 dt 3 lc rgb '#444444'"};
    return styles[index % (sizeof(styles) / sizeof(styles[0]))];
}

/// Returns the numbers of the formulas' styles. A formula without a name has that of the one before.
std::vector<std::size_t>
ReferenceStyles(const CurveFamily& family)
{
    std::vector<std::size_t> numbers;
    std::size_t named = 0;
    for (const auto& [name, points] : family.references)
    {
        named += name.empty() ? 0 : 1;
        numbers.push_back(named > 0 ? named - 1 : 0);
    }
    return numbers;
}

/// Returns gnuplot's options of the markers of published points number `index`.
std::string
PublishedStyle(std::size_t index)
{
    constexpr int openMarkers[] = {4, 8, 10, 12, 6};
    return fmt::format("pt {} ps 0.9 lw 1 lc rgb 'black'",
                       openMarkers[index % (sizeof(openMarkers) / sizeof(openMarkers[0]))]);
}

/// Adds the elements of the plot command that draw formulas, which are behind the curves.
void
PlotReferences(FigureScript& script,
               const CurveFamily& family,
               const std::string& x,
               std::vector<std::string>& plots)
{
    const auto numbers = ReferenceStyles(family);
    for (std::size_t i = 0; i < family.references.size(); ++i)
    {
        const auto& [name, points] = family.references[i];
        plots.push_back(
            fmt::format("{} using {}:2 with lines {}",
                        script.Add(TableOf(family, name.empty() ? "formula" : name, points)),
                        x,
                        ReferenceStyle(numbers[i])));
    }
}

/// Adds the elements of the plot command that draw what others have measured.
void
PlotPublished(FigureScript& script,
              const CurveFamily& family,
              const Legend& legend,
              const std::string& x,
              std::vector<std::string>& plots)
{
    for (std::size_t i = 0; i < family.published.size(); ++i)
    {
        const auto& published = family.published[i];
        auto halfWidths = published.halfWidths;
        halfWidths.resize(published.points.size()); // 0 where there are none
        const auto data = script.Add(
            TableOf(family, published.name, published.points, halfWidths, "_half_width"));
        plots.push_back(fmt::format("{} using {}:2 with points {}{}",
                                    data,
                                    x,
                                    PublishedStyle(i),
                                    legend.Title(published.name)));
        if (!published.halfWidths.empty())
        {
            plots.push_back(fmt::format(
                "{} using {}:($2-$3):(0):(2*$3) {} lw 1 lc rgb 'black'", data, x, intervalStyle));
        }
    }
}

/// Returns the styles of the curves. A single curve without a name has the first one.
std::vector<SeriesStyle>
StylesOfCurves(const CurveFamily& family)
{
    std::vector<std::string> names;
    for (const auto& [name, points] : family.curves)
    {
        names.push_back(name);
    }
    auto styles =
        names.size() == 1 && names.front().empty() ? std::vector{StyleOfSlot(0)} : StylesOf(names);
    const bool isSolid = family.look == CurveLook::SolidLines || family.look == CurveLook::Stairs;
    for (auto& style : styles)
    {
        style.dash = isSolid ? 1 : style.dash;
    }
    return styles;
}

void
PlotFamily(FigureScript& script,
           const CurveFamily& family,
           const Legend& legend,
           const std::string& x)
{
    std::vector<std::string> plots;
    PlotReferences(script, family, x, plots);
    const auto styles = StylesOfCurves(family);
    for (std::size_t i = 0; i < family.curves.size(); ++i)
    {
        const auto halfWidths = HalfWidths(family, i);
        const auto data = script.Add(
            TableOf(family, family.curves[i].first, family.curves[i].second, halfWidths));
        plots.push_back(fmt::format("{} using {}:2 with {}{}",
                                    data,
                                    x,
                                    LookOf(family, i, styles[i]),
                                    legend.Title(family.curves[i].first)));
        if (!halfWidths.empty())
        {
            plots.push_back(ErrorBarsOf(family, data, x, styles[i]));
        }
    }
    const auto numbers = ReferenceStyles(family);
    for (std::size_t i = 0; i < family.references.size(); ++i)
    {
        if (const auto title = legend.Title(family.references[i].first); !title.empty())
        {
            plots.push_back("keyentry with lines " + ReferenceStyle(numbers[i]) + title);
        }
    }
    PlotPublished(script, family, legend, x, plots);
    script << fmt::format("plot {}\n", fmt::join(plots, ", \\\n  "));
}

/// Returns the family without the curves that are too many for a figure; its title says so.
CurveFamily
FirstCurves(CurveFamily family)
{
    if (family.curves.size() > mostCurves)
    {
        family.title += fmt::format("{}first {} of {} curves",
                                    family.title.empty() ? "" : ", ",
                                    mostCurves,
                                    family.curves.size());
        family.curves.resize(mostCurves);
    }
    return family;
}

/// Returns the family with the axes that a user chose, where they suit it.
CurveFamily
WithLogAxes(CurveFamily family, std::optional<bool> chosen)
{
    if (chosen && family.look == CurveLook::Marked)
    {
        family.logX = *chosen;
        family.logY = *chosen;
    }
    family.logY = family.logY && Lowest(family) > 0;
    return family;
}

/// Returns the names in the legend.
std::vector<std::string>
NamesOf(const CurveFamily& family)
{
    std::vector<std::string> names;
    for (const auto& [name, points] : family.curves)
    {
        names.push_back(name);
    }
    for (const auto& [name, points] : family.references)
    {
        names.push_back(name);
    }
    for (const auto& published : family.published)
    {
        names.push_back(published.name);
    }
    return names;
}

} // namespace

CurveFamily
SingleCurve(const std::string& xLabel, const std::string& yLabel, CurvePoints points)
{
    CurveFamily family{xLabel, yLabel};
    family.curves = {{"", std::move(points)}};
    return family;
}

std::vector<std::filesystem::path>
DrawCurveFamily(const CurveFamily& all, const FigurePlace& place)
{
    const CurveFamily family = WithLogAxes(FirstCurves(all), place.LogAxes());
    const XAxis xAxis(family);
    const Legend legend(NamesOf(family), place.Width(oneColumnPoints));
    const double above = familyTopPoints + legend.Height();
    const FigurePage page =
        place.Page(oneColumnPoints, above + plotHeight + familyAxisPoints, family.title);
    const auto yLines = WrappedText(family.yLabel, fontPoints, plotHeight + yLabelBeyond);
    return DrawFigure(place,
                      page,
                      [&](FigureScript& script)
                      {
                          script << Frame() << "set tmargin at screen " << page.FromTop(above)
                                 << "\n"
                                 << xAxis.Commands(page.width) << YAxis(family) << "set xlabel "
                                 << QuotedLines(WrappedText(
                                        family.xLabel, fontPoints, page.width - familyLeftPoints))
                                 << " offset 0,0.3\nset ylabel " << QuotedLines(yLines)
                                 << " offset " << 1 - static_cast<int>(yLines.size()) << ",0\n"
                                 << legend.Commands(page);
                          PlotFamily(script, family, legend, xAxis.Place());
                      });
}

} // namespace geotrain
