// SPDX-License-Identifier: GPL-2.0-only
#include "in-network-optimizer/helper/transfer-estimate.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

/// Numbers of the links that streams share.
constexpr std::size_t workersDown = 0;
constexpr std::size_t workersUp = 1;

bool
AcknowledgesEach(const InNetworkClusterSettings& settings)
{
    return settings.aggregation.acknowledgement == AggregationSettings::Acknowledgement::EachPacket;
}

/// Returns how often the server's link carries a packet that workers' links carry once each.
double
CopiesOf(const InNetworkClusterSettings& settings)
{
    return settings.addsAtServer ? settings.workers : 1;
}

double
WireBytes(const AggregationSettings& aggregation)
{
    return static_cast<double>((aggregation.payload + aggregation.header).Count());
}

double
WindowBytes(const AggregationSettings& aggregation)
{
    return static_cast<double>((aggregation.payload * aggregation.WindowPackets()).Count());
}

/// A WayLink is a link on a packet's way between a worker and a server.
struct WayLink
{
    double bytesPerSecond;
    double copies; ///< of the packet
};

std::vector<WayLink>
WayOf(const InNetworkClusterSettings& settings)
{
    std::vector<WayLink> way(settings.switches.size() - 1,
                             {BytesPerSecond(settings.trunkRate), 1.0});
    way.push_back({BytesPerSecond(settings.nicRate), 1.0});
    way.push_back({BytesPerSecond(settings.serverRate), CopiesOf(settings)});
    if (settings.hostCap)
    {
        way.push_back({BytesPerSecond(*settings.hostCap), 1.0});
    }
    return way;
}

/// Estimates a stream whose heartbeats wait for an interval at each of `waits` switches: the first
/// heartbeat starts the intervals of a switch, so that those that follow come just after its own.
TransferEstimate
EstimateStream(const InNetworkClusterSettings& settings, double waits)
{
    const AggregationSettings& aggregation = settings.aggregation;
    const double wire = WireBytes(aggregation);
    const auto heartbeat = static_cast<double>(aggregation.heartbeatSize.Count());
    const double interval = aggregation.heartbeatInterval.ToSeconds();
    const double propagation =
        static_cast<double>(settings.switches.size() + 1) * settings.linkDelay.ToSeconds();
    double secondsPerByte = 0;
    double slowest = 0;
    for (const WayLink& link : WayOf(settings))
    {
        secondsPerByte += link.copies / link.bytesPerSecond;
        slowest = std::max(slowest, link.copies / link.bytesPerSecond);
    }
    TransferEstimate estimate{};
    // Each link but the slowest one, which the rate counts, stores the last packet once more.
    estimate.there = propagation + wire * (secondsPerByte - slowest);
    estimate.back = propagation + heartbeat * secondsPerByte + waits * interval;
    estimate.interval = interval;
    estimate.acknowledgesEach = AcknowledgesEach(settings);
    estimate.line = static_cast<double>(aggregation.payload.Count()) / (wire * slowest);
    estimate.window = WindowBytes(aggregation);
    estimate.bytesPerSecond = estimate.RateOfLoop(estimate.Loop(wire * slowest));
    return estimate;
}

/// A Direction is the links of the workers and of a server that packets take one way.
struct Direction
{
    std::size_t workers;
    std::size_t server;
};

Direction
Down(std::uint32_t server)
{
    return {workersDown, 2 + 2 * static_cast<std::size_t>(server)};
}

Direction
Up(std::uint32_t server)
{
    return {workersUp, 3 + 2 * static_cast<std::size_t>(server)};
}

/// Adds the heartbeats of `ends` that a link carries for a stream: one an interval, and one for each
/// packet where each is acknowledged.
void
AddHeartbeats(const InNetworkClusterSettings& settings,
              std::size_t link,
              double ends,
              SharedStream& stream)
{
    const AggregationSettings& aggregation = settings.aggregation;
    const double bytes = ends * static_cast<double>(aggregation.heartbeatSize.Count());
    stream.loads.push_back({link, bytes / aggregation.heartbeatInterval.ToSeconds()});
    if (AcknowledgesEach(settings))
    {
        stream.uses.push_back(
            {link, bytes / static_cast<double>(aggregation.payload.Count()), true});
    }
}

/// Returns what a stream asks of links. Its packets go `there`; its heartbeats come `back`, where those
/// of `ends` cross the server's link.
SharedStream
StreamOnLinks(const InNetworkClusterSettings& settings,
              const TransferEstimate& estimate,
              const Direction& there,
              const Direction& back,
              double ends)
{
    SharedStream stream;
    stream.most = estimate.bytesPerSecond;
    stream.window = WindowBytes(settings.aggregation);
    stream.packet = static_cast<double>(settings.aggregation.payload.Count());
    stream.loop = estimate.Loop(stream.packet / estimate.bytesPerSecond);
    const double data =
        WireBytes(settings.aggregation) / stream.packet; // bytes for each of payload
    stream.uses = {{there.workers, data}, {there.server, CopiesOf(settings) * data}};
    AddHeartbeats(settings, back.workers, 1, stream);
    AddHeartbeats(settings, back.server, ends, stream);
    return stream;
}

/// Returns the payload per second that senders at `nic` send while they have credit, of a stream
/// that can take `most`: what is less than the slowest link's is what windows allow.
double
SentRate(const InNetworkClusterSettings& settings, double most, geotrain::BitRate nic)
{
    const double payload = static_cast<double>(settings.aggregation.payload.Count()) /
                           WireBytes(settings.aggregation); // bytes for each on the wire
    double slowest = BytesPerSecond(nic);
    for (const WayLink& link : WayOf(settings))
    {
        slowest = std::min(slowest, link.bytesPerSecond / link.copies);
    }
    constexpr double rounding = 1e-9;
    return most < slowest * payload * (1 - rounding) ? most : BytesPerSecond(nic) * payload;
}

} // namespace

/// Heartbeats come once an interval. With m = ceil(loop / interval), one counts all that the one m
/// intervals before it has allowed, or what the one before that has allowed and what has come in
/// the rest of the last interval.
double
TransferEstimate::RateOfLoop(double loop) const
{
    if (acknowledgesEach)
    {
        return std::min(line, window / loop);
    }
    constexpr double rounding = 1e-9; // seconds: clocks count nanoseconds
    const double intervals = std::ceil((loop - rounding) / interval);
    const double rest = intervals * interval - loop;
    return std::min({line,
                     window / (intervals * interval),
                     (window + line * rest) / ((intervals + 1) * interval)});
}

double
BytesPerSecond(geotrain::BitRate rate)
{
    return static_cast<double>(rate.ToBitsPerSecond()) / 8;
}

TransferEstimate
EstimatePulls(const InNetworkClusterSettings& settings)
{
    const bool isKept = !AcknowledgesEach(settings);
    return EstimateStream(settings, isKept ? static_cast<double>(settings.switches.size()) : 0.0);
}

TransferEstimate
EstimatePushes(const InNetworkClusterSettings& settings)
{
    return EstimateStream(settings, 0);
}

std::vector<double>
HeartbeatHops(const InNetworkClusterSettings& settings)
{
    const geotrain::Bytes heartbeat = settings.aggregation.heartbeatSize;
    const auto hop = [&](geotrain::BitRate rate)
    { return (settings.linkDelay + rate.TransmissionTime(heartbeat)).ToSeconds(); };
    std::vector<double> hops{hop(settings.nicRate)};
    if (settings.hostCap)
    {
        hops.front() += settings.hostCap->TransmissionTime(heartbeat).ToSeconds();
    }
    hops.resize(settings.switches.size(), hop(settings.trunkRate));
    hops.push_back(hop(settings.serverRate));
    if (settings.addsAtServer) // what stands for a switch is the server's software
    {
        const geotrain::Bytes all = heartbeat * settings.workers;
        hops.front() +=
            (settings.linkDelay + settings.serverRate.TransmissionTime(all)).ToSeconds();
        hops.back() = 0;
    }
    return hops;
}

std::vector<double>
RatesOfLinks(const InNetworkClusterSettings& settings)
{
    geotrain::BitRate worker =
        std::min(settings.nicRate, settings.hostCap.value_or(settings.nicRate));
    if (settings.switches.size() > 1)
    {
        worker = std::min(worker, settings.trunkRate);
    }
    std::vector<double> rates(Down(settings.servers).server, BytesPerSecond(settings.serverRate));
    rates[workersDown] = BytesPerSecond(worker);
    rates[workersUp] = BytesPerSecond(worker);
    return rates;
}

SharedStream
PullsOnLinks(const InNetworkClusterSettings& settings, std::uint32_t server)
{
    // What no switch holds back comes to the server's link from each worker.
    const bool isKept = !settings.addsAtServer && !AcknowledgesEach(settings);
    SharedStream stream = StreamOnLinks(
        settings, EstimatePulls(settings), Down(server), Up(server), isKept ? 1 : settings.workers);
    stream.nic = Down(server).server;
    stream.sent = SentRate(settings, stream.most, settings.serverRate);
    stream.heartbeatNic = workersUp;
    stream.heartbeats = Up(server).server;
    return stream;
}

SharedStream
PushesOnLinks(const InNetworkClusterSettings& settings, std::uint32_t server)
{
    SharedStream stream = StreamOnLinks(
        settings, EstimatePushes(settings), Up(server), Down(server), CopiesOf(settings));
    stream.goesInTurn = true;
    stream.nic = workersUp;
    stream.sent = SentRate(settings,
                           stream.most,
                           std::min(settings.nicRate, settings.hostCap.value_or(settings.nicRate)));
    stream.heartbeatNic = Down(server).server;
    // The parameters of several servers meet at the workers' links, copies for each worker at the
    // server's.
    stream.heartbeats = settings.addsAtServer ? Down(server).server : workersDown;
    return stream;
}

} // namespace ns3
