// SPDX-License-Identifier: GPL-2.0-only
#include "figures/congestion-figure.h"

#include "figures/curve-points.h"
#include "figures/figure.h"
#include "figures/metric-points.h"
#include "figures/time-axis.h"
#include "trace/trace-reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <tuple>

namespace geotrain
{

namespace
{

constexpr std::size_t mostConnections = 5; // of one run: more can't be told apart
constexpr std::size_t mostPoints = 2000;   // of a curve: more than a column has dots
constexpr double rowPoints = 58;           // of a panel
constexpr double rowGap = 8;
constexpr double connectionsTopPoints = 20; // for the headings
constexpr double connectionsAxisPoints = 34;
constexpr double connectionsLeftPoints = 36;
constexpr double middleGap = 40; // between window and round trip
constexpr double connectionsRightPoints = 12;

struct ConnectionSeries
{
    std::string name;
    std::string control;
    CurvePoints windowsMb; ///< by time in s
    CurvePoints roundTripsMs;
};

// The connections between the data centres of one run.
struct RunConnections
{
    std::vector<ConnectionSeries> shown; ///< the first of them, in the order of their first samples
    std::size_t all = 0;
};

std::string
NameOfConnection(const trace::RunHeader& header, const trace::FlowSample& sample)
{
    if (sample.flow_number() == 0)
    {
        return fmt::format("connection {}", sample.connection());
    }
    const auto& flow = header.transfers().flows(static_cast<int>(sample.flow_number()) - 1);
    const std::string name = fmt::format("{} ({})", flow.name(), flow.congestion_control());
    return flow.connections() == 1 ? name : fmt::format("{}, {}", name, sample.connection());
}

std::string
ControlOf(const trace::RunHeader& header, const trace::FlowSample& sample)
{
    return sample.flow_number() == 0 ? header.congestion_control()
                                     : header.transfers()
                                           .flows(static_cast<int>(sample.flow_number()) - 1)
                                           .congestion_control();
}

/// Ends the series of a flow that stopped before the run: its window stays, without a round trip.
void
EndWithTheLastRoundTrip(ConnectionSeries& series)
{
    const auto measured = std::find_if(series.roundTripsMs.rbegin(),
                                       series.roundTripsMs.rend(),
                                       [](const auto& point) { return point.second > 0; });
    if (measured != series.roundTripsMs.rend())
    {
        const auto kept = static_cast<std::size_t>(series.roundTripsMs.rend() - measured);
        series.windowsMb.resize(kept);
        series.roundTripsMs.resize(kept);
    }
}

RunConnections
ConnectionsOf(const NamedTrace& run, std::size_t most)
{
    TraceReader reader(run.trace.string(), run.job);
    const bool isOfFlows = reader.Header().transfers().flows_size() > 0;
    const auto siteOf = [&](std::uint32_t node) -> const std::string&
    { return reader.Header().nodes(static_cast<int>(node)).data_centre(); };
    std::vector<ConnectionSeries> all;
    std::map<std::array<std::uint32_t, 4>, std::size_t> index;
    while (const auto record = reader.Next())
    {
        const auto& sample = record->flow_sample();
        if (!record->has_flow_sample() || (isOfFlows && sample.flow_number() == 0) ||
            siteOf(sample.source()) == siteOf(sample.destination()))
        {
            continue;
        }
        const auto place = index.try_emplace(
            {sample.flow_number(), sample.source(), sample.destination(), sample.connection()},
            all.size());
        if (place.second && all.size() < most)
        {
            all.push_back({run.name.empty() ? NameOfConnection(reader.Header(), sample) : run.name,
                           ControlOf(reader.Header(), sample),
                           {},
                           {}});
        }
        if (place.first->second < all.size())
        {
            const double seconds = static_cast<double>(sample.time_ns()) / 1e9;
            auto& series = all[place.first->second];
            series.windowsMb.emplace_back(seconds, static_cast<double>(sample.cwnd_bytes()) / 1e6);
            series.roundTripsMs.emplace_back(seconds, static_cast<double>(sample.rtt_ns()) / 1e6);
        }
    }
    for (auto& series : all)
    {
        EndWithTheLastRoundTrip(series);
    }
    return {all, index.size()};
}

/// Returns the connection's samples, thinned where there are more than a column has dots.
FigureTable
TableOf(const ConnectionSeries& series)
{
    FigureTable table{{{"connection", series.name}},
                      {"time_s", "congestion_window_mb", "round_trip_ms"}};
    const std::size_t step = series.windowsMb.size() / mostPoints + 1;
    for (std::size_t i = 0; i < series.windowsMb.size(); i += step)
    {
        const auto& [seconds, window] = series.windowsMb[i];
        const double roundTrip = series.roundTripsMs[i].second;
        table.rows.push_back({seconds, window, roundTrip > 0 ? roundTrip : std::nan("")});
    }
    return table;
}

double
Highest(const std::vector<ConnectionSeries>& all, CurvePoints ConnectionSeries::*points)
{
    double highest = 0;
    for (const auto& series : all)
    {
        for (const auto& [x, y] : series.*points)
        {
            highest = std::max(highest, y);
        }
    }
    return highest > 0 ? highest : 1;
}

/// Returns the time of the last sample of all series. One that ends earlier leaves its panels empty
/// from then on.
double
LongestSeconds(const std::vector<ConnectionSeries>& all)
{
    double seconds = 0;
    for (const auto& series : all)
    {
        seconds = std::max(seconds, series.windowsMb.back().first);
    }
    return seconds > 0 ? seconds : 1;
}

/// Returns the colour of each series, which is that of its congestion control in every figure.
std::vector<std::string>
ConnectionColours(const std::vector<ConnectionSeries>& all)
{
    std::vector<std::string> controls;
    std::vector<std::size_t> places;
    for (const auto& series : all)
    {
        places.push_back(PlaceIn(controls, series.control));
    }
    const auto styles = StylesOf(controls);
    std::vector<std::string> colours;
    for (const std::size_t place : places)
    {
        colours.emplace_back(styles[place].colour);
    }
    return colours;
}

} // namespace

std::vector<std::filesystem::path>
DrawCongestion(const std::vector<NamedTrace>& runs, const FigurePlace& place)
{
    std::vector<ConnectionSeries> all;
    std::string title;
    for (const auto& run : runs)
    {
        auto connections = ConnectionsOf(run, runs.size() == 1 ? mostConnections : 1);
        if (connections.all > connections.shown.size())
        {
            title = runs.size() > 1 ? "The first connection of each run"
                                    : fmt::format("The first {} of {} connections",
                                                  connections.shown.size(),
                                                  connections.all);
        }
        std::move(connections.shown.begin(), connections.shown.end(), std::back_inserter(all));
    }
    if (all.empty())
    {
        return {};
    }
    const FigurePage page = place.Page(twoColumnPoints,
                                       connectionsTopPoints + connectionsAxisPoints - rowGap +
                                           static_cast<double>(all.size()) * (rowPoints + rowGap),
                                       title);
    const Panels panels = {all.size(),
                           2,
                           connectionsLeftPoints,
                           connectionsRightPoints,
                           connectionsTopPoints,
                           connectionsAxisPoints,
                           middleGap,
                           rowGap};
    const double windows = Highest(all, &ConnectionSeries::windowsMb);
    const double roundTrips = Highest(all, &ConnectionSeries::roundTripsMs);
    const auto range = place.TimeRange(0, LongestSeconds(all));
    const double from = range.first; // no structured binding: C++17 can't capture one
    const double to = range.second;
    const TimeUnit unit = TimeUnitOf(to);
    const auto colours = ConnectionColours(all);
    return DrawFigure(
        place,
        page,
        [&](FigureScript& commands)
        {
            const bool isNarrow = page.width < 400;
            const std::tuple<int, const char*, double> quantities[] = {
                {2, isNarrow ? "Window (MB)" : "Congestion window (MB)", windows},
                {3, isNarrow ? "Round trip (ms)" : "Round-trip time (ms)", roundTrips}};
            commands << Frame() << "set xtics " << TickStep(unit.perSecond * (to - from))
                     << fmt::format("\nset xrange [{}:{}]\nset format x ''\n",
                                    unit.perSecond * from,
                                    unit.perSecond * to);
            for (std::size_t i = 0; i < all.size(); ++i)
            {
                if (i + 1 == all.size())
                {
                    commands << "set format x '%g'\nset xlabel "
                             << Quoted(fmt::format("Time ({})", unit.symbol)) << " offset 0,0.3\n";
                }
                const auto data = commands.Add(TableOf(all[i]));
                for (const auto& [column, heading, highest] : quantities)
                {
                    const double top = 1.3 * highest; // with room for the name
                    commands << fmt::format("set yrange [0:{}]\nset ytics {}\n", top, TickStep(top))
                             << "set label 2 " << Quoted(i == 0 ? heading : "")
                             << " at graph 0, graph 1 left offset 0,0.6\nset label 3 "
                             << Quoted(column == 2 ? all[i].name : "")
                             << " at graph 0.02, graph 0.92 left font '," << fontPoints - 1
                             << "' front\nplot " << data << " using ($1*" << unit.perSecond
                             << "):" << column << " with lines lw 0.7 lc rgb '" << colours[i]
                             << "'\n";
                }
            }
        },
        panels);
}

} // namespace geotrain
