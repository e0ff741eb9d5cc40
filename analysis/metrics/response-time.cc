// SPDX-License-Identifier: GPL-2.0-only
#include "metrics/response-time.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>

namespace geotrain
{

namespace
{

constexpr double responseShare = 0.9;               // of the fair share
constexpr std::int64_t roundTripsOfWindow = 5;      // over which goodput is taken,
constexpr std::int64_t leastWindowNs = 100'000'000; // and at least

/// A Rise is a change after which a flow may send more.
struct Rise
{
    std::int64_t fromNs = 0;
    std::int64_t endNs = 0; ///< of the time in which the flow can respond
    double shareBps = 0;    ///< fair share from then on
};

/// Returns the changes of a flow's fair share that raise it, and the ends of outages, in the order of
/// time.
std::vector<Rise>
RisesOf(const trace::TransferFlow& flow, std::int64_t endNs)
{
    std::map<std::int64_t, double> changes; // fair share by time
    for (const auto& share : flow.fair_shares())
    {
        changes[share.from_ns()] = share.bps();
    }
    std::set<std::int64_t> starts;
    for (const std::int64_t outage : flow.outage_ends_ns())
    {
        const auto next = changes.upper_bound(outage);
        if (next != changes.begin() && outage < flow.stop_ns())
        {
            changes.emplace(outage, std::prev(next)->second);
            starts.insert(outage);
        }
    }
    std::vector<Rise> rises;
    for (auto change = changes.begin(); change != changes.end(); ++change)
    {
        const bool isRise = change != changes.begin() && change->second > std::prev(change)->second;
        if (isRise || starts.count(change->first) > 0)
        {
            const auto next = std::next(change);
            const auto end = std::min(flow.stop_ns(), endNs);
            rises.push_back({change->first,
                             next == changes.end() ? end : std::min(end, next->first),
                             change->second});
        }
    }
    return rises;
}

/// Returns the time from `rise` until the flow has taken it.
double
ResponseTo(const Rise& rise, const trace::TransferFlow& flow, const FlowSeries& series)
{
    const std::int64_t window = std::max(leastWindowNs, roundTripsOfWindow * flow.round_trip_ns());
    for (const auto& point : series.delivered)
    {
        if (point.timeNs >= rise.fromNs && point.timeNs <= rise.endNs)
        {
            const double bits = 8 * (point.bytes - series.BytesAt(point.timeNs - window));
            if (bits * 1e9 / static_cast<double>(window) >= responseShare * rise.shareBps)
            {
                return static_cast<double>(point.timeNs - rise.fromNs) / 1e9;
            }
        }
    }
    return static_cast<double>(std::max<std::int64_t>(rise.endNs - rise.fromNs, 0)) / 1e9;
}

} // namespace

std::vector<double>
ResponsesOf(const trace::TransferFlow& flow, const FlowSeries& series, std::int64_t endNs)
{
    std::vector<double> responses;
    if (flow.message_bytes() == 0)
    {
        for (const auto& rise : RisesOf(flow, endNs))
        {
            responses.push_back(ResponseTo(rise, flow, series));
        }
    }
    return responses;
}

std::optional<double>
ResponseSeconds(const FlowTally& tally)
{
    std::vector<double> responses;
    for (std::size_t i = 0; i < tally.flows.size(); ++i)
    {
        const auto own = ResponsesOf(tally.Flow(i), tally.flows[i], tally.endNs);
        responses.insert(responses.end(), own.begin(), own.end());
    }
    if (responses.empty())
    {
        return std::nullopt;
    }
    return std::accumulate(responses.begin(), responses.end(), 0.0) /
           static_cast<double>(responses.size());
}

} // namespace geotrain
