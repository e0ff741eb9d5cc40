// SPDX-License-Identifier: GPL-2.0-only
#include "runner/testbed.h"

#include "analytic/analytic-network.h"
#include "execution/split-network.h"
#include "runner/analytic-testbed.h"
#include "training-network/model/site-network.h"
#include "units/config-error.h"

#include <ns3/abort.h>

#include <algorithm>

namespace geotrain
{

namespace
{

std::uint64_t
Count(Bytes size)
{
    return static_cast<std::uint64_t>(size.Count());
}

bool
HasZero3(const Experiment& experiment)
{
    return std::any_of(experiment.jobs.begin(),
                       experiment.jobs.end(),
                       [](const TrainingSpec& job)
                       { return job.plan.dataParallelism == DataParallelism::Zero3; });
}

/// Returns the connections of a pair of nodes inside a data centre, for messages by formula.
ns3::SiteConnections
InsideConnections(const TestbedSpec& spec)
{
    const ns3::BulkTcpOptions tcp = spec.transport.ForBulkTcp(spec.wan.mtu);
    const std::int64_t count = spec.transport.intraDcConnections;
    const Bytes initial =
        Bytes::Of(static_cast<std::int64_t>(tcp.initialWindow) * tcp.SegmentSize());
    ns3::SiteConnections inside;
    inside.count = spec.transport.intraDcConnections;
    inside.window = tcp.window * count;
    inside.initialWindow = std::min(tcp.window, initial) * count;
    inside.timeout = tcp.slowStartAfterIdle ? tcp.minRto : Duration();
    inside.pacing = tcp.pacing ? 1.2 : 0; // Linux's tcp_pacing_ca_ratio
    return inside;
}

} // namespace

void
RefuseLossesWithoutModel(const WanTopology& wan,
                         const TransportSettings& transport,
                         const std::string& file)
{
    const std::string& control = transport.congestionControl;
    const bool loses = std::any_of(
        wan.links.begin(), wan.links.end(), [](const auto& link) { return link.lossRate > 0; });
    if (loses && AnalyticNetwork::StaticKind().ignores("transport.congestion_control", control))
    {
        throw ConfigError(file,
                          "transport.congestion_control",
                          control,
                          "has no model of its response to wan_link.loss on the analytic network: "
                          "run it over packets");
    }
}

Testbed::Testbed(const Experiment& experiment,
                 const std::vector<Network::WarmUp>& warmUps,
                 EarlyEnd& early)
    : m_experiment(experiment),
      m_early(early)
{
    const TestbedSpec& spec = experiment.testbed;
    AnalyticChoices choices{experiment.run.seed, HasZero3(experiment)};
    for (const std::uint32_t ofOwner : spec.classOfOwner)
    {
        choices.ranks.push_back(spec.wan.classes[ofOwner].priority);
    }
    if (!experiment.run.network->hasPackets)
    {
        RefuseLossesWithoutModel(spec.wan, spec.transport, experiment.provenance.file);
        m_analytic = MakeAnalyticNetwork(spec.wan, spec.analytic, warmUps, choices);
        return;
    }
    m_simulator =
        std::make_unique<PacketSimulator>(static_cast<std::uint32_t>(experiment.run.seed));
    m_packets = std::make_unique<PacketNetwork>(
        spec.wan, TransportOf(experiment), experiment.provenance.file);
    m_packets->Get().SetClasses(spec.classOfOwner);
    const Duration interval = experiment.run.sampleInterval;
    m_packets->Get().SetAttribute("SampleInterval",
                                  ns3::TimeValue(ns3::NanoSeconds(interval.ToNanoseconds())));
    if (experiment.run.formulaInside)
    {
        ns3::TrainingNetwork& packets = m_packets->Get();
        m_split = std::make_unique<SplitNetwork>(
            packets,
            std::make_unique<ns3::SiteNetwork>(
                packets.GetClock(), m_packets->GetBearer().Links(), InsideConnections(spec)),
            [&wan = spec.wan](NodeIndex source, NodeIndex destination)
            { return wan.SiteOf(source) == wan.SiteOf(destination); });
    }
}

Testbed::~Testbed() = default;

const Experiment&
Testbed::Of() const
{
    return m_experiment;
}

Network&
Testbed::GetNetwork() const
{
    return m_analytic ? *m_analytic : m_split ? *m_split : m_packets->Get();
}

Clock&
Testbed::GetClock() const
{
    return GetNetwork().GetClock();
}

PacketNetwork&
Testbed::Packets() const
{
    NS_ABORT_MSG_UNLESS(m_packets, "the testbed has no packets");
    return *m_packets;
}

EarlyEnd&
Testbed::Early() const
{
    return m_early;
}

void
Testbed::WriteTo(TraceWriter& trace)
{
    m_trace = &trace;
}

TraceWriter&
Testbed::Trace() const
{
    return *m_trace;
}

void
Testbed::Warn(const std::string& text)
{
    trace::Record record;
    record.mutable_warning()->set_text(text);
    m_trace->Write(record);
}

void
Testbed::Begin()
{
    if (!m_packets)
    {
        return;
    }
    m_packets->Get().TraceConnectWithoutContext("FlowSample",
                                                ns3::MakeCallback(&Testbed::OnFlowSample, this));
    m_packets->Get().TraceConnectWithoutContext("LinkSample",
                                                ns3::MakeCallback(&Testbed::WriteLinkSample, this));
    auto& links = m_packets->GetBearer().Links();
    links.BeginSchedules();
    m_recorders = RecordPackets(
        m_experiment.run.packetTrace, std::filesystem::path(m_trace->Path()).parent_path(), links);
}

void
Testbed::OnFlowSample(const ns3::FlowSample& sample)
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
    m_trace->Write(record);
}

void
Testbed::WriteLinkSample(const ns3::LinkSample& sample)
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
    m_trace->Write(record);
}

void
Testbed::WriteDoubt()
{
    const std::string doubt = m_packets ? m_packets->GetBearer().Doubt() : "";
    if (!doubt.empty())
    {
        trace::Record record;
        record.mutable_warning()->set_text(doubt);
        record.mutable_warning()->set_untrusted(true);
        m_trace->Write(record);
    }
}

void
Testbed::CheckConservation() const
{
    if (m_packets)
    {
        m_packets->Get().CheckConservation();
    }
}

} // namespace geotrain
