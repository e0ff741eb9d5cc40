#include "runner/analytic-run-network.h"

#include "loader/transport-section.h"
#include "units/quantity-parser.h"

namespace geotrain
{

namespace
{

// IPv4 and TCP headers with the timestamp option: 20 + 20 + 12 bytes a packet (RFC 791, 9293, 7323).
constexpr std::int64_t headerBytes = 52;

// Segments that a new connection sends before it hears an acknowledgement (RFC 6928).
constexpr std::int64_t initialSegments = 10;

// What a connection sends before its first acknowledgement: the window of a SYN is not scaled (RFC 7323, section 2.2).
constexpr std::int64_t unscaledWindow = 65535;

// Of a message on a connection of ns-3's own sockets (training-network/model/frame-header.h).
constexpr std::int64_t frameHeaderBytes = 32;

} // namespace

double
PayloadShare(std::int64_t mtu)
{
    return static_cast<double>(mtu - headerBytes) / static_cast<double>(mtu);
}

AnalyticTransport
TransportOf(const LoadedScenario& scenario)
{
    const auto& transport = scenario.resolved.transport();
    AnalyticConnection connection;
    connection.window = ParseBytes(transport.window());
    connection.segment = Bytes::Of(scenario.resolved.mtu() - headerBytes);
    connection.initialWindow =
        connection.segment *
        (transport.has_initial_window() ? transport.initial_window() : initialSegments);
    connection.firstFlight = Bytes::Of(unscaledWindow);
    connection.restartsAfterIdle = transport.slow_start_after_idle();
    connection.tcp = AnalyticTcp::Bulk;
    if (!BearerOf(transport).Has(ns3::BearerFeature::BulkTcp))
    {
        connection.tcp = AnalyticTcp::Stock;
        connection.header = Bytes::Of(frameHeaderBytes);
    }
    AnalyticTransport analytic;
    analytic.connections = static_cast<std::uint32_t>(transport.connections());
    analytic.intraDcConnections = static_cast<std::uint32_t>(transport.intra_dc_connections());
    analytic.connection = connection;
    analytic.payloadShare = PayloadShare(scenario.resolved.mtu());
    return analytic;
}

namespace
{

std::vector<std::string>
UnknownOf(const scenario::WanLink& link)
{
    std::vector<std::string> unknown;
    const auto add = [&unknown](bool isThere, const char* field)
    {
        if (isThere)
        {
            unknown.push_back(field);
        }
    };
    add(link.loss() > 0, "loss");
    add(link.has_queue_disc(), "queue_disc");
    add(link.has_red(), "red");
    add(link.has_codel(), "codel");
    add(link.has_policer(), "policer");
    add(link.has_burst_loss(), "burst_loss");
    add(link.has_jitter(), "jitter");
    add(link.duplication() > 0, "duplication");
    add(link.rate_step_size() > 0, "rate_step");
    add(link.outage_size() > 0, "outage");
    return unknown;
}

/// bulk-tcp's settings that no formula has.
void
AddUnknownTo(const scenario::Transport& transport, std::vector<std::string>& unknown)
{
    const auto add = [&unknown](bool isThere, const char* field)
    {
        if (isThere)
        {
            unknown.push_back(std::string("transport.") + field);
        }
    };
    add(transport.has_min_rto(), "min_rto");
    add(transport.has_delayed_ack(), "delayed_ack");
    add(transport.has_delayed_ack_timeout(), "delayed_ack_timeout");
    add(transport.has_hystart(), "hystart");
    add(transport.has_pacing(), "pacing");
    add(transport.has_tail_loss_probe(), "tail_loss_probe");
    add(transport.has_autotuning(), "autotuning");
}

} // namespace

std::vector<std::string>
UnknownToAnalyticNetwork(const LoadedScenario& scenario)
{
    std::vector<std::string> unknown;
    for (int i = 0; i < scenario.resolved.wan_link_size(); ++i)
    {
        for (const std::string& field : UnknownOf(scenario.resolved.wan_link(i)))
        {
            unknown.push_back("wan_link[" + std::to_string(i) + "]." + field);
        }
    }
    if (scenario.resolved.caps().police())
    {
        unknown.push_back("caps.police");
    }
    if (!scenario.crossTraffic.empty())
    {
        unknown.push_back("cross_traffic");
    }
    AddUnknownTo(scenario.resolved.transport(), unknown);
    return unknown;
}

std::unique_ptr<Network>
MakeAnalyticNetwork(const LoadedScenario& scenario, const RunPlan& plan)
{
    return std::make_unique<AnalyticNetwork>(
        MakeAnalyticTopology(scenario.topology, TransportOf(scenario), plan.pairs));
}

} // namespace geotrain
