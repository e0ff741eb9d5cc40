// SPDX-License-Identifier: GPL-2.0-only
#include "live-wan/helper/live-transport.h"

#include "bulk-tcp/model/bulk-tcp-attributes.h"
#include "units/config-error.h"
#include "wan/resources.h"

#include <fmt/ranges.h>
#include <ns3/abort.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

namespace ns3
{

namespace
{

/// Returns the names of the controls that this network namespace has.
std::vector<std::string>
ControlsOfKernel()
{
    std::ifstream file("/proc/sys/net/ipv4/tcp_available_congestion_control");
    return {std::istream_iterator<std::string>(file), std::istream_iterator<std::string>()};
}

/// Returns the kernel's names by the class names of the simulation.
const std::map<std::string, std::string>&
KernelNames()
{
    static const std::map<std::string, std::string> names{{"TcpCubic", "cubic"},
                                                          {"TcpLinuxReno", "reno"},
                                                          {"TcpNewReno", "reno"},
                                                          {"TcpBbr", "bbr"},
                                                          {"TcpBbr3", "bbr"},
                                                          {"TcpDctcp", "dctcp"},
                                                          {"TcpPrague", "prague"},
                                                          {"TcpHtcp", "htcp"},
                                                          {"TcpVegas", "vegas"},
                                                          {"TcpVeno", "veno"},
                                                          {"TcpBic", "bic"},
                                                          {"TcpYeah", "yeah"},
                                                          {"TcpIllinois", "illinois"},
                                                          {"TcpHybla", "hybla"},
                                                          {"TcpScalable", "scalable"},
                                                          {"TcpHighSpeed", "highspeed"},
                                                          {"TcpWestwood", "westwood"},
                                                          {"TcpLp", "lp"}};
    return names;
}

/// Is what agents, executor and WAN need between two packets of a round trip that wait for each other.
constexpr std::int64_t WAKES_NS = 1000000;

/// Returns what one of `connections` carries meanwhile.
geotrain::Bytes
BytesInWakes(geotrain::BitRate rate, std::uint32_t connections)
{
    const double bits = static_cast<double>(rate.ToBitsPerSecond()) * 1e-9 * WAKES_NS;
    return geotrain::Bytes::Of(static_cast<std::int64_t>(bits / 8 / connections));
}

} // namespace

std::string
KernelCongestionControl(const std::string& typeId,
                        const std::string& file,
                        const std::string& field)
{
    const std::string name = typeId.substr(typeId.rfind(':') + 1);
    const auto known = KernelNames().find(name);
    const std::vector<std::string> available = ControlsOfKernel();
    if (available.empty())
    {
        throw geotrain::ConfigError(
            "live", "", "", "needs /proc, which is not mounted: `mount -t proc proc /proc`");
    }
    if (known == KernelNames().end() ||
        std::find(available.begin(), available.end(), known->second) == available.end())
    {
        throw geotrain::ConfigError(
            file,
            field,
            typeId,
            fmt::format("is not in this kernel, which has {}", fmt::join(available, ", ")));
    }
    return known->second;
}

LiveTransport::LiveTransport(AgentPool& agents,
                             const geotrain::WanTopology& topology,
                             const TransportOptions& options)
    : m_agents(agents),
      m_topology(topology),
      m_control(KernelCongestionControl(options.congestionControl)),
      m_window(options.window.Count()),
      m_paces(options.tcp.pacing.value_or(BulkTcp::DefaultOptions(options.tcp.preset).pacing)),
      m_mostPacingRate(options.tcp.mostPacingRate)
{
}

geotrain::Bytes
LiveTransport::LeastMessage(geotrain::NodeIndex source,
                            geotrain::NodeIndex destination,
                            std::uint32_t connections) const
{
    const geotrain::Resources resources(m_topology, {{source, destination}});
    std::optional<geotrain::BitRate> rate;
    for (const std::size_t resource : resources.Of(source, destination))
    {
        const geotrain::BitRate limit = resources.Rates()[resource];
        rate = rate ? std::min(*rate, limit) : limit;
    }
    return BytesInWakes(*rate, connections);
}

/// Inside a data centre what the machine adds to a round trip is more than the round trip: the window
/// has room for it, as far as the queues of the ports go.
std::int64_t
LiveTransport::WindowBetween(geotrain::NodeIndex source, geotrain::NodeIndex destination) const
{
    const std::uint32_t site = m_topology.SiteOf(source);
    if (site != m_topology.SiteOf(destination))
    {
        return m_window;
    }
    const std::int64_t more = BytesInWakes(m_topology.sites[site].intraRate, 1).Count();
    return std::max(m_window, std::min(m_window + more, m_topology.portQueue.Count()));
}

void
LiveTransport::SetObserver(TransportObserver& observer)
{
    m_observer = &observer;
}

ConnectionNumber
LiveTransport::Open(geotrain::NodeIndex source,
                    geotrain::NodeIndex destination,
                    std::uint32_t trafficClass)
{
    const auto connection = static_cast<ConnectionNumber>(m_connections.size());
    m_connections.emplace_back();
    m_connections.back().number =
        m_agents.Open({source,
                       destination,
                       m_control,
                       WindowBetween(source, destination),
                       PacingRateBetween(source, destination),
                       [this, connection](const AgentEvent& event) { OnEvent(connection, event); },
                       MarkOf(trafficClass)});
    return connection;
}

std::uint8_t
LiveTransport::MarkOf(std::uint32_t trafficClass) const
{
    return trafficClass < m_topology.classes.size() ? m_topology.classes[trafficClass].dscp : 0;
}

/// Returns the most bytes per second; 0 where a control based on windows is not paced.
std::uint64_t
LiveTransport::PacingRateBetween(geotrain::NodeIndex source, geotrain::NodeIndex destination) const
{
    constexpr std::uint64_t unbounded = std::uint64_t(1) << 40;
    if (m_mostPacingRate && m_topology.SiteOf(source) != m_topology.SiteOf(destination))
    {
        return static_cast<std::uint64_t>(m_mostPacingRate->ToBitsPerSecond()) / 8;
    }
    return m_paces ? unbounded : 0;
}

void
LiveTransport::Send(ConnectionNumber connection, MessageNumber message, geotrain::Bytes size)
{
    Connection& carrier = m_connections[connection];
    if (!carrier.failure.empty())
    {
        Simulator::ScheduleNow(
            [this, connection, message]
            { m_observer->OnFailed(connection, message, m_connections[connection].failure); });
        return;
    }
    carrier.handedOver += size.Count();
    carrier.undelivered.push_back({message});
    carrier.isDrained = false;
    m_agents.Send(carrier.number, message, size.Count());
}

FlowState
LiveTransport::State(ConnectionNumber connection) const
{
    const Connection& carrier = m_connections[connection];
    const ConnectionState& measured = m_agents.StateOf(carrier.number);
    FlowState state;
    state.congestionWindow = geotrain::Bytes::Of(measured.congestionWindow);
    state.roundTripTime = NanoSeconds(measured.roundTripNs);
    state.inFlight = geotrain::Bytes::Of(measured.inFlight);
    state.retransmittedBytes = geotrain::Bytes::Of(measured.retransmitted);
    state.acknowledgedBytes = geotrain::Bytes::Of(measured.acknowledged);
    state.outstanding = !carrier.undelivered.empty();
    state.failed = !carrier.failure.empty();
    return state;
}

void
LiveTransport::CheckConservation() const
{
    for (const Connection& carrier : m_connections)
    {
        const ConnectionState& measured = m_agents.StateOf(carrier.number);
        NS_ABORT_MSG_IF(carrier.undelivered.empty() && carrier.failure.empty() &&
                            measured.received != carrier.handedOver,
                        "of " << carrier.handedOver << " bytes " << measured.received << " came");
    }
}

void
LiveTransport::OnEvent(ConnectionNumber connection, const AgentEvent& event)
{
    switch (event.kind)
    {
    case AgentEvent::Kind::Listening:
        break; // of no connection
    case AgentEvent::Kind::FirstByte:
        m_observer->OnFirstByte(event.message);
        break;
    case AgentEvent::Kind::Sent:
        OnSent(connection, event.message);
        break;
    case AgentEvent::Kind::Delivered:
        OnDelivered(connection, event.message);
        break;
    case AgentEvent::Kind::Drained:
        m_connections[connection].isDrained = true;
        TellIfDrained(connection);
        break;
    case AgentEvent::Kind::Failed:
        OnFailed(connection, event.reason.data());
        break;
    }
}

void
LiveTransport::OnSent(ConnectionNumber connection, MessageNumber message)
{
    for (Pending& pending : m_connections[connection].undelivered)
    {
        if (pending.message == message)
        {
            pending.isSent = true;
            m_observer->OnSent(message);
            return;
        }
    }
    // It is delivered, which was told first, and its sending was told then.
}

void
LiveTransport::OnDelivered(ConnectionNumber connection, MessageNumber message)
{
    const Pending delivered = m_connections[connection].undelivered.front();
    m_connections[connection].undelivered.pop_front();
    if (!delivered.isSent)
    {
        m_observer->OnSent(message);
    }
    m_observer->OnDelivered(message);
    TellIfDrained(connection);
}

/// The agents of the two ends tell in any order what happens at nearly the same time.
void
LiveTransport::TellIfDrained(ConnectionNumber connection)
{
    Connection& carrier = m_connections[connection];
    if (carrier.isDrained && carrier.undelivered.empty())
    {
        carrier.isDrained = false;
        m_observer->OnDrained(connection);
    }
}

void
LiveTransport::OnFailed(ConnectionNumber connection, const std::string& reason)
{
    Connection& carrier = m_connections[connection];
    if (!carrier.failure.empty())
    {
        return;
    }
    carrier.failure = reason;
    const auto undelivered = std::move(carrier.undelivered);
    carrier.undelivered.clear();
    for (const Pending& pending : undelivered)
    {
        m_observer->OnFailed(connection, pending.message, reason);
    }
}

} // namespace ns3
