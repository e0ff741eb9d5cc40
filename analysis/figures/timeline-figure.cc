#include "figures/timeline-figure.h"

#include "figures/figure.h"
#include "figures/timeline-layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>

namespace geotrain
{

namespace
{

constexpr double topPoints = 30;    // for the legend
constexpr double bottomPoints = 36; // for the axis
constexpr double leftPoints = 62;
constexpr double rightPoints = 14;

constexpr const char* idleTitle = "Idle";
constexpr const char* allReduceTitle = "All-reduce";
constexpr double barHeight = 0.76; // of a row
constexpr double collectiveHeight = 0.3;
constexpr double borderedPoints = 2; // narrower boxes would be lost under a border

/// How a kind of work is drawn: luminance falls from kind to kind, so that grey prints keep them
/// apart.
struct Style
{
    trace::GpuWork kind;
    const char* title;
    const char* colour;
};

constexpr std::array<Style, 5> styles = {{
    {trace::GPU_WORK_FORWARD, "Forward", "#a8d5f0"},                 // L* 83
    {trace::GPU_WORK_RECOMPUTE, "Recomputation", "#eda63f"},         // L* 73
    {trace::GPU_WORK_BACKWARD, "Backward", "#2f7fb8"},               // L* 51
    {trace::GPU_WORK_WEIGHT_GRADIENT, "Weight gradient", "#7a2f6c"}, // L* 32
    {trace::GPU_WORK_OPTIMIZER_STEP, "Optimiser step", "#1a1a1a"},   // L* 9
}};
constexpr const char* idleColour = "#efefef";      // L* 94
constexpr const char* allReduceColour = "#5b7f5e"; // L* 50; told from the others by its height

/// The boxes of every row, by what they show. Times are seconds since the iteration's start.
class Boxes
{
  public:
    Boxes(const RunTally& tally, const TimelineLayout& layout)
        : m_window(tally.LastIteration()),
          m_layout(layout)
    {
        std::map<std::uint32_t, std::size_t> rowOf;
        for (std::size_t row = 0; row < layout.workers.size(); ++row)
        {
            rowOf[static_cast<std::uint32_t>(layout.workers[row])] = row;
            Add(m_idle, row, barHeight, m_window.startNs, m_window.endNs);
            for (const auto& span : tally.SpansOf(layout.workers[row]))
            {
                Add(m_work[span.kind()], row, barHeight, span.start_ns(), span.end_ns());
            }
        }
        for (const auto& collective : tally.Collectives())
        {
            const auto row = rowOf.find(collective.worker());
            if (row != rowOf.end())
            {
                Add(m_collectives,
                    row->second,
                    collectiveHeight,
                    collective.joined_ns(),
                    collective.ended_ns());
            }
        }
    }

    const std::vector<Box>& Idle() const
    {
        return m_idle;
    }

    const std::vector<Box>& Collectives() const
    {
        return m_collectives;
    }

    const std::vector<Box>& Work(trace::GpuWork kind) const
    {
        static const std::vector<Box> none;
        const auto found = m_work.find(kind);
        return found == m_work.end() ? none : found->second;
    }

  private:
    /// A box of `height` rows in the middle of a row.
    void Add(std::vector<Box>& boxes,
             std::size_t row,
             double height,
             std::int64_t startNs,
             std::int64_t endNs)
    {
        const std::int64_t from = std::max(startNs, m_window.startNs);
        const std::int64_t to = std::min(endNs, m_window.endNs);
        if (from < to)
        {
            const double middle = m_layout.tops[row] + m_layout.rowPoints / 2;
            const double half = height / 2 * m_layout.rowPoints;
            boxes.push_back(MakeBox(static_cast<double>(from - m_window.startNs) / 1e9,
                                    static_cast<double>(to - m_window.startNs) / 1e9,
                                    middle - half,
                                    middle + half));
        }
    }

    MeasuredSpan m_window;
    const TimelineLayout& m_layout;
    std::vector<Box> m_idle;
    std::vector<Box> m_collectives;
    std::map<trace::GpuWork, std::vector<Box>> m_work;
};

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

struct Layer
{
    const std::vector<Box>* boxes;
    std::string fill;
    const char* title;
};

/// In points, where the plot area is `seconds` wide.
double
MeanWidth(const std::vector<Box>& boxes, double seconds)
{
    double sum = 0;
    for (const Box& box : boxes)
    {
        sum += std::get<3>(box) - std::get<2>(box); // right and left
    }
    const double areaPoints = FigureSize().width - leftPoints - rightPoints;
    return boxes.empty() ? 0 : sum / static_cast<double>(boxes.size()) / seconds * areaPoints;
}

/// What there is to draw, from back to front.
std::vector<Layer>
LayersOf(const Boxes& boxes, const TimelineLayout& layout, double seconds)
{
    std::vector<Layer> layers = {
        {&boxes.Idle(), fmt::format("fs solid 1 noborder fc rgb '{}'", idleColour), idleTitle},
        {&boxes.Collectives(),
         fmt::format("fs solid 1 noborder fc rgb '{}'", allReduceColour),
         allReduceTitle}};
    for (const auto& style : styles)
    {
        const bool bordered =
            layout.rowsHaveLabels && MeanWidth(boxes.Work(style.kind), seconds) >= borderedPoints;
        layers.push_back({&boxes.Work(style.kind),
                          fmt::format("fs solid 1 {} fc rgb '{}'",
                                      bordered ? "border lc rgb 'white' lw 0.15" : "noborder",
                                      style.colour),
                          style.title});
    }
    layers.erase(std::remove_if(layers.begin(),
                                layers.end(),
                                [](const Layer& layer) { return layer.boxes->empty(); }),
                 layers.end());
    return layers;
}

/// Kinds of work first.
std::vector<LegendEntry>
LegendEntries(const std::vector<Layer>& layers)
{
    std::vector<LegendEntry> entries;
    for (const auto& layer : layers)
    {
        entries.push_back({layer.fill, layer.title});
        if (entries.back().title == allReduceTitle)
        {
            entries.back().halfHeight *= collectiveHeight / barHeight;
        }
    }
    const auto firstWork =
        std::find_if(entries.begin(),
                     entries.end(),
                     [](const auto& entry)
                     { return entry.title != idleTitle && entry.title != allReduceTitle; });
    std::rotate(entries.begin(), firstWork, entries.end());
    return entries;
}

void
PlotLayers(Gnuplot& commands, const std::vector<Layer>& layers)
{
    std::string separator = "plot ";
    for (const auto& layer : layers)
    {
        commands << separator << "'-' with boxxyerror " << layer.fill;
        separator = ", ";
    }
    commands << "\n";
    for (const auto& layer : layers)
    {
        commands.send1d(*layer.boxes);
    }
}

} // namespace

std::vector<std::filesystem::path>
DrawTimeline(const RunTally& tally, const std::filesystem::path& stem)
{
    const TimelineLayout layout = LayOutTimeline(tally.Header());
    const Boxes boxes(tally, layout);
    const std::vector<Layer> layers = LayersOf(boxes, layout, tally.LastIteration().Seconds());
    FigureSize size;
    size.height = topPoints + layout.heightPoints + bottomPoints;
    return DrawFigure(
        stem,
        size,
        [&](Gnuplot& commands)
        {
            commands << Margins(size, leftPoints, rightPoints, topPoints, bottomPoints)
                     << fmt::format("set xrange [0:{}]\nset yrange [{}:0]\n",
                                    tally.LastIteration().Seconds(),
                                    layout.heightPoints)
                     << "set border 1 lw 0.5\nset xtics nomirror out scale 0.6\n"
                     << "set xlabel 'Time since the start of the iteration (s)' offset 0,0.3\n"
                     << "set ylabel " << Quoted(VerticalAxisLabel(tally.Header(), layout)) << "\n"
                     << "unset key\n"
                     << Legend(size, 4, LegendEntries(layers)) << RowLabels(tally.Header(), layout);
            for (const auto& [middle, text] : layout.headers)
            {
                commands << "set label " << Quoted(text) << " at graph 0, first " << middle
                         << " left\n";
            }
            PlotLayers(commands, layers);
        });
}

} // namespace geotrain
