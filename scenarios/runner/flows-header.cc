// SPDX-License-Identifier: GPL-2.0-only
#include "runner/flows-header.h"

#include "runner/fair-shares.h"
#include "runner/trace-header.h"
#include "wan/capacity.h"
#include "wan/rates-over-time.h"

#include <set>

namespace geotrain
{

namespace
{

void
SetFlow(const TransferFlow& flow, const TestbedSpec& testbed, trace::TransferFlow& written)
{
    const WanTopology& topology = testbed.wan;
    const WanPaths& paths = *testbed.paths;
    written.set_name(flow.name);
    written.set_group(flow.group);
    written.set_source(flow.source);
    written.set_destination(flow.destination);
    written.set_congestion_control(ShortNameOf(flow.congestionControl));
    written.set_connections(flow.connections);
    written.set_window_bytes(static_cast<std::uint64_t>(flow.window.Count()));
    written.set_stop_ns(flow.stop.ToNanoseconds());
    written.set_message_bytes(static_cast<std::uint64_t>(flow.size.Count()));
    written.set_draws_sizes(flow.sizes != FlowSizes::Equal);
    std::set<std::int64_t> ends;
    for (const auto& hop :
         paths.AllHops(topology.SiteOf(flow.source), topology.SiteOf(flow.destination)))
    {
        const auto names = topology.NamesOfLink(hop.link);
        written.add_links(hop.forward ? names.first : names.second);
        for (const auto& outage : topology.links[hop.link].outages)
        {
            ends.insert(outage.end.ToNanoseconds());
        }
    }
    written.mutable_outage_ends_ns()->Add(ends.begin(), ends.end());
    const std::vector<NodePair> pair{{flow.source, flow.destination}};
    written.set_capacity_bps(UsableWanCapacity(topology, pair, testbed.paths));
    RatesOverTime rates(topology);
    for (const Duration at : rates.Changes())
    {
        AddCapacityStep(at,
                        UsableWanCapacity(rates.At(at), pair, testbed.paths),
                        *written.mutable_capacity_steps());
    }
    const Duration roundTrip = paths.RoundTripTime(flow.source, flow.destination).value();
    written.set_round_trip_ns((roundTrip + flow.extraRoundTrip).ToNanoseconds());
}

} // namespace

void
DescribeFlows(const Experiment& experiment, trace::RunHeader& header)
{
    const auto& topology = experiment.testbed.wan;
    const auto& first = experiment.transfer->flows.front();
    *header.mutable_wan_conditions() =
        PathConditionsOf(experiment, first.source, first.destination);
    auto& transfers = *header.mutable_transfers();
    transfers.set_source(first.source);
    transfers.set_destination(first.destination);
    transfers.set_duration_ns(experiment.transfer->duration.ToNanoseconds());
    transfers.set_payload_share(PayloadShareOf(topology));
    const auto& flows = *experiment.transfer;
    const auto times = TimesOf(flows, experiment.run.seed);
    const auto shares = FairSharesOf(topology, flows, experiment.run.seed);
    for (std::size_t i = 0; i < times.size(); ++i)
    {
        auto& written = *transfers.add_flows();
        SetFlow(experiment.transfer->flows[i], experiment.testbed, written);
        written.set_start_ns(times[i].start.ToNanoseconds());
        written.set_joins(times[i].start > Duration());
        for (const FairStep& step : shares[i])
        {
            auto& share = *written.add_fair_shares();
            share.set_from_ns(step.from.ToNanoseconds());
            share.set_bps(step.bitsPerSecond);
        }
    }
}

} // namespace geotrain
