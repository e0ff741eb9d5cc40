// SPDX-License-Identifier: GPL-2.0-only
#include "suite/time-panels.h"

#include "figures/panel-grid-figure.h"
#include "figures/wan-throughput.h"
#include "metrics/run-tally.h"
#include "trace/trace-reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>

namespace geotrain
{

namespace
{

/// ConnectionSeries are the samples of one run.
struct ConnectionSeries
{
    CurvePoints windowsMb; ///< by time in s
    CurvePoints roundTripsMs;
    CurvePoints queuesMb;
    CurvePoints gbps;
    double endSeconds = 0;
};

/// Reads the samples of the first connection between data centres, and of `link`.
ConnectionSeries
ReadConnection(const std::filesystem::path& trace, const std::string& link)
{
    using Connection = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
    TraceReader reader(trace.string());
    const auto siteOf = [&](std::uint32_t node)
    { return reader.Header().nodes(static_cast<int>(node)).data_centre(); };
    std::optional<Connection> first;
    ConnectionSeries series;
    while (const auto record = reader.Next())
    {
        if (record->has_flow_sample())
        {
            const auto& flow = record->flow_sample();
            const Connection own{flow.source(), flow.destination(), flow.connection()};
            if (!first && siteOf(flow.source()) != siteOf(flow.destination()))
            {
                first = own;
            }
            if (first == own)
            {
                const double seconds = static_cast<double>(flow.time_ns()) * 1e-9;
                series.windowsMb.emplace_back(seconds, static_cast<double>(flow.cwnd_bytes()) * 1e-6);
                series.roundTripsMs.emplace_back(seconds, static_cast<double>(flow.rtt_ns()) * 1e-6);
                series.endSeconds = seconds;
            }
        }
        if (record->has_link_sample() && record->link_sample().link() == link)
        {
            const auto& sample = record->link_sample();
            const double seconds = static_cast<double>(sample.time_ns()) * 1e-9;
            series.queuesMb.emplace_back(seconds, static_cast<double>(sample.queue_bytes()) * 1e-6);
            series.gbps.emplace_back(seconds,
                                     static_cast<double>(sample.bits()) /
                                         static_cast<double>(sample.interval_ns()));
        }
    }
    return series;
}

/// Returns the samples before `end`.
CurvePoints
Until(CurvePoints points, double end)
{
    const auto after = std::find_if(points.begin(),
                                    points.end(),
                                    [end](const auto& point) { return point.first > end; });
    points.erase(after, points.end());
    return points;
}

/// Returns both edges of each bin, so that a bin is drawn as a flat step.
CurvePoints
StepsOf(const std::vector<double>& ratesBps, double seconds)
{
    const double width = seconds / static_cast<double>(ratesBps.size());
    CurvePoints points;
    for (std::size_t bin = 0; bin < ratesBps.size(); ++bin)
    {
        points.emplace_back(width * static_cast<double>(bin), 1e-9 * ratesBps[bin]);
        points.emplace_back(width * static_cast<double>(bin + 1), 1e-9 * ratesBps[bin]);
    }
    return points;
}

/// Adds a row with the throughput of `links` in the last iteration of a run. Returns the length of
/// the iteration in s.
double
AddWanRow(PanelGrid& grid,
          const NamedTrace& run,
          const std::vector<std::string>& links,
          double capacityBps)
{
    constexpr std::size_t bins = 300;
    TraceReader reader(run.trace.string());
    const RunTally tally(reader);
    const auto window = tally.LastIteration();
    const auto throughput = GatherWanThroughput(tally, window, bins);
    PanelRow row{"Gbit/s", {}, 1e-9 * capacityBps, {}};
    for (const auto& link : links)
    {
        const auto found = throughput.bits.find(link);
        const auto rates = found == throughput.bits.end() ? std::vector<double>(bins)
                                                          : found->second.RatesBps();
        row.panels.push_back(StepsOf(rates, window.Seconds()));
        const double mean =
            std::accumulate(rates.begin(), rates.end(), 0.0) / static_cast<double>(rates.size());
        row.notes.push_back(fmt::format("{}: {:.0f} % used", run.name, 100 * mean / capacityBps));
    }
    grid.rows.push_back(row);
    return window.Seconds();
}

} // namespace

void
DrawConnectionPanels(const std::vector<NamedTrace>& runs,
                     const SampledLink& link,
                     const FigurePlace& place)
{
    PanelGrid grid;
    grid.xLabel = "Time (s)";
    grid.columnsAreSeries = true;
    grid.rows = {{"Window (MB)", {}},
                 {"Round trip (ms)", {}},
                 {"Queue (MB)", {}},
                 {"Rate (Gbit/s)", {}, 1e-9 * link.capacityBps}};
    std::vector<ConnectionSeries> all;
    for (const auto& run : runs)
    {
        grid.columns.push_back(run.name);
        all.push_back(ReadConnection(run.trace, link.name));
        grid.to = all.size() == 1 ? all.back().endSeconds : std::max(grid.to, all.back().endSeconds);
    }
    for (const auto& series : all)
    {
        grid.rows[0].panels.push_back(Until(series.windowsMb, series.endSeconds));
        grid.rows[1].panels.push_back(Until(series.roundTripsMs, series.endSeconds));
        grid.rows[2].panels.push_back(Until(series.queuesMb, series.endSeconds));
        grid.rows[3].panels.push_back(Until(series.gbps, series.endSeconds));
    }
    DrawPanelGrid(grid, place);
}

void
DrawWanPanels(const std::vector<NamedTrace>& runs,
              const std::vector<std::string>& links,
              double capacityBps,
              const FigurePlace& place)
{
    PanelGrid grid;
    grid.xLabel = "Time since the start of the iteration (s)";
    grid.columns = links;
    grid.to = 0;
    for (const auto& run : runs)
    {
        grid.to = std::max(grid.to, AddWanRow(grid, run, links, capacityBps));
    }
    DrawPanelGrid(grid, place);
}

} // namespace geotrain
