// SPDX-License-Identifier: GPL-2.0-only
#include "metrics/response-time.h"

#include <algorithm>
#include <numeric>

namespace geotrain
{

namespace
{

constexpr double responseShare = 0.9;               // of the new fair share
constexpr std::int64_t roundTripsOfWindow = 5;      // over which goodput is taken,
constexpr std::int64_t leastWindowNs = 100'000'000; // and at least

/// Returns the time from `rise`, a step of the flow's fair share, until the flow has taken it.
double
ResponseTo(const trace::TransferFlow& flow, const FlowSeries& series, int rise, std::int64_t endNs)
{
    const std::int64_t from = flow.fair_shares(rise).from_ns();
    const bool isLast = rise + 1 == flow.fair_shares_size();
    const std::int64_t end =
        isLast ? std::min(flow.stop_ns(), endNs) : flow.fair_shares(rise + 1).from_ns();
    const std::int64_t window =
        std::max(leastWindowNs, roundTripsOfWindow * flow.round_trip_ns());
    const double wanted = responseShare * flow.fair_shares(rise).bps();
    for (const auto& point : series.delivered)
    {
        if (point.timeNs >= from && point.timeNs <= end)
        {
            const double bits = 8 * (point.bytes - series.BytesAt(point.timeNs - window));
            if (bits * 1e9 / static_cast<double>(window) >= wanted)
            {
                return static_cast<double>(point.timeNs - from) / 1e9;
            }
        }
    }
    return static_cast<double>(std::max<std::int64_t>(end - from, 0)) / 1e9;
}

} // namespace

std::optional<double>
ResponseSeconds(const FlowTally& tally)
{
    std::vector<double> responses;
    for (std::size_t i = 0; i < tally.Flows().size(); ++i)
    {
        const auto& flow = tally.Flow(i);
        for (int step = 1; step < flow.fair_shares_size(); ++step)
        {
            if (flow.message_bytes() == 0 &&
                flow.fair_shares(step).bps() > flow.fair_shares(step - 1).bps())
            {
                responses.push_back(ResponseTo(flow, tally.Flows()[i], step, tally.EndNs()));
            }
        }
    }
    if (responses.empty())
    {
        return std::nullopt;
    }
    return std::accumulate(responses.begin(), responses.end(), 0.0) /
           static_cast<double>(responses.size());
}

} // namespace geotrain
