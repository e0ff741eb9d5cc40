#include "figures/timeline-figure.h"

#include "figures/timeline-boxes.h"
#include "figures/timeline-layout.h"

#include <fmt/format.h>

#include <string>

namespace geotrain
{

namespace
{

constexpr double topPoints = 30;    // for the legend
constexpr double bottomPoints = 36; // for the axis
constexpr double leftPoints = 62;
constexpr double rightPoints = 14;

std::string
RowLabels(const trace::RunHeader& header, const TimelineLayout& layout)
{
    if (!layout.rowsHaveLabels)
    {
        return "unset ytics\n";
    }
    std::string labels;
    for (std::size_t row = 0; row < layout.workers.size(); ++row)
    {
        const auto& worker = header.workers(layout.workers[row]);
        labels += fmt::format("{}'r{} s{}' {}",
                              row == 0 ? "" : ", ",
                              worker.replica(),
                              worker.stage(),
                              layout.tops[row] + layout.rowPoints / 2);
    }
    return fmt::format("set ytics scale 0 font 'DejaVu Sans,{}' ({})\n", smallFontPoints, labels);
}

std::string
VerticalAxisLabel(const trace::RunHeader& header, const TimelineLayout& layout)
{
    if (layout.replicasShown > 0)
    {
        return fmt::format("Workers of {} of {} replicas", layout.replicasShown, header.replicas());
    }
    return layout.rowsHaveLabels ? "Worker (replica, stage)" : "Worker";
}

} // namespace

std::vector<std::filesystem::path>
DrawTimeline(const RunTally& tally, const std::filesystem::path& stem)
{
    const TimelineLayout layout = LayOutTimeline(tally.Header());
    TimelineBoxes boxes;
    boxes.Add(tally, layout);
    FigureSize size;
    size.height = topPoints + layout.heightPoints + bottomPoints;
    return DrawFigure(
        stem,
        size,
        [&](Gnuplot& commands)
        {
            commands << Margins(size, leftPoints, rightPoints, topPoints, bottomPoints)
                     << fmt::format("set xrange [0:{}]\nset yrange [{}:0]\n",
                                    boxes.Seconds(),
                                    layout.heightPoints)
                     << "set border 1 lw 0.5\nset xtics nomirror out scale 0.6\n"
                     << "set xlabel 'Time since the start of the iteration (s)' offset 0,0.3\n"
                     << "set ylabel " << Quoted(VerticalAxisLabel(tally.Header(), layout)) << "\n"
                     << "unset key\n"
                     << Legend(size, 4, boxes.LegendEntries()) << RowLabels(tally.Header(), layout);
            for (const auto& [middle, text] : layout.headers)
            {
                commands << "set label " << Quoted(text) << " at graph 0, first " << middle
                         << " left\n";
            }
            boxes.Plot(commands, size.width - leftPoints - rightPoints);
        });
}

} // namespace geotrain
