// SPDX-License-Identifier: GPL-2.0-only
#include "runner/packet-run-network.h"

#include "wan-topology/model/heap-simulator-impl.h"

#include <ns3/rng-seed-manager.h>
#include <ns3/simulator.h>

namespace geotrain
{

namespace
{

std::uint64_t
Count(Bytes size)
{
    return static_cast<std::uint64_t>(size.Count());
}

} // namespace

PacketRunNetwork::PacketRunNetwork(const LoadedScenario& scenario)
    : PacketRunNetwork(scenario, SettingsOf(scenario))
{
}

PacketRunNetwork::PacketRunNetwork(const LoadedScenario& scenario,
                                   const PacketNetworkSettings& settings)
    : PacketRunNetwork(scenario.cluster.wan, settings, scenario.file)
{
    const Duration interval = scenario.run.sampleInterval;
    m_network->Get().SetAttribute("SampleInterval",
                                  ns3::TimeValue(ns3::NanoSeconds(interval.ToNanoseconds())));
}

PacketRunNetwork::PacketRunNetwork(const WanTopology& topology,
                                   const PacketNetworkSettings& settings,
                                   const std::string& file)
{
    ns3::UseHeapSimulator();
    ns3::RngSeedManager::SetSeed(settings.seed);
    ns3::RngSeedManager::SetRun(1);
    m_network = std::make_unique<PacketNetwork>(topology, settings, file);
}

PacketRunNetwork::~PacketRunNetwork()
{
    m_crossTraffic = nullptr;
    m_network.reset();
    ns3::Simulator::Destroy();
}

Network&
PacketRunNetwork::Get()
{
    return m_network->Get();
}

void
PacketRunNetwork::Begin(const LoadedScenario& scenario, TraceWriter& writer)
{
    RecordSamples(writer);
    m_network->GetBearer().Links().BeginSchedules();
    m_recorders = RecordPackets(scenario.run.packetTrace,
                                std::filesystem::path(writer.Path()).parent_path(),
                                m_network->GetBearer().Links());
    BeginCrossTraffic(scenario);
}

void
PacketRunNetwork::BeginCrossTraffic(const LoadedScenario& scenario)
{
    if (scenario.crossTraffic.empty())
    {
        return;
    }
    m_crossTraffic = std::make_unique<CrossTraffic>(scenario.crossTraffic,
                                                    scenario.run.seed,
                                                    m_network->GetBearer(),
                                                    m_network->Get().GetClock());
    m_crossTraffic->Begin();
}

void
PacketRunNetwork::RecordSamples(TraceWriter& writer)
{
    m_writer = &writer;
    m_network->Get().TraceConnectWithoutContext(
        "FlowSample", ns3::MakeCallback(&PacketRunNetwork::OnFlowSample, this));
    m_network->Get().TraceConnectWithoutContext(
        "LinkSample", ns3::MakeCallback(&PacketRunNetwork::WriteLinkSample, this));
}

void
PacketRunNetwork::CheckConservation() const
{
    m_network->Get().CheckConservation();
}

std::string
PacketRunNetwork::Doubt()
{
    return m_network->GetBearer().Doubt();
}

void
PacketRunNetwork::CountFromNow()
{
    m_network->Get().CountFromNow();
}

Network&
PacketRunNetwork::AddRival(const PacketNetworkSettings& settings)
{
    return m_network->AddRival(settings);
}

const ns3::WanLinks&
PacketRunNetwork::Links() const
{
    return m_network->GetBearer().Links();
}

ns3::Bearer&
PacketRunNetwork::GetBearer() const
{
    return m_network->GetBearer();
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
PacketRunNetwork::WriteLinkSample(const ns3::LinkSample& sample)
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
    link.set_mean_queueing_ns(sample.meanQueueing.ToNanoseconds());
    m_writer->Write(record);
}

} // namespace geotrain
