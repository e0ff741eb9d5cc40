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
FigureTable
Steps(const LinkPanel& panel, double seconds)
{
    const double width = seconds / static_cast<double>(panel.ratesGbps.size());
    FigureTable table{{{"link", panel.name}}, {"time_s", "rate_gbps"}};
    for (std::size_t bin = 0; bin < panel.ratesGbps.size(); ++bin)
    {
        table.rows.push_back({width * static_cast<double>(bin), panel.ratesGbps[bin]});
        table.rows.push_back({width * static_cast<double>(bin + 1), panel.ratesGbps[bin]});
    }
    return table;
}

} // namespace

std::vector<std::filesystem::path>
DrawThroughput(const WanThroughput& throughput,
               MeasuredSpan window,
               const FigurePlace& place)
{
    const std::vector<LinkPanel> panels = MakePanels(throughput);
    const std::size_t all = throughput.bits.size();
    const double step = panelPoints + panelHeaderPoints;
    const FigurePage page = place.Page(
        twoColumnPoints,
        ratesTopPoints + step * static_cast<double>(panels.size()) + ratesBottomPoints);
    const auto [from, to] = place.TimeRange(0, window.Seconds());
    std::string label =
        throughput.fromLinks ? "Throughput (Gbit/s)" : "Message throughput (Gbit/s)";
    if (all > panels.size())
    {
        label += fmt::format(", busiest {} of {}", panels.size(), all);
    }
    return DrawFigure(
        place,
        page,
        [&](FigureScript& commands)
        {
            commands << "set multiplot\n"
                     << Frame()
                     << fmt::format("set xrange [{}:{}]\nset yrange [0:{}]\n",
                                    from,
                                    to,
                                    1.08 * HighestRate(panels))
                     << "set ytics " << TickStep(HighestRate(panels)) << "\n"
                     << "set format x ''\n"
                     << "set label 1 " << Quoted(label)
                     << fmt::format(" at screen {}, screen 0.5 center rotate\n", page.FromLeft(20));
            for (std::size_t index = 0; index < panels.size(); ++index)
            {
                const double top =
                    ratesTopPoints + step * static_cast<double>(index) + panelHeaderPoints;
                const double bottom = page.height - page.TitlePoints() - top - panelPoints;
                commands << Margins(page, ratesLeftPoints, ratesRightPoints, top, bottom);
                if (index + 1 == panels.size())
                {
                    commands
                        << "set format x '%g'\n"
                        << "set xlabel 'Time since the start of the iteration (s)' offset 0,0.3\n";
                }
                const auto data = commands.Add(Steps(panels[index], window.Seconds()));
                commands << "set label 2 " << Quoted(panels[index].name)
                         << " at graph 0, graph 1 left offset 0,0.6\n"
                         << "plot " << data
                         << " using 1:2 with filledcurves y1=0 fs solid 1 noborder lc rgb '"
                         << areaColour << "', " << data << " using 1:2 with lines lw 0.6 lc rgb '"
                         << lineColour << "'\n";
                commands << "unset label 1\n";
            }
            commands << "unset multiplot\n";
        });
}

} // namespace geotrain
