// SPDX-License-Identifier: GPL-2.0-only
#include "runner/fair-shares.h"

#include "analytic/max-min-fairness.h"
#include "units/random-stream.h"
#include "wan/rates-over-time.h"
#include "wan/resources.h"

#include <algorithm>
#include <memory>
#include <set>

namespace geotrain
{

namespace
{

constexpr double headersOfPacket = 52; // bytes: IPv4, TCP and timestamps

/// Returns the times at which shares may change, in their order.
std::set<std::int64_t>
ChangesOf(const WanTopology& wan,
          const std::vector<TransferFlow>& flows,
          const std::vector<FlowTimes>& times)
{
    std::set<std::int64_t> changes;
    for (std::size_t i = 0; i < times.size(); ++i)
    {
        if (flows[i].IsSteady())
        {
            changes.insert(times[i].start.ToNanoseconds());
            changes.insert(times[i].stop.ToNanoseconds());
        }
    }
    const Duration last = changes.empty() ? Duration() : Duration::Nanoseconds(*changes.rbegin());
    for (const auto& link : wan.links)
    {
        for (const bool forward : {true, false})
        {
            link.RatesOf(forward).AddChanges(last, changes);
        }
    }
    return changes;
}

/// Returns what those flows get of a WAN of constant rates, in their order.
std::vector<double>
RatesAt(const WanTopology& wan,
        const std::shared_ptr<const WanPaths>& paths,
        const std::vector<TransferFlow>& all,
        const std::vector<std::size_t>& flows)
{
    std::vector<NodePair> pairs;
    for (const std::size_t flow : flows)
    {
        const NodePair pair{all[flow].source, all[flow].destination};
        if (std::find(pairs.begin(), pairs.end(), pair) == pairs.end())
        {
            pairs.push_back(pair);
        }
    }
    const Resources resources(wan, pairs, paths);
    std::vector<FlowGroup> groups;
    for (const std::size_t flow : flows)
    {
        const auto& own = all[flow];
        FlowGroup group;
        group.links = resources.Of(own.source, own.destination);
        const Duration roundTrip =
            resources.RoundTrip(own.source, own.destination) + own.extraRoundTrip;
        const double window = 8 * static_cast<double>(own.window.Count()) / roundTrip.ToSeconds();
        const double most = wan.caps.connection
                                ? static_cast<double>(wan.caps.connection->ToBitsPerSecond())
                                : window;
        group.rateLimit = own.connections * std::min(window, most);
        groups.push_back(group);
    }
    std::vector<double> capacities;
    for (const BitRate rate : resources.Rates())
    {
        capacities.push_back(static_cast<double>(rate.ToBitsPerSecond()));
    }
    return MaxMinFairRates(groups, capacities);
}

} // namespace

std::vector<Duration>
DrawnDelays(const TransferSection& transfer, std::uint64_t seed)
{
    std::vector<Duration> delays;
    for (const auto& flow : transfer.flows)
    {
        RandomStream starts(seed, "flow-starts", flow.name);
        delays.push_back(Duration::Seconds(starts.Uniform() * transfer.startSpread.ToSeconds()));
    }
    return delays;
}

std::vector<FlowTimes>
TimesOf(const TransferSection& transfer, std::uint64_t seed)
{
    const auto delays = DrawnDelays(transfer, seed);
    std::vector<FlowTimes> times;
    for (std::size_t i = 0; i < transfer.flows.size(); ++i)
    {
        const auto& flow = transfer.flows[i];
        const bool beginsBefore = !flow.start && transfer.HasWarmUp();
        const Duration start =
            beginsBefore ? Duration() : flow.start.value_or(Duration()) + delays[i];
        times.push_back({std::min(start, flow.stop), flow.stop});
    }
    return times;
}

std::vector<std::vector<FairStep>>
FairSharesOf(const WanTopology& wan, const TransferSection& transfer, std::uint64_t seed)
{
    const auto& flows = transfer.flows;
    const auto times = TimesOf(transfer, seed);
    std::vector<std::vector<FairStep>> shares(flows.size());
    const auto paths = std::make_shared<const WanPaths>(wan);
    WanTopology withoutOutages = wan;
    for (auto& link : withoutOutages.links)
    {
        link.outages.clear();
    }
    RatesOverTime ratesOverTime(withoutOutages);
    for (const std::int64_t change : ChangesOf(wan, flows, times))
    {
        const Duration at = Duration::Nanoseconds(change);
        std::vector<std::size_t> active;
        for (std::size_t i = 0; i < flows.size(); ++i)
        {
            if (flows[i].IsSteady() && times[i].start <= at && at < times[i].stop)
            {
                active.push_back(i);
            }
        }
        if (active.empty())
        {
            continue;
        }
        const auto rates = RatesAt(ratesOverTime.At(at), paths, flows, active);
        for (std::size_t i = 0; i < active.size(); ++i)
        {
            auto& own = shares[active[i]];
            const double payload = rates[i] * PayloadShareOf(wan);
            if (own.empty() || own.back().bitsPerSecond != payload)
            {
                own.push_back({at, payload});
            }
        }
    }
    return shares;
}

double
PayloadShareOf(const WanTopology& topology)
{
    return 1 - headersOfPacket / static_cast<double>(topology.mtu.Count());
}

} // namespace geotrain
