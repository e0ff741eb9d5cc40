// SPDX-License-Identifier: GPL-2.0-only
#include "metrics/convergence-time.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

constexpr double nearFair = 0.1;                       // share of the fair share
constexpr std::int64_t shortestHoldNs = 1'000'000'000; // a flow must hold its share so long,
constexpr std::int64_t roundTripsOfHold = 50;          // and for so many round trips

double
FairShareAt(const trace::TransferFlow& flow, std::int64_t timeNs)
{
    double share = 0;
    for (const auto& fair : flow.fair_shares())
    {
        share = fair.from_ns() <= timeNs ? fair.bps() : share;
    }
    return share;
}

/// Returns the time in s from `fromNs` until the flow has its fair share, which it must hold before
/// `endNs`.
std::optional<double>
Convergence(const trace::TransferFlow& flow,
            const FlowSeries& series,
            std::int64_t fromNs,
            std::int64_t endNs)
{
    const std::int64_t holdNs = std::max(shortestHoldNs, roundTripsOfHold * flow.round_trip_ns());
    for (const auto& point : series.delivered)
    {
        if (point.timeNs + holdNs > endNs)
        {
            break;
        }
        const double fair = FairShareAt(flow, point.timeNs);
        const double bits = 8 * (series.BytesAt(point.timeNs + holdNs) - point.bytes);
        const double goodput = bits * 1e9 / static_cast<double>(holdNs);
        if (point.timeNs >= fromNs && std::abs(goodput - fair) <= nearFair * fair)
        {
            return static_cast<double>(point.timeNs - fromNs) / 1e9;
        }
    }
    return std::nullopt;
}

/// Returns whether another steady flow leaves at `timeNs`.
bool
IsLeaveOfAnother(const FlowTally& tally, std::size_t flow, std::int64_t timeNs)
{
    for (std::size_t other = 0; other < tally.flows.size(); ++other)
    {
        if (other != flow && tally.Flow(other).message_bytes() == 0 &&
            tally.Flow(other).stop_ns() == timeNs)
        {
            return true;
        }
    }
    return false;
}

} // namespace

std::optional<double>
ConvergenceOfJoin(const trace::TransferFlow& flow, const FlowSeries& series, std::int64_t endNs)
{
    return Convergence(flow, series, flow.start_ns(), endNs);
}

LeaveConvergence
ConvergenceAfterLeaves(const FlowTally& tally, std::size_t flow)
{
    const auto& own = tally.Flow(flow);
    const std::int64_t endNs = std::min(own.stop_ns(), tally.endNs);
    LeaveConvergence convergence;
    for (int i = 1; i < own.fair_shares_size(); ++i)
    {
        const std::int64_t leaveNs = own.fair_shares(i).from_ns();
        if (leaveNs >= endNs || !IsLeaveOfAnother(tally, flow, leaveNs))
        {
            continue;
        }
        const bool isLast = i + 1 == own.fair_shares_size();
        const std::int64_t nextNs = isLast ? endNs : own.fair_shares(i + 1).from_ns();
        ++convergence.changes;
        const auto seconds = Convergence(own, tally.flows[flow], leaveNs, std::min(endNs, nextNs));
        if (seconds)
        {
            convergence.seconds.push_back(*seconds);
        }
    }
    return convergence;
}

} // namespace geotrain
