// SPDX-License-Identifier: GPL-2.0-only
// The runs of the paper's figures about the WAN: bulk messages and training by congestion control.
#include "suite/paper-sets.h"

#include <fmt/format.h>

namespace geotrain
{

namespace
{

using Lines = std::vector<std::string>;

const Lines controls = {"TcpCubic", "TcpLinuxReno", "TcpHtcp", "TcpBbr", "TcpBbr3"};

/// Returns a series per congestion control.
std::vector<SuiteSeries>
SeriesOfControls(const Lines& names)
{
    std::vector<SuiteSeries> series;
    for (const auto& name : names)
    {
        series.push_back({name, name, {"transport.congestion_control=" + name}});
    }
    return series;
}

/// Returns points at round trips over one link.
std::vector<SuitePoint>
RoundTripsOfLink(const std::vector<double>& milliseconds)
{
    std::vector<SuitePoint> points;
    for (const double rtt : milliseconds)
    {
        points.push_back({rtt,
                          fmt::format("{:g}ms", rtt),
                          {fmt::format("wan_link[0].delay={:g}ms", rtt / 2)}});
    }
    return points;
}

/// Returns a set of bulk messages over a link of 5 Gbit/s and 40 ms.
RunSet
Messages(const std::string& name, const Lines& more)
{
    RunSet set;
    set.name = name;
    set.scenario = "congestion-control-wan";
    set.sets = {"wan_link[0].rate=5Gbps",
                "wan_link[0].delay=20ms",
                "wan_link[0].queue=0.5bdp",
                "wan_link[0].loss=0",
                "mtu=9000",
                "transport.congestion_control=TcpCubic",
                "transport.connections=1",
                "transport.window=400MB",
                "transfer.cold=false",
                "transfer.gap=0",
                "run.sample_interval=1s"};
    set.sets.insert(set.sets.end(), more.begin(), more.end());
    set.cpuSeconds = 0.5;
    return set;
}

RunSet
Connections(bool quick)
{
    auto set = Messages("connections-rtt",
                        {"transfer.size=1GB",
                         "transfer.messages=2",
                         "wan_link[0].queue=1bdp",
                         "transport.window=1.5MB"});
    set.series = {{"1", "1 connection"},
                  {"4", "4 connections", {"transport.connections=4"}},
                  {"20", "20 connections", {"transport.connections=20"}}};
    set.points = RoundTripsOfLink(quick ? std::vector<double>{5, 10, 20, 30, 40, 60, 80, 100}
                                        : std::vector<double>{5, 10, 15, 20, 30, 40, 50, 60, 80, 100,
                                                              150, 200});
    return set;
}

std::vector<std::int64_t>
SeedsFor(bool quick)
{
    return quick ? std::vector<std::int64_t>{1, 2, 3}
                 : std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
}

RunSet
ControlsOverDistance(bool quick)
{
    auto set = Messages("controls-rtt",
                        {"transfer.size=512MB", "transfer.messages=5", "wan_link[0].loss=0.00001"});
    set.series = SeriesOfControls(controls);
    set.points = RoundTripsOfLink(quick ? std::vector<double>{10, 40, 100, 200}
                                        : std::vector<double>{10, 20, 40, 70, 100, 150, 200});
    set.seeds = SeedsFor(quick);
    return set;
}

RunSet
ControlsOverLoss(bool quick)
{
    auto set = Messages("controls-loss", {"transfer.size=512MB"});
    set.series = SeriesOfControls(controls);
    // As many messages as it takes for tens of losses, so that the start weighs little.
    const std::pair<std::string, int> losses[] = {
        {"0.000001", 20}, {"0.00001", 40}, {"0.0001", 10}, {"0.001", 3}};
    for (const auto& [loss, messages] : losses)
    {
        const double x = std::stod(loss);
        set.points.push_back({x,
                              fmt::format("{:g}", x),
                              {"wan_link[0].loss=" + loss,
                               fmt::format("transfer.messages={}", messages)}});
    }
    set.cpuSeconds = 1;
    set.seeds = SeedsFor(quick);
    return set;
}

RunSet
CompletionTimes(bool quick)
{
    auto set = Messages("controls-completion",
                        {"transfer.size=32MB", "transfer.messages=100", "wan_link[0].loss=0.00001"});
    set.series = SeriesOfControls(controls);
    set.seeds = SeedsFor(quick);
    return set;
}

RunSet
TrainingByControl(bool quick, bool crossTraffic)
{
    RunSet set;
    set.name = crossTraffic ? "controls-training-cross" : "controls-training";
    set.scenario = "congestion-control-training";
    set.sets = {"wan_link[0].rate=5Gbps",
                "wan_link[0].delay=20ms",
                "wan_link[0].queue=0.5bdp",
                "model.microbatches=8",
                "transport.connections=4",
                "transport.window=64MB",
                crossTraffic ? "cross_traffic[*].load=0.3" : "cross_traffic[*].load=0",
                "run.sample_interval=1s",
                "run.warmup_iterations=1",
                quick ? "run.iterations=4" : "run.iterations=10"};
    set.series = SeriesOfControls(controls);
    set.points = PointsAt({"0", "0.00001", "0.0001", "0.001"}, {"wan_link[0].loss"});
    set.seeds = SeedsFor(quick);
    set.cpuSeconds = crossTraffic ? 1 : 0.4;
    return set;
}

/// Returns a long message by congestion control, sampled often.
RunSet
OverTime()
{
    auto set = Messages("controls-time",
                        {"transfer.size=24GB",
                         "transfer.messages=1",
                         "wan_link[0].queue=1bdp",
                         "run.sample_interval=40ms"});
    set.series = SeriesOfControls({"TcpCubic", "TcpBbr", "TcpBbr3"});
    return set;
}

} // namespace

std::vector<RunSet>
TransportRunSets(bool quick)
{
    return {Connections(quick),
            ControlsOverDistance(quick),
            ControlsOverLoss(quick),
            CompletionTimes(quick),
            TrainingByControl(quick, false),
            TrainingByControl(quick, true),
            OverTime()};
}

} // namespace geotrain
