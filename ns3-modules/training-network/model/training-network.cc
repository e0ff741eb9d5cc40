// SPDX-License-Identifier: GPL-2.0-only
#include "training-network/model/training-network.h"

#include "wan-topology/model/reusable-event.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"

#include <stdexcept>

namespace ns3
{

using geotrain::Bytes;
using geotrain::NodeIndex;
using geotrain::TransferEvent;

NS_OBJECT_ENSURE_REGISTERED(TrainingNetwork);

namespace
{

constexpr MessageNumber FIRST_WARM_UP_MESSAGE = MessageNumber{1} << 63; // above all transfers

} // namespace

TypeId
TrainingNetwork::GetTypeId()
{
    static TypeId tid =
        TypeId("geotrain::TrainingNetwork")
            .SetParent<Object>()
            .SetGroupName("TrainingNetwork")
            .AddAttribute("SampleInterval",
                          "Time between two samples while bytes are outstanding",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&TrainingNetwork::m_sampleInterval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddTraceSource("FlowSample",
                            "A connection on which bytes are outstanding",
                            MakeTraceSourceAccessor(&TrainingNetwork::m_flowSamples),
                            "ns3::TrainingNetwork::FlowSampleCallback")
            .AddTraceSource("LinkSample",
                            "A link over the last interval",
                            MakeTraceSourceAccessor(&TrainingNetwork::m_linkSamples),
                            "ns3::TrainingNetwork::LinkSampleCallback");
    return tid;
}

TrainingNetwork::TrainingNetwork(const WanLinks& wan,
                                 std::unique_ptr<MessageTransport> transport,
                                 const ConnectionCounts& counts)
    : m_wan(wan),
      m_transport(std::move(transport)),
      m_counts(counts),
      m_nextWarmUpMessage(FIRST_WARM_UP_MESSAGE),
      m_links(wan)
{
    NS_ABORT_MSG_IF(counts.wan < 1 || counts.intraDc < 1, "a pair needs at least one connection");
    m_transport->SetObserver(*this);
    m_clock.StartAtZero();
}

TrainingNetwork::~TrainingNetwork()
{
    m_sampling.Cancel();
}

const geotrain::NetworkKind&
TrainingNetwork::StaticKind()
{
    static const geotrain::NetworkKind kind{
        "packet", true, [](std::string_view, std::string_view) { return false; }};
    return kind;
}

const geotrain::NetworkKind&
TrainingNetwork::Kind() const
{
    return StaticKind();
}

geotrain::Clock&
TrainingNetwork::GetClock()
{
    return m_clock;
}

std::uint32_t
TrainingNetwork::ConnectionsBetween(NodeIndex source, NodeIndex destination) const
{
    return CrossesWan(source, destination) ? m_counts.wan : m_counts.intraDc;
}

Bytes
TrainingNetwork::LeastChunk(NodeIndex source, NodeIndex destination) const
{
    return m_transport->LeastMessage(source, destination, ConnectionsBetween(source, destination));
}

void
TrainingNetwork::SetClasses(const std::vector<std::uint32_t>& ofOwners)
{
    m_classes = ofOwners;
}

geotrain::TransferNumber
TrainingNetwork::Transfer(const geotrain::TransferRequest& request,
                          geotrain::TransferCallback callback)
{
    const auto connection =
        OpenIfNew(request.source, request.destination, request.owner, request.connection);
    const auto number = ++m_lastTransfer;
    m_transfers[number] = {
        std::move(callback), request.size, CrossesWan(request.source, request.destination)};
    m_transport->Send(connection, number, request.size);
    StartSampling();
    return number;
}

void
TrainingNetwork::Cancel(geotrain::TransferNumber transfer)
{
    const auto found = m_transfers.find(transfer);
    if (found != m_transfers.end())
    {
        found->second.callback = nullptr;
    }
}

void
TrainingNetwork::Prepare(const std::vector<WarmUp>& pairs)
{
    if (m_isPrepared || m_lastTransfer > 0)
    {
        for (const WarmUp& pair : pairs)
        {
            OpenAll(pair);
        }
        return;
    }
    if (SimulatorClock::IsRunning())
    {
        throw std::logic_error("connections can't be warmed while the clock runs");
    }
    m_isPrepared = true;
    m_warmUp.reset(new WarmUpState{
        geotrain::WarmUpOrder(pairs), std::vector<std::uint32_t>(pairs.size()), {}});
    StartWarmUps();
    if (!m_warmUp->order.AllEnded())
    {
        Simulator::Run();
    }
    const auto warmUp = std::move(m_warmUp);
    if (!warmUp->failure.empty())
    {
        throw std::runtime_error(warmUp->failure);
    }
    if (SimulatorClock::WasEndedByWatch())
    {
        throw std::runtime_error("the warming was ended early");
    }
    if (!warmUp->order.AllEnded())
    {
        throw std::runtime_error(WhatDidNotCome(*warmUp));
    }
    CountFromNow();
}

/// Names the first pair of which some of the warming is still outside though nothing goes on.
std::string
TrainingNetwork::WhatDidNotCome(const WarmUpState& warmUp)
{
    for (std::size_t i = 0; i < warmUp.order.Count(); ++i)
    {
        if (warmUp.partsLeft[i] > 0)
        {
            const WarmUp& pair = warmUp.order.At(i);
            return "from node " + std::to_string(pair.source) + " to node " +
                   std::to_string(pair.destination) + ": on " +
                   std::to_string(warmUp.partsLeft[i]) + " connections the last bytes did not come";
        }
    }
    return "not all of them were opened";
}

/// Names the link that has dropped most packets at its queue; empty where none has.
std::string
TrainingNetwork::FullestQueue() const
{
    std::uint64_t most = 0;
    std::string name;
    for (std::size_t i = 0; i < m_wan.LinkCount(); ++i)
    {
        const WanLinkCounters counters = m_wan.CountersAt(i);
        const std::uint64_t drops = counters.drops - counters.lost;
        if (drops > most)
        {
            most = drops;
            name = m_wan.LinkAt(i).name;
        }
    }
    return most == 0
               ? ""
               : "; the queue of " + name + " has dropped " + std::to_string(most) + " packets";
}

void
TrainingNetwork::CountFromNow()
{
    m_clock.StartAtZero();
    m_delivered = {};
    m_atZero = CountersSinceOpening();
    for (ConnectionNumber i = 0; i < m_connections.size(); ++i)
    {
        m_connections[i].retransmittedBefore = m_transport->State(i).retransmittedBytes;
    }
}

geotrain::NetworkCounters
TrainingNetwork::Counters() const
{
    auto counters = CountersSinceOpening();
    counters.wanPayload = m_delivered.wanPayload;
    counters.intraDcPayload = m_delivered.intraDcPayload;
    counters.wanWireBytes = counters.wanWireBytes - m_atZero.wanWireBytes;
    counters.retransmittedBytes = counters.retransmittedBytes - m_atZero.retransmittedBytes;
    counters.wanPackets -= m_atZero.wanPackets;
    counters.intraDcPackets -= m_atZero.intraDcPackets;
    counters.droppedPackets -= m_atZero.droppedPackets;
    counters.lostPackets -= m_atZero.lostPackets;
    return counters;
}

void
TrainingNetwork::CheckConservation() const
{
    m_transport->CheckConservation();
}

void
TrainingNetwork::OnFirstByte(MessageNumber message)
{
    Tell(message, TransferEvent::Kind::FirstByte);
    SimulatorClock::EndRunIfOver();
}

void
TrainingNetwork::OnSent(MessageNumber message)
{
    Tell(message, TransferEvent::Kind::Sent);
    SimulatorClock::EndRunIfOver();
}

void
TrainingNetwork::OnDelivered(MessageNumber message)
{
    EndTransfer(message, TransferEvent::Kind::Delivered, {});
    SimulatorClock::EndRunIfOver();
}

void
TrainingNetwork::OnFailed(ConnectionNumber connection,
                          MessageNumber message,
                          const std::string& reason)
{
    if (m_warmUp)
    {
        const Connection& failed = m_connections[connection];
        m_warmUp->failure = "from node " + std::to_string(failed.source) + " to node " +
                            std::to_string(failed.destination) + ": " + reason + FullestQueue();
        Simulator::Stop();
        return;
    }
    EndTransfer(message, TransferEvent::Kind::Failed, reason + FullestQueue());
    SimulatorClock::EndRunIfOver();
}

void
TrainingNetwork::OnDrained(ConnectionNumber connection)
{
    if (!m_warmUp)
    {
        return;
    }
    const std::size_t pair = m_connections[connection].warmUp;
    if (--m_warmUp->partsLeft[pair] > 0)
    {
        return;
    }
    m_warmUp->order.End(pair);
    if (m_warmUp->order.AllEnded())
    {
        Simulator::Stop();
        return;
    }
    StartWarmUps();
}

bool
TrainingNetwork::CrossesWan(NodeIndex source, NodeIndex destination) const
{
    return m_wan.Topology().SiteOf(source) != m_wan.Topology().SiteOf(destination);
}

ConnectionNumber
TrainingNetwork::OpenIfNew(NodeIndex source,
                           NodeIndex destination,
                           geotrain::OwnerIndex owner,
                           std::uint32_t ofOwner)
{
    NS_ABORT_MSG_IF(source == destination,
                    "node " << source << " sends to itself over the network");
    const std::uint32_t connections = ConnectionsBetween(source, destination);
    NS_ABORT_MSG_IF(ofOwner >= connections,
                    "nodes " << source << " and " << destination << " have no connection "
                             << ofOwner);
    const std::uint32_t ofPair = owner * connections + ofOwner;
    auto& pair = m_pairs[{source, destination}];
    if (pair.size() <= ofPair)
    {
        pair.resize((owner + 1) * connections);
    }
    auto& connection = pair[ofPair];
    if (!connection)
    {
        connection =
            m_transport->Open(source, destination, owner < m_classes.size() ? m_classes[owner] : 0);
        m_connections.resize(*connection + 1);
        m_connections[*connection] = {source, destination, ofPair, {}};
    }
    return *connection;
}

void
TrainingNetwork::OpenAll(const WarmUp& pair)
{
    const std::uint32_t connections = ConnectionsBetween(pair.source, pair.destination);
    for (std::uint32_t ofOwner = 0; ofOwner < connections; ++ofOwner)
    {
        OpenIfNew(pair.source, pair.destination, pair.owner, ofOwner);
    }
}

void
TrainingNetwork::StartWarmUps()
{
    for (auto pair = m_warmUp->order.TakeNext(); pair < m_warmUp->order.Count();
         pair = m_warmUp->order.TakeNext())
    {
        StartWarmUp(pair);
    }
}

void
TrainingNetwork::StartWarmUp(std::size_t pair)
{
    const WarmUp& warmUp = m_warmUp->order.At(pair);
    const std::uint32_t connections = ConnectionsBetween(warmUp.source, warmUp.destination);
    const std::int64_t size = warmUp.size.Count();
    for (std::uint32_t i = 0; i < connections; ++i)
    {
        const auto connection = OpenIfNew(warmUp.source, warmUp.destination, warmUp.owner, i);
        m_connections[connection].warmUp = pair;
        const std::int64_t part = size * (i + 1) / connections - size * i / connections;
        if (part > 0)
        {
            ++m_warmUp->partsLeft[pair];
            m_transport->Send(connection, m_nextWarmUpMessage++, Bytes::Of(part));
        }
    }
}

geotrain::NetworkCounters
TrainingNetwork::CountersSinceOpening() const
{
    const auto wan = m_wan.TotalsOf(WanLinkClass::Wan);
    const auto intraDc = m_wan.TotalsOf(WanLinkClass::IntraDc);
    geotrain::NetworkCounters counters;
    counters.wanWireBytes = Bytes::Of(wan.localBytes);
    counters.wanPackets = wan.packets;
    counters.intraDcPackets = intraDc.packets;
    counters.droppedPackets = wan.drops + intraDc.drops;
    counters.lostPackets = wan.lost;
    for (ConnectionNumber i = 0; i < m_connections.size(); ++i)
    {
        counters.retransmittedBytes += m_transport->State(i).retransmittedBytes;
    }
    return counters;
}

void
TrainingNetwork::Tell(MessageNumber message, TransferEvent::Kind kind)
{
    const auto found = m_transfers.find(message);
    if (found != m_transfers.end() && found->second.callback)
    {
        const auto callback = found->second.callback; // copied, since it may cancel the transfer
        callback({kind, message, m_clock.Now(), {}});
    }
}

void
TrainingNetwork::EndTransfer(MessageNumber message,
                             TransferEvent::Kind kind,
                             const std::string& reason)
{
    const auto ended = m_transfers.extract(message);
    if (ended.empty())
    {
        return;
    }
    const PendingTransfer& transfer = ended.mapped();
    if (kind == TransferEvent::Kind::Delivered)
    {
        (transfer.wan ? m_delivered.wanPayload : m_delivered.intraDcPayload) += transfer.size;
    }
    if (transfer.callback)
    {
        transfer.callback({kind, message, m_clock.Now(), reason});
    }
}

void
TrainingNetwork::StartSampling()
{
    const bool watched = !m_flowSamples.IsEmpty() || !m_linkSamples.IsEmpty();
    if (watched && !m_sampling.IsRunning())
    {
        const AtSite none(Simulator::NO_CONTEXT);
        m_links.Begin(m_clock.Now());
        m_sampling = Simulator::Schedule(m_sampleInterval, &TrainingNetwork::Sample, this);
    }
}

void
TrainingNetwork::Sample()
{
    for (const LinkSample& sample : m_links.End(m_clock.Now()))
    {
        m_linkSamples(sample);
    }
    if (SampleFlows())
    {
        m_sampling = Simulator::Schedule(m_sampleInterval, &TrainingNetwork::Sample, this);
    }
}

bool
TrainingNetwork::SampleFlows()
{
    bool outstanding = false;
    for (ConnectionNumber i = 0; i < m_connections.size(); ++i)
    {
        const FlowState state = m_transport->State(i);
        if (state.outstanding)
        {
            const Connection& connection = m_connections[i];
            m_flowSamples({m_clock.Now(),
                           connection.source,
                           connection.destination,
                           connection.ofPair,
                           state.congestionWindow,
                           geotrain::Duration::Nanoseconds(state.roundTripTime.GetNanoSeconds()),
                           state.inFlight,
                           state.retransmittedBytes - connection.retransmittedBefore});
            outstanding = true;
        }
    }
    return outstanding;
}

} // namespace ns3
