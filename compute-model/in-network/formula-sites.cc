// SPDX-License-Identifier: GPL-2.0-only
#include "in-network/formula-sites.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

using Acknowledgement = AggregationSettings::Acknowledgement;

double
BytesPerSecond(BitRate rate)
{
    return static_cast<double>(rate.ToBitsPerSecond()) / 8;
}

double
WireBytes(const AggregationSettings& packets)
{
    return static_cast<double>((packets.payload + packets.header).Count());
}

/// Returns the rate of the slowest link of a worker, or of a trunk.
BitRate
WorkerRate(const InNetworkClusterSettings& settings)
{
    const BitRate nic = std::min(settings.nicRate, settings.hostCap.value_or(settings.nicRate));
    return settings.switches.size() > 1 ? std::min(nic, settings.trunkRate) : nic;
}

/// Returns the payload per second of a link that carries `bytes` for each packet of payload.
double
PayloadPerSecond(const AggregationSettings& packets, BitRate rate, double bytes)
{
    return BytesPerSecond(rate) * static_cast<double>(packets.payload.Count()) / bytes;
}

/// Returns the bytes of an acknowledgement of each packet; 0 where there is none.
double
AcknowledgementBytes(const AggregationSettings& packets)
{
    return packets.acknowledgement == Acknowledgement::EachPacket
               ? static_cast<double>(packets.heartbeatSize.Count())
               : 0;
}

/// Returns the payload per second of a window a loop of `seconds` and a packet.
double
WindowPerSecond(const AggregationSettings& packets, double seconds, double bytesPerSecond)
{
    const auto window = static_cast<double>((packets.payload * packets.WindowPackets()).Count());
    return window / (seconds + WireBytes(packets) / bytesPerSecond);
}

} // namespace

FormulaSite::End::End(FormulaStream* push, FormulaStream& pull, std::size_t number)
    : m_push(push),
      m_pull(pull),
      m_number(number)
{
}

void
FormulaSite::End::Push(Bytes length, std::function<void()> done)
{
    if (m_push)
    {
        m_push->Give(m_number, length, std::move(done));
    }
}

void
FormulaSite::End::Pull(Bytes length, std::function<void()> done)
{
    m_pull.Give(m_number, length, std::move(done));
}

FormulaSite::FormulaSite(Clock& clock, const InNetworkClusterSettings& settings)
{
    if (settings.aggregation.acknowledgement == Acknowledgement::Result)
    {
        AddSwitch(clock, settings);
        return;
    }
    const AggregationSettings& packets = settings.aggregation;
    const double wire = WireBytes(packets);
    const BitRate rate = WorkerRate(settings);
    FormulaLine& down = AddLine(PayloadPerSecond(packets, rate, wire));
    FormulaLine& up =
        AddLine(PayloadPerSecond(packets, rate, wire + AcknowledgementBytes(packets)));
    for (std::uint32_t server = 0; server < settings.servers; ++server)
    {
        AddServer(clock, settings, down, up);
    }
}

FormulaLine&
FormulaSite::AddLine(double bytesPerSecond)
{
    return m_lines.emplace_back(FormulaLine{bytesPerSecond, Instant()});
}

/// Adds the streams of a server. Heartbeats wait for half an interval at receivers, and for a whole one
/// at each switch, whose ticks the first of them starts.
void
FormulaSite::AddServer(Clock& clock,
                       const InNetworkClusterSettings& settings,
                       FormulaLine& workersDown,
                       FormulaLine& workersUp)
{
    const AggregationSettings& packets = settings.aggregation;
    const auto levels = static_cast<double>(settings.switches.size());
    const double slowest = BytesPerSecond(std::min(WorkerRate(settings), settings.serverRate));
    const double propagation = (levels + 1) * settings.linkDelay.ToSeconds();
    const double heartbeat = static_cast<double>(packets.heartbeatSize.Count()) / slowest;
    const double there = propagation + levels * WireBytes(packets) / slowest;
    const bool isEach = packets.acknowledgement == Acknowledgement::EachPacket;
    const double interval = isEach ? 0 : packets.heartbeatInterval.ToSeconds();
    const double ofPushes = propagation + (levels + 1) * heartbeat + interval / 2;
    const double ofPulls = ofPushes + levels * interval;
    // Acknowledgements of pulls share the server's link with gradients, which come in backward alone.
    const double copies = (settings.addsAtServer ? settings.workers : 1) * WireBytes(packets);
    const double acknowledgements = settings.workers * AcknowledgementBytes(packets);
    const auto add = [&](FormulaLine& workers, double bytes, double back, bool isServerReceiver)
    {
        const double server = PayloadPerSecond(packets, settings.serverRate, bytes);
        FormulaLine& line =
            AddLine(std::min(server, WindowPerSecond(packets, there + back, slowest)));
        std::vector<bool> isReceiver(settings.workers, !isServerReceiver);
        isReceiver.push_back(isServerReceiver);
        m_streams.emplace_back(clock,
                               FormulaStream::Settings{Duration::Seconds(there),
                                                       Duration::Seconds(back),
                                                       {&workers, &line}},
                               isReceiver);
        return &m_streams.back();
    };
    FormulaStream* const down =
        add(workersDown, std::max(copies, acknowledgements), ofPulls, false);
    FormulaStream* const up = add(workersUp, copies + acknowledgements, ofPushes, true);
    std::deque<End>& ends = m_ends.emplace_back();
    for (std::uint32_t worker = 0; worker < settings.workers; ++worker)
    {
        ends.emplace_back(up, *down, worker);
    }
    ends.emplace_back(down, *up, settings.workers);
}

/// Adds the stream to a switch that sends the sums back. The last packet leaves with the others, and is
/// sent again at each switch.
void
FormulaSite::AddSwitch(Clock& clock, const InNetworkClusterSettings& settings)
{
    const AggregationSettings& packets = settings.aggregation;
    const double bytesPerSecond = BytesPerSecond(WorkerRate(settings));
    const auto hops = 2 * static_cast<double>(settings.switches.size());
    const double loop =
        hops * settings.linkDelay.ToSeconds() + (hops - 1) * WireBytes(packets) / bytesPerSecond;
    FormulaLine& line =
        AddLine(std::min(PayloadPerSecond(packets, WorkerRate(settings), WireBytes(packets)),
                         WindowPerSecond(packets, loop, bytesPerSecond)));
    m_streams.emplace_back(clock,
                           FormulaStream::Settings{Duration::Seconds(loop), Duration(), {&line}},
                           std::vector<bool>(settings.workers, true));
    std::deque<End>& ends = m_ends.emplace_back();
    for (std::uint32_t worker = 0; worker < settings.workers; ++worker)
    {
        ends.emplace_back(nullptr, m_streams.back(), worker);
    }
}

StreamEnd&
FormulaSite::Server(std::uint32_t server)
{
    return m_ends[server].back();
}

StreamEnd&
FormulaSite::Worker(std::uint32_t worker, std::uint32_t server)
{
    return m_ends[server][worker];
}

FormulaSites::FormulaSites(Clock& clock,
                           const InNetworkClusterSettings& servers,
                           const std::optional<InNetworkWan>& wan)
    : OptimizerSites(servers, wan)
{
    m_sites.emplace_back(clock, servers);
    for (std::size_t site = 0; wan && site < wan->sites.size(); ++site)
    {
        m_sites.emplace_back(clock, wan->sites[site].cluster);
    }
    for (std::uint32_t server = 0; server < servers.servers; ++server)
    {
        m_pipelines.push_back(
            std::make_unique<LayerPipeline>(clock, servers.server, m_sites.front().Server(server)));
    }
}

std::vector<LayerPipeline*>
FormulaSites::Pipelines()
{
    std::vector<LayerPipeline*> pipelines;
    for (const auto& pipeline : m_pipelines)
    {
        pipelines.push_back(pipeline.get());
    }
    return pipelines;
}

bool
FormulaSites::HasPackets() const
{
    return false;
}

StreamEnd&
FormulaSites::WorkerAt(const InNetworkWan::Place& place, std::uint32_t server)
{
    return m_sites[place.site].Worker(place.number, server);
}

StreamEnd&
FormulaSites::ServerAt(std::size_t site, std::uint32_t server)
{
    return m_sites[site].Server(server);
}

} // namespace geotrain
