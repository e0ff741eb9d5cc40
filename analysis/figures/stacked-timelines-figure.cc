#include "figures/stacked-timelines-figure.h"

#include "figures/timeline-boxes.h"
#include "figures/timeline-layout.h"
#include "trace/trace-reader.h"

#include <fmt/format.h>

#include <utility>

namespace geotrain
{

namespace
{

constexpr double topPoints = 30;    // for the legend
constexpr double bottomPoints = 36; // for the axis
constexpr double leftPoints = 24;
constexpr double rightPoints = 14;

} // namespace

std::vector<std::filesystem::path>
DrawStackedTimelines(const std::vector<NamedTrace>& runs, const std::filesystem::path& stem)
{
    TimelineBoxes boxes;
    std::vector<std::pair<double, std::string>> headers;
    double bottom = 0;
    for (const auto& run : runs)
    {
        TraceReader reader(run.trace.string());
        const RunTally tally(reader);
        const auto layout = LayOutFirstReplica(tally.Header(), run.name, bottom);
        boxes.Add(tally, layout);
        headers.push_back(layout.headers.front());
        bottom = layout.heightPoints;
    }
    FigureSize size;
    size.height = topPoints + bottom + bottomPoints;
    return DrawFigure(
        stem,
        size,
        [&](Gnuplot& commands)
        {
            commands << Margins(size, leftPoints, rightPoints, topPoints, bottomPoints)
                     << fmt::format(
                            "set xrange [0:{}]\nset yrange [{}:0]\n", boxes.Seconds(), bottom)
                     << "set border 1 lw 0.5\nset xtics nomirror out scale 0.6\n"
                     << "set xlabel 'Time since the start of the iteration (s)' offset 0,0.3\n"
                     << "set ylabel 'Stages of a pipeline, the first one on top'\n"
                     << "unset ytics\nunset key\n"
                     << Legend(size, 4, boxes.LegendEntries());
            for (const auto& [middle, text] : headers)
            {
                commands << "set label " << Quoted(text) << " at graph 0, first " << middle
                         << " left\n";
            }
            boxes.Plot(commands, size.width - leftPoints - rightPoints);
        });
}

} // namespace geotrain
