// SPDX-License-Identifier: GPL-2.0-only
#include "figures/throughput-figure.h"

#include "figures/figure.h"

#include <fmt/format.h>

#include <algorithm>

namespace geotrain
{

namespace
{

constexpr std::size_t maxPanels = 8;
constexpr double panelPoints = 52;
constexpr double panelHeaderPoints = 17;
constexpr double ratesTopPoints = 4;
constexpr double ratesBottomPoints = 36;
constexpr double ratesLeftPoints = 62;
constexpr double ratesRightPoints = 14;
constexpr const char* areaColour = "#a8d5f0";

struct LinkPanel
{
    std::string name;
    std::vector<double> ratesGbps;
    double totalBits = 0;
};

/// By name; the busiest where there are too many.
std::vector<LinkPanel>
MakePanels(const WanThroughput& throughput)
{
    std::vector<LinkPanel> panels;
    for (const auto& [name, bits] : throughput.bits)
    {
        panels.push_back({name, bits.RatesBps(), bits.TotalBits()});
        for (double& rate : panels.back().ratesGbps)
        {
            rate *= 1e-9;
        }
    }
    std::stable_sort(panels.begin(),
                     panels.end(),
                     [](const LinkPanel& a, const LinkPanel& b)
                     { return a.totalBits > b.totalBits; });
    panels.resize(std::min(panels.size(), maxPanels));
    std::sort(panels.begin(),
              panels.end(),
              [](const LinkPanel& a, const LinkPanel& b) { return a.name < b.name; });
    return panels;
}

double
HighestRate(const std::vector<LinkPanel>& panels)
{
    double highest = 0;
    for (const auto& panel : panels)
    {
        highest =
            std::max(highest, *std::max_element(panel.ratesGbps.begin(), panel.ratesGbps.end()));
    }
    return highest;
}

/// Returns both edges of each bin, so that a bin is drawn as a flat step.
std::vector<std::pair<double, double>>
Steps(const std::vector<double>& rates, double seconds)
{
    const double width = seconds / static_cast<double>(rates.size());
    std::vector<std::pair<double, double>> points;
    for (std::size_t bin = 0; bin < rates.size(); ++bin)
    {
        points.emplace_back(width * static_cast<double>(bin), rates[bin]);
        points.emplace_back(width * static_cast<double>(bin + 1), rates[bin]);
    }
    return points;
}

} // namespace

std::vector<std::filesystem::path>
DrawThroughput(const WanThroughput& throughput,
               MeasuredSpan window,
               const std::filesystem::path& stem)
{
    const std::vector<LinkPanel> panels = MakePanels(throughput);
    const std::size_t all = throughput.bits.size();
    FigureSize size;
    const double step = panelPoints + panelHeaderPoints;
    size.height = ratesTopPoints + step * static_cast<double>(panels.size()) + ratesBottomPoints;
    std::string label =
        throughput.fromLinks ? "Throughput (Gbit/s)" : "Message throughput (Gbit/s)";
    if (all > panels.size())
    {
        label += fmt::format(", busiest {} of {}", panels.size(), all);
    }
    return DrawFigure(
        stem,
        size,
        [&](Gnuplot& commands)
        {
            commands << "set multiplot\nunset key\nset border 3 lw 0.5\n"
                     << fmt::format("set xrange [0:{}]\nset yrange [0:{}]\n",
                                    window.Seconds(),
                                    1.08 * HighestRate(panels))
                     << "set xtics nomirror out scale 0.6\nset ytics nomirror out scale 0.6 "
                     << TickStep(HighestRate(panels)) << "\n"
                     << "set grid ytics lw 0.4 lt 1 lc rgb '#dddddd'\nset format x ''\n"
                     << "set label 1 " << Quoted(label)
                     << fmt::format(" at screen {}, screen 0.5 center rotate\n", 20 / size.width);
            for (std::size_t index = 0; index < panels.size(); ++index)
            {
                const double top =
                    ratesTopPoints + step * static_cast<double>(index) + panelHeaderPoints;
                const double bottom = size.height - top - panelPoints;
                commands << Margins(size, ratesLeftPoints, ratesRightPoints, top, bottom);
                if (index + 1 == panels.size())
                {
                    commands
                        << "set format x '%g'\n"
                        << "set xlabel 'Time since the start of the iteration (s)' offset 0,0.3\n";
                }
                const auto points = Steps(panels[index].ratesGbps, window.Seconds());
                commands << "set label 2 " << Quoted(panels[index].name)
                         << " at graph 0, graph 1 left offset 0,0.6\n"
                         << "plot '-' with filledcurves y1=0 fs solid 1 noborder lc rgb '"
                         << areaColour << "', '-' with lines lw 0.6 lc rgb '" << lineColour
                         << "'\n";
                commands.send1d(points);
                commands.send1d(points);
                commands << "unset label 1\n";
            }
            commands << "unset multiplot\n";
        });
}

} // namespace geotrain
