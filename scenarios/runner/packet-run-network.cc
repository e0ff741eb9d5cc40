#include "runner/packet-run-network.h"

#include "training-network/helper/training-network-helper.h"
#include "units/quantity-parser.h"
#include "wan-topology/helper/wan-builder.h"

#include <ns3/abort.h>
#include <ns3/rng-seed-manager.h>
#include <ns3/simulator.h>

namespace geotrain
{

namespace
{

ns3::TrainingNetworkHelper
HelperFor(const PacketNetworkSettings& settings)
{
    ns3::TrainingNetworkHelper helper;
    helper.SetCongestionControl(settings.congestionControl);
    helper.SetWindow(settings.window);
    helper.SetConnections(settings.wanConnections, settings.intraDcConnections);
    helper.SetSlowStartAfterIdle(settings.slowStartAfterIdle);
    return helper;
}

std::uint64_t
Count(Bytes size)
{
    return static_cast<std::uint64_t>(size.Count());
}

} // namespace

PacketNetworkSettings
PacketSettingsOf(const scenario::Scenario& scenario)
{
    const auto& transport = scenario.transport();
    PacketNetworkSettings settings;
    settings.bearer = transport.bearer();
    settings.congestionControl = transport.congestion_control();
    settings.window = ParseBytes(transport.window());
    settings.wanConnections = static_cast<std::uint32_t>(transport.connections());
    settings.intraDcConnections = static_cast<std::uint32_t>(transport.intra_dc_connections());
    settings.slowStartAfterIdle = transport.slow_start_after_idle();
    settings.seed = static_cast<std::uint32_t>(scenario.run().seed());
    return settings;
}

PacketRunNetwork::PacketRunNetwork(const LoadedScenario& scenario)
    : PacketRunNetwork(scenario, PacketSettingsOf(scenario.resolved))
{
}

PacketRunNetwork::PacketRunNetwork(const LoadedScenario& scenario,
                                   const PacketNetworkSettings& settings)
    : PacketRunNetwork(scenario.topology, settings, scenario.file)
{
    const auto interval = ParseDuration(scenario.resolved.run().sample_interval());
    m_network->SetAttribute("SampleInterval",
                            ns3::TimeValue(ns3::NanoSeconds(interval.ToNanoseconds())));
}

PacketRunNetwork::PacketRunNetwork(const ns3::WanTopology& topology,
                                   const PacketNetworkSettings& settings,
                                   const std::string& file)
{
    ns3::RngSeedManager::SetSeed(settings.seed);
    ns3::RngSeedManager::SetRun(1);
    const ns3::TrainingNetworkHelper helper = HelperFor(settings);
    if (settings.bearer == scenario::STOCK)
    {
        m_built = std::make_unique<ns3::BuiltWan>(ns3::WanBuilder(topology, file).Build());
        m_network = helper.Install(*m_built);
    }
    else
    {
        m_express = std::make_unique<ns3::ExpressWan>(topology, file);
        m_network = helper.Install(*m_express);
    }
}

PacketRunNetwork::~PacketRunNetwork()
{
    m_crossTraffic = nullptr;
    m_rival = nullptr;
    m_network = nullptr;
    ns3::Simulator::Destroy();
}

Network&
PacketRunNetwork::Get()
{
    return *m_network;
}

void
PacketRunNetwork::RecordSamples(TraceWriter& writer)
{
    m_writer = &writer;
    m_network->TraceConnectWithoutContext("FlowSample",
                                          ns3::MakeCallback(&PacketRunNetwork::OnFlowSample, this));
    m_network->TraceConnectWithoutContext("LinkSample",
                                          ns3::MakeCallback(&PacketRunNetwork::OnLinkSample, this));
}

void
PacketRunNetwork::CheckConservation() const
{
    m_network->CheckConservation();
}

Network&
PacketRunNetwork::AddRival(const PacketNetworkSettings& settings)
{
    NS_ABORT_MSG_IF(!m_express || m_rival, "a rival needs the express bearer, and is added once");
    ns3::TrainingNetworkHelper helper = HelperFor(settings);
    helper.SetStreamName("rival");
    m_rival = helper.Install(*m_express);
    return *m_rival;
}

void
PacketRunNetwork::BeginCrossTraffic(const LoadedScenario& scenario)
{
    if (scenario.crossTraffic.empty())
    {
        return;
    }
    NS_ABORT_MSG_IF(!m_express || m_crossTraffic,
                    "cross traffic needs the express bearer, and begins once");
    const auto seed = static_cast<std::uint64_t>(scenario.resolved.run().seed());
    m_crossTraffic = std::make_unique<CrossTraffic>(
        scenario.crossTraffic, seed, *m_express, m_network->GetClock());
    m_crossTraffic->Begin();
}

const ns3::WanLinks&
PacketRunNetwork::Links() const
{
    return m_express ? static_cast<const ns3::WanLinks&>(*m_express) : *m_built;
}

void
PacketRunNetwork::OnFlowSample(const ns3::FlowSample& sample)
{
    trace::Record record;
    auto& flow = *record.mutable_flow_sample();
    flow.set_time_ns(sample.at.ToNanoseconds());
    flow.set_source(sample.source);
    flow.set_destination(sample.destination);
    flow.set_connection(sample.connection);
    flow.set_cwnd_bytes(Count(sample.congestionWindow));
    flow.set_rtt_ns(sample.roundTripTime.ToNanoseconds());
    flow.set_in_flight_bytes(Count(sample.inFlight));
    flow.set_retransmitted_bytes(Count(sample.retransmittedBytes));
    m_writer->Write(record);
}

void
PacketRunNetwork::OnLinkSample(const ns3::LinkSample& sample)
{
    const bool wan = sample.link->linkClass == ns3::WanLinkClass::Wan;
    trace::Record record;
    auto& link = *record.mutable_link_sample();
    link.set_time_ns(sample.at.ToNanoseconds());
    link.set_link(sample.link->name);
    link.set_link_class(wan ? trace::LINK_CLASS_WAN : trace::LINK_CLASS_INTRA_DC);
    link.set_utilization(sample.utilization);
    link.set_interval_ns(sample.interval.ToNanoseconds());
    link.set_bits(static_cast<std::uint64_t>(sample.sentBytes) * 8);
    link.set_queue_bytes(Count(sample.queued));
    link.set_dropped_packets(sample.drops);
    m_writer->Write(record);
}

} // namespace geotrain
