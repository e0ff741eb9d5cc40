// SPDX-License-Identifier: GPL-2.0-only
#include "figures/flow-figures.h"

#include "figures/curve-family-figure.h"
#include "figures/figure-files.h"
#include "metrics/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <vector>

namespace geotrain
{

namespace
{

constexpr std::size_t flowBins = 200; // over the width of the figure

/// Returns how many of the long flows have each congestion control.
std::map<std::string, std::size_t>
FlowsOfControls(const FlowTally& tally)
{
    std::map<std::string, std::size_t> flows;
    for (const auto& flow : tally.header.transfers().flows())
    {
        if (flow.message_bytes() == 0)
        {
            ++flows[flow.congestion_control()];
        }
    }
    return flows;
}

/// Returns whether a congestion control that isn't the only one has several flows. These share its
/// colour, and dashes tell them apart.
bool
ControlsHaveSeveralFlows(const std::map<std::string, std::size_t>& flows)
{
    return flows.size() > 1 && std::any_of(flows.begin(),
                                           flows.end(),
                                           [](const auto& flow) { return flow.second > 1; });
}

/// Names a curve, so that a control has the same colour in all figures: by its congestion control
/// where no other flow has that, and as "TcpCubic, late" where other flows have it, and others not.
std::string
NameOfCurve(const trace::TransferFlow& flow, const std::map<std::string, std::size_t>& flows)
{
    const std::string& control = flow.congestion_control();
    if (flows.at(control) == 1)
    {
        return control;
    }
    return flows.size() > 1 ? fmt::format("{}, {}", control, flow.name())
                            : fmt::format("{} ({})", flow.name(), control);
}

/// Returns the largest capacity of any flow's path over [from, to], as stairs.
CurvePoints
CapacityStairs(const FlowTally& tally, double from, double to, double perBps)
{
    std::set<double> times{from};
    std::vector<CapacityCurve> curves;
    for (const auto& flow : tally.header.transfers().flows())
    {
        curves.push_back(CapacityOfFlow(flow, tally.header));
        const auto changes = curves.back().ChangesIn(from, to);
        times.insert(changes.begin(), changes.end());
    }
    CurvePoints stairs;
    for (auto time = times.begin(); time != times.end(); ++time)
    {
        double bps = 0;
        for (const auto& curve : curves)
        {
            bps = std::max(bps, curve.At(*time));
        }
        stairs.emplace_back(*time, perBps * bps);
        stairs.emplace_back(std::next(time) == times.end() ? to : *std::next(time), perBps * bps);
    }
    return stairs;
}

/// Moves what exceeds the highest value of a point to the points before. Bytes behind a lost packet
/// are handed over at once when it has come again, but they came earlier, at no more than the
/// capacity.
void
SpreadBursts(CurvePoints& points, const std::vector<double>& highest)
{
    double excess = 0;
    for (std::size_t i = points.size(); i > 0; --i)
    {
        double& value = points[i - 1].second;
        value += excess;
        excess = std::max(0.0, value - highest[i - 1]);
        value -= excess;
    }
}

/// Returns the mean rate of a flow in each of the bins of [from, to], at the bins' middles. No rate is
/// above the flow's capacity.
CurvePoints
RatesOf(const FlowTally& tally, std::size_t flow, double from, double to, double perBps)
{
    const auto& own = tally.Flow(flow);
    const auto& series = tally.flows[flow];
    const double width = (to - from) / static_cast<double>(flowBins);
    const auto bytesAt = [&](double seconds)
    { return series.BytesAt(static_cast<std::int64_t>(1e9 * seconds)); };
    CurvePoints points;
    std::vector<double> highest;
    const CapacityCurve capacity = CapacityOfFlow(own, tally.header);
    for (std::size_t bin = 0; bin < flowBins; ++bin)
    {
        const double begin = from + width * static_cast<double>(bin);
        if (begin + width > SecondsOf(own.start_ns()) && begin < SecondsOf(own.stop_ns()))
        {
            const double bits = 8 * (bytesAt(begin + width) - bytesAt(begin));
            points.emplace_back(begin + width / 2, perBps * bits / width);
            highest.push_back(perBps * capacity.MeanIn(begin, begin + width));
        }
    }
    if (own.capacity_bps() > 0)
    {
        SpreadBursts(points, highest);
    }
    return points;
}

/// Returns a flow's fair share over the time of [from, to] as stairs.
CurvePoints
FairStairsOf(const trace::TransferFlow& flow, double from, double to, double perBps)
{
    CurvePoints stairs;
    const auto within = [from, to](std::int64_t ns) { return std::clamp(SecondsOf(ns), from, to); };
    for (int i = 0; i < flow.fair_shares_size(); ++i)
    {
        const bool isLast = i + 1 == flow.fair_shares_size();
        const std::int64_t end = isLast ? flow.stop_ns() : flow.fair_shares(i + 1).from_ns();
        const double share = perBps * flow.fair_shares(i).bps();
        const double first = within(flow.fair_shares(i).from_ns());
        const double last = within(end);
        if (first < last)
        {
            stairs.emplace_back(first, share);
            stairs.emplace_back(last, share);
        }
    }
    return stairs;
}

std::vector<std::filesystem::path>
DrawRates(const FlowTally& tally, const FigurePlace& place)
{
    const auto [from, to] = place.TimeRange(0, SecondsOf(tally.endNs));
    double capacity = 0;
    for (const auto& flow : tally.header.transfers().flows())
    {
        capacity = std::max(capacity, flow.capacity_bps());
    }
    const bool isFast = capacity >= 1e9;
    const double perBps = isFast ? 1e-9 : 1e-6;
    CurveFamily family{"Time (s)", isFast ? "Goodput (Gbit/s)" : "Goodput (Mbit/s)"};
    family.curvesAre = "flow";
    const auto flows = FlowsOfControls(tally);
    family.look = ControlsHaveSeveralFlows(flows) ? CurveLook::Lines : CurveLook::SolidLines;
    family.leftX = from;
    family.references.push_back({"capacity", CapacityStairs(tally, from, to, perBps)});
    std::set<CurvePoints> fair;
    for (std::size_t flow = 0; flow < tally.flows.size(); ++flow)
    {
        if (tally.Flow(flow).message_bytes() > 0)
        {
            continue;
        }
        auto points = RatesOf(tally, flow, from, to, perBps);
        if (!points.empty())
        {
            family.curves.emplace_back(NameOfCurve(tally.Flow(flow), flows), std::move(points));
        }
        const auto stairs = FairStairsOf(tally.Flow(flow), from, to, perBps);
        if (!stairs.empty() && fair.insert(stairs).second)
        {
            family.references.push_back({fair.size() == 1 ? "fair share" : "", stairs});
        }
    }
    return family.curves.empty() ? Files{} : DrawCurveFamily(family, place);
}

std::vector<std::filesystem::path>
DrawQueues(const FlowTally& tally, const FigurePlace& place)
{
    const auto [from, to] = place.TimeRange(0, SecondsOf(tally.endNs));
    CurveFamily family{"Time (s)", "Queueing delay (ms)", CurveLook::SolidLines};
    family.curvesAre = "link";
    family.leftX = from;
    for (const auto& [name, link] : tally.links)
    {
        CurvePoints points;
        const std::size_t step = link.points.size() / (4 * flowBins) + 1;
        for (std::size_t i = 0; i < link.points.size(); i += step)
        {
            const double seconds = SecondsOf(link.points[i].timeNs);
            if (seconds >= from && seconds <= to)
            {
                points.emplace_back(seconds, 1e3 * link.points[i].queueSeconds);
            }
        }
        if (!points.empty())
        {
            const bool isOnlyOne = tally.links.size() == 1;
            family.curves.emplace_back(isOnlyOne ? "" : name, std::move(points));
        }
    }
    return family.curves.empty() ? Files{} : DrawCurveFamily(family, place);
}

} // namespace

std::vector<std::filesystem::path>
DrawFlowFigures(const FlowTally& tally, const FigurePlace& folder)
{
    auto files = DrawRates(tally, folder / "flow-throughput");
    Append(files, DrawQueues(tally, folder / "queueing-delay"));
    return files;
}

} // namespace geotrain
