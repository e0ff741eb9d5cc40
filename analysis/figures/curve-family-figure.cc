// SPDX-License-Identifier: GPL-2.0-only
#include "figures/curve-family-figure.h"

#include "figures/curve-style.h"
#include "figures/error-bars.h"
#include "figures/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

constexpr double plotHeight = 150;
constexpr double keyRow = 13; // below the axis, a row a curve
constexpr double familyTopPoints = 8;
constexpr double familyTitlePoints = 12; // more, where there is one
constexpr double familyAxisPoints = 34;
constexpr double familyLeftPoints = 48;
constexpr double familyRightPoints = 12;

/// XAxis places the x of the curves, linearly or by their logarithms.
class XAxis
{
  public:
    explicit XAxis(const CurveFamily& family)
        : m_log(family.logX)
    {
        double least = INFINITY;
        for (const auto& [name, points] : family.curves)
        {
            for (const auto& [x, y] : points)
            {
                m_right = std::max(m_right, x);
                least = x > 0 ? std::min(least, x) : least;
                m_hasZero = m_hasZero || x <= 0;
            }
        }
        m_log = m_log && m_right > 0;
        m_zero = m_log ? std::floor(std::log10(least)) - (m_hasZero ? 1 : 0) : 0;
    }

    CurvePoints At(CurvePoints points) const
    {
        for (auto& [x, y] : points)
        {
            x = !m_log ? x : x > 0 ? std::log10(x) : m_zero;
        }
        return points;
    }

    std::string Commands() const
    {
        if (!m_log)
        {
            return fmt::format("set xrange [0:{}]\nset xtics nomirror out scale 0.6 {}\n",
                               1.04 * m_right,
                               TickStep(m_right));
        }
        const auto first = static_cast<int>(m_zero);
        const auto last = static_cast<int>(std::ceil(std::log10(m_right)));
        std::string tics;
        for (int decade = first; decade <= last; ++decade)
        {
            const bool isZero = decade == first && m_hasZero;
            tics += fmt::format("{}'{}' {}",
                                tics.empty() ? "" : ", ",
                                isZero ? "0" : fmt::format("{:g}", std::pow(10, decade)),
                                decade);
        }
        return fmt::format("set xrange [{}:{}]\nset xtics nomirror out scale 0.6 ({})\n",
                           m_zero - 0.1,
                           std::max(std::log10(m_right), m_zero + 1) + 0.1,
                           tics);
    }

  private:
    bool m_log;
    bool m_hasZero = false;
    double m_right = 0;
    double m_zero = 0; ///< place of 0 on a logarithmic axis, or its left end
};

/// Returns `name`, with its middle left out where the key has no room for it.
std::string
Shortened(const std::string& name)
{
    constexpr std::size_t most = 33; // letters at fontPoints, right of the key's samples
    if (name.size() <= most)
    {
        return name;
    }
    const auto isInsideLetter = [&](std::size_t at) // whether `at` is inside a UTF-8 letter
    { return at < name.size() && (static_cast<unsigned char>(name[at]) & 0xc0) == 0x80; };
    std::size_t left = most / 2;
    std::size_t right = name.size() - (most / 2 - 2);
    for (; isInsideLetter(left); --left)
    {
    }
    for (; isInsideLetter(right); ++right)
    {
    }
    return name.substr(0, left) + "..." + name.substr(right);
}

/// Returns the half lengths of a curve's error bars; empty where it has none.
std::vector<double>
HalfWidths(const CurveFamily& family, std::size_t curve)
{
    return family.halfWidths.empty() ? std::vector<double>() : family.halfWidths[curve];
}

} // namespace

std::vector<std::filesystem::path>
DrawCurveFamily(const CurveFamily& family, const std::filesystem::path& stem)
{
    const XAxis xAxis(family);
    double top = 0;
    for (std::size_t curve = 0; curve < family.curves.size(); ++curve)
    {
        const auto& points = family.curves[curve].second;
        const auto halfWidths = HalfWidths(family, curve);
        for (std::size_t i = 0; i < points.size(); ++i)
        {
            top = std::max(top, points[i].second + (halfWidths.empty() ? 0 : halfWidths[i]));
        }
    }
    const double above =
        family.title.empty() ? familyTopPoints : familyTopPoints + familyTitlePoints;
    const double bottom = familyAxisPoints + keyRow * static_cast<double>(family.curves.size());
    const FigureSize size{252, above + plotHeight + bottom};
    return DrawFigure(
        stem,
        size,
        [&](Gnuplot& commands)
        {
            commands << "set border 3 lw 0.5\nset key below vertical maxcols 1 left Left reverse "
                        "samplen 2 spacing 1.1\n"
                     << Margins(size, familyLeftPoints, familyRightPoints, above, bottom)
                     << xAxis.Commands() << fmt::format("set yrange [0:{}]\n", 1.08 * top)
                     << "set ytics nomirror out scale 0.6 " << TickStep(top)
                     << "\nset grid ytics lw 0.4 lt 1 lc rgb '#dddddd'\n"
                     << "set title " << Quoted(family.title)
                     << fmt::format(" offset 0,-0.6 font ',{}'\n", smallFontPoints) << "set xlabel "
                     << Quoted(family.xLabel) << " offset 0,0.3\n"
                     << "set ylabel " << Quoted(family.yLabel) << " offset 0.5,0\n";
            std::string separator = "plot ";
            for (std::size_t i = 0; i < family.curves.size(); ++i)
            {
                commands << separator << "'-' with " << (family.hasPoints ? "linespoints" : "lines")
                         << " lw 1 " << (family.hasPoints ? "pt 7 ps 0.4 " : "") << CurveStyle(i)
                         << " title " << Quoted(Shortened(family.curves[i].first));
                separator = ", ";
                if (!HalfWidths(family, i).empty())
                {
                    commands << separator << ErrorBars(CurveStyle(i));
                }
            }
            commands << "\n";
            for (std::size_t i = 0; i < family.curves.size(); ++i)
            {
                const auto points = xAxis.At(family.curves[i].second);
                commands.send1d(points);
                if (!HalfWidths(family, i).empty())
                {
                    commands.send1d(BarsOf(points, HalfWidths(family, i)));
                }
            }
        });
}

} // namespace geotrain
