// SPDX-License-Identifier: GPL-2.0-only
#include "figures/sample-panels.h"

#include "figures/panel-grid-figure.h"
#include "figures/wan-throughput.h"
#include "metrics/capacity-curve.h"
#include "metrics/run-tally.h"
#include "trace/trace-reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

namespace geotrain
{

namespace
{

/// Returns the time that the figure shows: of training the last iteration, of messages and flows all.
MeasuredSpan
ShownTime(const std::filesystem::path& trace)
{
    TraceReader reader(trace.string());
    return reader.Header().has_transfers()
               ? MeasuredSpan{0, std::numeric_limits<std::int64_t>::max()}
               : RunTally(reader).LastIteration();
}

/// RunSamples are the points of one run, a curve per panel, by the seconds since the start of its
/// shown time.
struct RunSamples
{
    std::vector<CurvePoints> curves;
    std::vector<double> highestBps; ///< capacity of each panel's link
    std::vector<double> meanBps;    ///< its mean in the shown time
    double seconds = 0; ///< until the last sample
};

/// A SampleTime is a sample's time, and whether it is shown.
struct SampleTime
{
    double seconds = 0;
    bool isShown = false;
};

SampleTime
TimeOf(std::int64_t timeNs, const MeasuredSpan& shown)
{
    return {static_cast<double>(timeNs - shown.startNs) * 1e-9,
            timeNs >= shown.startNs && timeNs <= shown.endNs};
}

void
AddFlowSample(RunSamples& samples,
              const std::vector<SamplePanel>& panels,
              const trace::FlowSample& flow,
              double seconds)
{
    for (std::size_t i = 0; i < panels.size(); ++i)
    {
        if (panels[i].quantity == SampledQuantity::Window)
        {
            samples.curves[i].emplace_back(seconds, static_cast<double>(flow.cwnd_bytes()) * 1e-6);
        }
        if (panels[i].quantity == SampledQuantity::RoundTrip)
        {
            samples.curves[i].emplace_back(seconds, static_cast<double>(flow.rtt_ns()) * 1e-6);
        }
    }
}

void
AddLinkSample(RunSamples& samples,
              const std::vector<SamplePanel>& panels,
              const trace::LinkSample& link,
              double seconds)
{
    for (std::size_t i = 0; i < panels.size(); ++i)
    {
        if (panels[i].link == link.link())
        {
            samples.curves[i].emplace_back(seconds,
                                           panels[i].quantity == SampledQuantity::Queue
                                               ? static_cast<double>(link.queue_bytes()) * 1e-6
                                               : static_cast<double>(link.bits()) /
                                                     static_cast<double>(link.interval_ns()));
        }
    }
}

/// Ends the curves with the connection: links go on being sampled until all is quiet.
void
EndAt(RunSamples& samples, double seconds)
{
    samples.seconds = seconds;
    for (auto& curve : samples.curves)
    {
        const auto isAfter = [seconds](const auto& point) { return point.first > seconds; };
        curve.erase(std::find_if(curve.begin(), curve.end(), isAfter), curve.end());
    }
}

RunSamples
ReadSamples(const std::filesystem::path& trace, const std::vector<SamplePanel>& panels)
{
    using Connection = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
    const auto shown = ShownTime(trace);
    TraceReader reader(trace.string());
    RunSamples samples{std::vector<CurvePoints>(panels.size()), {}, {}};
    const auto siteOf = [&](std::uint32_t node)
    { return reader.Header().nodes(static_cast<int>(node)).data_centre(); };
    std::optional<Connection> first;
    double last = 0; // of all connections
    while (const auto record = reader.Next())
    {
        if (record->has_flow_sample())
        {
            const auto& flow = record->flow_sample();
            const auto time = TimeOf(flow.time_ns(), shown);
            const Connection own{flow.source(), flow.destination(), flow.connection()};
            if (!first && siteOf(flow.source()) != siteOf(flow.destination()))
            {
                first = own;
            }
            last = time.isShown ? std::max(last, time.seconds) : last;
            if (time.isShown && first == own)
            {
                AddFlowSample(samples, panels, flow, time.seconds);
            }
        }
        if (record->has_link_sample())
        {
            const auto time = TimeOf(record->link_sample().time_ns(), shown);
            if (time.isShown)
            {
                AddLinkSample(samples, panels, record->link_sample(), time.seconds);
            }
        }
    }
    const bool isWhole = shown.endNs == std::numeric_limits<std::int64_t>::max();
    EndAt(samples, isWhole ? last : shown.Seconds());
    const double begin = static_cast<double>(shown.startNs) * 1e-9;
    const auto capacities = CapacitiesOfLinks(reader.Header());
    for (const auto& panel : panels)
    {
        const auto found = capacities.find(panel.link);
        const auto capacity = found == capacities.end() ? CapacityCurve() : found->second;
        samples.highestBps.push_back(capacity.Highest());
        samples.meanBps.push_back(capacity.MeanIn(begin, begin + samples.seconds));
    }
    return samples;
}

std::string
AxisLabelOf(SampledQuantity quantity)
{
    switch (quantity)
    {
    case SampledQuantity::Window:
        return "Window (MB)";
    case SampledQuantity::RoundTrip:
        return "Round trip (ms)";
    case SampledQuantity::Queue:
        return "Queue (MB)";
    default:
        return "Rate (Gbit/s)";
    }
}

/// Returns what a panel of rates says: its link, and how much of the capacity is used.
std::string
NoteOn(const std::string& link, const CurvePoints& rates, double capacityGbps)
{
    if (!(capacityGbps > 0) || rates.empty())
    {
        return link;
    }
    const double sum =
        std::accumulate(rates.begin(),
                        rates.end(),
                        0.0,
                        [](double total, const auto& point) { return total + point.second; });
    return fmt::format(
        "{}: {:.0f} % used", link, 100 * sum / static_cast<double>(rates.size()) / capacityGbps);
}

PanelRow
RowOf(const SamplePanel& panel, std::size_t place, const std::vector<RunSamples>& runs)
{
    PanelRow row{AxisLabelOf(panel.quantity), {}};
    for (const auto& run : runs)
    {
        row.panels.push_back(run.curves[place]);
        if (panel.quantity == SampledQuantity::Rate)
        {
            row.limit = run.highestBps[place] > 0 ? 1e-9 * run.highestBps[place] : row.limit;
            row.notes.push_back(NoteOn(panel.link, run.curves[place], 1e-9 * run.meanBps[place]));
        }
    }
    return row;
}

} // namespace

std::vector<std::filesystem::path>
DrawSamplePanels(const std::vector<NamedTrace>& runs,
                 const std::vector<SamplePanel>& panels,
                 const FigurePlace& place)
{
    PanelGrid grid;
    grid.xLabel = "Time (s)";
    grid.to = 0;
    std::vector<RunSamples> all;
    for (const auto& run : runs)
    {
        grid.columns.push_back(run.name);
        all.push_back(ReadSamples(run.trace, panels));
        grid.to = std::max(grid.to, all.back().seconds);
    }
    for (std::size_t i = 0; i < panels.size(); ++i)
    {
        grid.rows.push_back(RowOf(panels[i], i, all));
    }
    return DrawPanelGrid(grid, place);
}

} // namespace geotrain
