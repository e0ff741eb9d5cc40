// SPDX-License-Identifier: GPL-2.0-only
#include "runner/transfer-run.h"

#include "runner/message-series.h"
#include "runner/packet-run-network.h"
#include "runner/run.h"

#include <algorithm>

namespace geotrain
{

namespace
{

constexpr std::int64_t nicFactor = 10;
constexpr std::int64_t smallestPortQueue = 16000000; // bytes

WanTopology
TopologyOf(const TransferSettings& settings)
{
    WanTopology topology;
    WanTopology::Site site;
    site.nodes = 1;
    site.nicRate = BitRate::BitsPerSecond(settings.rate.ToBitsPerSecond() * nicFactor);
    site.intraRate = site.nicRate;
    site.name = "near";
    topology.sites.push_back(site);
    site.name = "far";
    topology.sites.push_back(site);
    WanTopology::Link link;
    static_cast<LinkImpairments&>(link) = settings.impairments;
    link.from = 0;
    link.to = 1;
    link.rate = settings.rate;
    link.delay = Duration::Nanoseconds(settings.roundTrip.ToNanoseconds() / 2);
    link.queue = settings.queue;
    topology.links.push_back(link);
    topology.mtu = settings.mtu;
    // The queues of the hosts' NICs hold all windows, so that only the link drops packets.
    topology.portQueue =
        Bytes::Of(std::max(smallestPortQueue, 2 * settings.window.Count() * settings.connections));
    return topology;
}

PacketNetworkSettings
NetworkOf(const TransferSettings& settings)
{
    PacketNetworkSettings network;
    network.congestionControl = settings.congestionControl;
    network.window = settings.window;
    network.wanConnections = settings.connections;
    network.slowStartAfterIdle = settings.slowStartAfterIdle;
    network.tcp = settings.tcp;
    network.bearer = settings.bearer;
    network.seed = settings.seed;
    return network;
}

MessageSeriesSettings
SeriesOf(const TransferSettings& settings)
{
    MessageSeriesSettings series;
    series.size = settings.size;
    series.chunk = settings.chunk;
    series.connections = settings.connections;
    series.messages = settings.messages;
    series.gap = settings.gap;
    return series;
}

} // namespace

TransferResult
RunTransfer(const TransferSettings& settings, const ProgressCallback& progress)
{
    PacketRunNetwork packets(TopologyOf(settings), NetworkOf(settings), "");
    Network& network = packets.Get();
    network.Prepare({});
    TransferResult result;
    MessageSeries series(network,
                         SeriesOf(settings),
                         [&](const SeriesMessage& message)
                         {
                             if (progress)
                             {
                                 progress(static_cast<double>(message.number) / settings.messages);
                             }
                             const Duration taken = message.delivered - message.start;
                             result.completionSeconds.push_back(taken.ToSeconds());
                             result.simulatedSeconds = (message.delivered - Instant()).ToSeconds();
                         });
    series.Begin();
    network.GetClock().RunUntil([&series] { return WasInterrupted() || !series.Failure().empty(); },
                                Instant::FromNanoseconds(INT64_MAX / 2));
    if (series.DeliveredMessages() < settings.messages)
    {
        throw UnfinishedRun(std::to_string(series.DeliveredMessages()) + " of " +
                            std::to_string(settings.messages) + " messages were delivered: " +
                            (WasInterrupted() ? "interrupted" : series.Failure()));
    }
    packets.CheckConservation();
    const NetworkCounters counters = network.Counters();
    result.retransmitted = counters.retransmittedBytes;
    result.packets = counters.wanPackets;
    result.drops = counters.droppedPackets;
    return result;
}

} // namespace geotrain
