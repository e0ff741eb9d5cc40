// SPDX-License-Identifier: GPL-2.0-only
#include "runner/transfer-run.h"

#include "runner/message-series.h"
#include "runner/packet-network.h"
#include "runner/unfinished-run.h"

#include <fmt/format.h>

#include <algorithm>

namespace geotrain
{

namespace
{

constexpr std::int64_t nicFactor = 10;
constexpr std::int64_t smallestPortQueue = 16000000;     // bytes
constexpr std::int64_t largestPortQueue = 1000000000000; // bytes; the limit of WanTopology

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
    // The queues of the hosts' NICs hold all windows, so that only the link drops packets. More than
    // the largest queue is never in flight, since no machine's memory holds it.
    topology.portQueue = Bytes::Of(std::clamp(
        2 * settings.window.Count() * settings.connections, smallestPortQueue, largestPortQueue));
    return topology;
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

/// Returns the share of the transfer that has crossed the link, where every packet is full and none
/// is sent again; at most 1.
double
CarriedShare(const TransferSettings& settings, std::int64_t sentBytes)
{
    const double bytes = static_cast<double>(settings.size.Count()) * settings.messages;
    return std::min(1.0, static_cast<double>(sentBytes) / bytes);
}

std::string
Done(const TransferSettings& settings, const MessageSeries& series, Instant now)
{
    return fmt::format("{} of {} messages delivered, {:.6g} s simulated",
                       series.DeliveredMessages(),
                       settings.messages,
                       now.ToSeconds());
}

} // namespace

TransferResult
RunTransfer(const TransferSettings& settings, EarlyEnd& early, const ProgressCallback& progress)
{
    const PacketSimulator simulator(settings.seed);
    const PacketNetwork packets(TopologyOf(settings), settings, "");
    Network& network = packets.Get();
    Clock& clock = network.GetClock();
    network.Prepare({});
    TransferResult result;
    MessageSeries series(network,
                         SeriesOf(settings),
                         [&result](const SeriesMessage& message)
                         {
                             const Duration taken = message.delivered - message.start;
                             result.completionSeconds.push_back(taken.ToSeconds());
                             result.simulatedSeconds = (message.delivered - Instant()).ToSeconds();
                         });
    const auto done = [&] { return Done(settings, series, clock.Now()); };
    const auto report = [&]
    {
        progress(CarriedShare(settings, packets.GetBearer().Links().CountersAt(0).sentBytes));
        return done();
    };
    clock.SetWatch([&] { return early.HasCome(report); });
    series.Begin();
    clock.RunUntil([&] { return early.IsCome() || !series.Failure().empty(); }, early.Deadline());
    clock.SetWatch({});
    if (series.DeliveredMessages() < settings.messages)
    {
        const auto why = series.Failure().empty() ? early.Why(clock.Now()) : series.Failure();
        throw UnfinishedRun(why + ": " + done());
    }
    packets.Get().CheckConservation();
    const NetworkCounters counters = network.Counters();
    result.retransmitted = counters.retransmittedBytes;
    result.packets = counters.wanPackets;
    result.drops = counters.droppedPackets;
    return result;
}

} // namespace geotrain
