// SPDX-License-Identifier: GPL-2.0-only
// The paper's figures about the WAN: connections, congestion controls, and ways of sharing it.
#include "figures/heat-map-figure.h"
#include "figures/metric-points.h"
#include "figures/number-with-unit.h"
#include "suite/paper-sets.h"
#include "suite/suite-drawing.h"
#include "suite/time-panels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

constexpr double linkGbps = 5;
constexpr double windowBits = 1.5e6 * 8;
constexpr double segmentBytes = 8948; // payload of a packet of 9,000 bytes with timestamps

/// Returns min(connections x window / RTT, link) over the round trips of `set`, in Gbit/s.
CurvePoints
WindowOverRoundTrip(const RunSet& set, double connections)
{
    CurvePoints points;
    const double last = set.points.back().x;
    for (double rtt = set.points.front().x; rtt <= last; rtt += 0.5)
    {
        points.emplace_back(rtt,
                            std::min(linkGbps, connections * windowBits / (rtt * 1e-3) * 1e-9));
    }
    return points;
}

void
DrawConnections(const SuiteResults& results, const FigurePlace& place)
{
    const auto& set = results.at("connections-rtt");
    SuiteCurveLabels labels{"Round-trip time (ms)", "Goodput (Gbit/s)"};
    for (const double connections : {1, 4, 20})
    {
        labels.references.emplace_back(connections == 1 ? "min(n x window / RTT, link)" : "",
                                       WindowOverRoundTrip(set.Set(), connections));
    }
    labels.published = {
        {"Atlas's measurement, 1 connection", {{10, 1.22}, {20, 0.6}, {30, 0.396}, {40, 0.293}}, {}}};
    DrawSuiteCurves(labels, set.Curves("goodput", 1e-9), place);
}

void
DrawControlsOverDistance(const SuiteResults& results, const FigurePlace& place)
{
    SuiteCurveLabels labels{"Round-trip time (ms)", "Goodput (% of the link)"};
    labels.most = 100;
    DrawSuiteCurves(labels, results.at("controls-rtt").Curves("goodput_over_capacity", 100), place);
}

/// Returns the share of the link, in percent, that a window of `segments(p)` gives at 40 ms, for p
/// from 1e-6 to 1e-3.
template <typename Segments>
CurvePoints
ResponseOver(Segments segments)
{
    constexpr double rttSeconds = 0.04;
    CurvePoints points;
    for (double exponent = -6; exponent <= -3; exponent += 0.05)
    {
        const double loss = std::pow(10, exponent);
        const double gbps = segments(loss, rttSeconds) * segmentBytes * 8 / rttSeconds * 1e-9;
        points.emplace_back(loss, std::min(100.0, 100 * gbps / linkGbps));
    }
    return points;
}

void
DrawControlsOverLoss(const SuiteResults& results, const FigurePlace& place)
{
    SuiteCurveLabels labels{"Random loss of packets", "Goodput (% of the link)", true};
    labels.most = 100;
    labels.references = {
        {"CUBIC: 1.054 (RTT/p)^0.75 (RFC 9438)",
         ResponseOver([](double loss, double rtt) { return 1.054 * std::pow(rtt / loss, 0.75); })},
        {"Reno: 1.22 / p^0.5 (Mathis et al.)",
         ResponseOver([](double loss, double) { return 1.22 / std::sqrt(loss); })}};
    DrawSuiteCurves(labels, results.at("controls-loss").Curves("goodput_over_capacity", 100), place);
}

void
DrawCompletion(const SuiteResults& results, const FigurePlace& place)
{
    const auto& set = results.at("controls-completion");
    std::vector<SuiteCurve> curves;
    for (std::size_t series = 0; series < set.Set().series.size(); ++series)
    {
        curves.push_back({set.Set().series[series].title,
                          StairsOf(Pooled(set.SeedsAt(series), &Summary::completionTimes)),
                          {}});
    }
    SuiteCurveLabels labels{"Completion time of a message (s)", "Share of messages (%)"};
    labels.look = CurveLook::Stairs;
    labels.logX = true;
    labels.leastTop = 100;
    DrawSuiteCurves(labels, curves, place);
}

HeatMap
IterationMap(const SetResults& set)
{
    HeatMap map;
    map.xLabel = "Random loss of packets";
    map.valueLabel = "Cells: iteration time (s); shades are logarithmic";
    std::vector<double> losses;
    for (const auto& point : set.Set().points)
    {
        losses.push_back(point.x);
    }
    map.columns = TextsOfNumbers(losses);
    bool hasSeeds = false;
    for (std::size_t series = 0; series < set.Set().series.size(); ++series)
    {
        map.rows.push_back(set.Set().series[series].title);
        auto& row = map.values.emplace_back();
        auto& halfWidths = map.halfWidths.emplace_back();
        for (std::size_t point = 0; point < set.Set().points.size(); ++point)
        {
            const auto* found = set.At(series, point);
            row.push_back(found ? found->summary.Find("iteration_time") : std::nullopt);
            halfWidths.push_back(found ? MetricIn(found->summary, "iteration_time").halfWidth : 0);
            hasSeeds = hasSeeds || (found && found->seeds > 1);
        }
    }
    if (!hasSeeds)
    {
        map.halfWidths.clear();
    }
    return map;
}

/// Draws the map without or with cross traffic. Both have the same colours, so that they can be
/// compared.
void
DrawIterationMap(const SuiteResults& results, bool crossTraffic, const FigurePlace& place)
{
    const auto without = IterationMap(results.at("controls-training"));
    const auto with = IterationMap(results.at("controls-training-cross"));
    HeatMap map = crossTraffic ? with : without;
    map.title = crossTraffic ? "30 % cross traffic" : "No cross traffic";
    map.range = RangeOf({without, with});
    DrawHeatMap(map, place);
}

void
DrawMapWithout(const SuiteResults& results, const FigurePlace& place)
{
    DrawIterationMap(results, false, place);
}

void
DrawMapWithTraffic(const SuiteResults& results, const FigurePlace& place)
{
    DrawIterationMap(results, true, place);
}

void
DrawOverTime(const SuiteResults& results, const FigurePlace& place)
{
    const auto& set = results.at("controls-time");
    std::vector<NamedTrace> runs;
    for (std::size_t series = 0; series < set.Set().series.size(); ++series)
    {
        if (const auto* found = set.At(series))
        {
            runs.push_back({found->title, found->trace});
        }
    }
    DrawConnectionPanels(runs, {"near -> far", 1e9 * linkGbps}, place);
}

void
DrawSharing(const SuiteResults& results, const FigurePlace& place)
{
    const auto& distance = results.at("systems-rtt");
    const auto& more = results.at("systems");
    std::vector<NamedTrace> runs;
    if (const auto* spatial = distance.At(distance.SeriesOf("twenty"), distance.PointOf("40ms")))
    {
        runs.push_back({"Spatial sharing", spatial->trace});
    }
    if (const auto* temporal = more.At(more.SeriesOf("temporal")))
    {
        runs.push_back({"Temporal sharing", temporal->trace});
    }
    constexpr double nodePairs = 4;
    DrawWanPanels(runs, {"dc-a -> dc-b", "dc-b -> dc-a"}, 1e9 * linkGbps * nodePairs, place);
}

constexpr const char* messageSetting =
    "A link of 5 Gbit/s; one message after another over warm connections; packets.";

const std::string trainingSetting =
    "Two stages on two A100 across a link of 5 Gbit/s, 40 ms and a buffer of half a bandwidth-delay "
    "product, 8 microbatches of 16.8 MB over 4 warm connections. Means over seeds.";

} // namespace

std::vector<SuiteFigure>
TransportFigures()
{
    return {
        {"connections-rtt",
         "What throughput do one and several TCP connections get over a distance?",
         std::string(messageSetting) +
             " CUBIC, a window of 1.5 MB per connection, no random loss, a buffer of one "
             "bandwidth-delay product. The points of Atlas (arXiv 2411.14458) are recalled, not read "
             "off the paper.",
         {"connections-rtt"},
         DrawConnections},
        {"goodput-rtt",
         "Which congestion control keeps its goodput over a distance?",
         std::string(messageSetting) +
             " Random loss of 1e-5, buffer of half a bandwidth-delay product, messages of 512 MB over "
             "one connection. Means and 95 % intervals over seeds.",
         {"controls-rtt"},
         DrawControlsOverDistance},
        {"goodput-loss",
         "Which congestion control keeps its goodput under random loss?",
         std::string(messageSetting) +
             " Round trip 40 ms, buffer of half a bandwidth-delay product, messages of 512 MB over "
             "one connection. Means and 95 % intervals over seeds; lines are the formulas' windows "
             "over the round trip.",
         {"controls-loss"},
         DrawControlsOverLoss},
        {"completion-cdf",
         "How are the completion times of messages distributed?",
         std::string(messageSetting) +
             " Round trip 40 ms, random loss of 1e-5, 100 messages of 32 MB over one connection and "
             "for each seed. At the link's rate one takes 51 ms "
             "and half a round trip more.",
         {"controls-completion"},
         DrawCompletion},
        {"iteration-map",
         "How long is a training iteration by congestion control and loss?",
         trainingSetting + " The colours are those of iteration-map-cross-traffic.",
         {"controls-training", "controls-training-cross"},
         DrawMapWithout},
        {"iteration-map-cross-traffic",
         "How long is it when others' files take 30 % of the link?",
         trainingSetting + " Files of 10 MB on average, each on a CUBIC connection of its own.",
         {"controls-training", "controls-training-cross"},
         DrawMapWithTraffic},
        {"window-time",
         "What do congestion window, round trip, queue and throughput do over time?",
         std::string(messageSetting) +
             " One connection, round trip 40 ms, buffer of one bandwidth-delay product (25 MB), no "
             "random loss, one message of 24 GB; a sample every 40 ms.",
         {"controls-time"},
         DrawOverTime},
        {"wan-sharing",
         "How is the WAN used when pipelines share it spatially and temporally?",
         "1F1B with 20 connections at a round trip of 40 ms (see iteration-rtt), last iteration. The "
         "dashed line is what the four node pairs may carry.",
         {"systems-rtt", "systems"},
         DrawSharing},
    };
}

} // namespace geotrain
