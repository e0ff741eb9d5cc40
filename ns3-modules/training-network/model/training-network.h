// SPDX-License-Identifier: GPL-2.0-only
// Implements the packet-level geotrain::Network: transfers are messages of a MessageTransport over
// the links of a WAN. Transfers inside a node never come here. GPUs, hosts and NIC drivers are
// ignored.
#pragma once

#include "execution/warm-up-order.h"
#include "training-network/model/link-monitor.h"
#include "training-network/model/message-transport.h"
#include "wan-topology/model/simulator-clock.h"

#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/// FlowSample is the state of a connection at an instant. Samples are taken while bytes are
/// outstanding on the connection.
struct FlowSample
{
    geotrain::Instant at;
    geotrain::NodeIndex source = 0;
    geotrain::NodeIndex destination = 0;
    std::uint32_t connection = 0; ///< number among the connections of its pair, owner after owner
    geotrain::Bytes congestionWindow;
    geotrain::Duration roundTripTime;
    geotrain::Bytes inFlight;
    geotrain::Bytes retransmittedBytes; ///< since time 0
};

/// TrainingNetwork carries transfers between the nodes of one WAN.
class TrainingNetwork : public Object, public geotrain::Network, private TransportObserver
{
  public:
    static TypeId GetTypeId();

    using FlowSampleCallback = void (*)(const FlowSample&);
    using LinkSampleCallback = void (*)(const LinkSample&);

    /// ConnectionCounts are the connections per directed pair of nodes, each at least 1.
    struct ConnectionCounts
    {
        std::uint32_t wan = 1;     ///< between data centres
        std::uint32_t intraDc = 1; ///< inside one
    };

    /// `wan` outlives this. `transport` connects the nodes of `wan`.
    TrainingNetwork(const WanLinks& wan,
                    std::unique_ptr<MessageTransport> transport,
                    const ConnectionCounts& counts);
    ~TrainingNetwork() override;

    /// It ignores nothing: links and sockets do what a scenario asks of them, and what a bearer
    /// can't do is refused before.
    static const geotrain::NetworkKind& StaticKind();

    const geotrain::NetworkKind& Kind() const override;
    geotrain::Clock& GetClock() override;
    std::uint32_t ConnectionsBetween(geotrain::NodeIndex source,
                                     geotrain::NodeIndex destination) const override;
    geotrain::Bytes LeastChunk(geotrain::NodeIndex source,
                               geotrain::NodeIndex destination) const override;

    /// Sets the classes of traffic of the connections of each owner that are opened from now on; 0 for
    /// further owners.
    void SetClasses(const std::vector<std::uint32_t>& ofOwners);

    /// Starts a transfer. Opens the connection if Prepare() hasn't; the message then waits for the
    /// handshake.
    geotrain::TransferNumber Transfer(const geotrain::TransferRequest& request,
                                      geotrain::TransferCallback callback) override;

    /// Cancels a transfer: its callback is not called again. The message is still carried and
    /// counted.
    void Cancel(geotrain::TransferNumber transfer) override;

    /// Opens and warms connections. The first call must come before the first transfer and while no
    /// clock runs; it runs the simulator until the pairs are warm. A later call opens the missing
    /// connections cold, since other transfers would have to stand idle during a warm-up. Prepare
    /// jobs that shall all begin warm in one call. Throws std::runtime_error that names the pair if
    /// a connection fails.
    void Prepare(const std::vector<WarmUp>& pairs) override;

    /// Makes the present time 0 and counts from here on. Nothing may be scheduled on the clock, and
    /// nobody may have asked for samples yet.
    void CountFromNow();

    geotrain::NetworkCounters Counters() const override;

    /// Ends the program with a message unless the bytes of each connection agree at both ends. Call
    /// it at the end of a run.
    void CheckConservation() const;

  private:
    struct Connection
    {
        geotrain::NodeIndex source;
        geotrain::NodeIndex destination;
        std::uint32_t ofPair;                ///< as FlowSample::connection
        geotrain::Bytes retransmittedBefore; ///< value at time 0
        std::size_t warmUp = 0;              ///< index of the warm-up in progress
    };

    struct PendingTransfer
    {
        geotrain::TransferCallback callback; ///< empty: the transfer is cancelled
        geotrain::Bytes size;
        bool wan;
    };

    struct WarmUpState
    {
        geotrain::WarmUpOrder order;
        std::vector<std::uint32_t> partsLeft; ///< parts left per pair
        std::string failure;
    };

    void OnFirstByte(MessageNumber message) override;
    void OnSent(MessageNumber message) override;
    void OnDelivered(MessageNumber message) override;
    void OnDrained(ConnectionNumber connection) override;
    void OnFailed(ConnectionNumber connection,
                  MessageNumber message,
                  const std::string& reason) override;

    bool CrossesWan(geotrain::NodeIndex source, geotrain::NodeIndex destination) const;
    ConnectionNumber OpenIfNew(geotrain::NodeIndex source,
                               geotrain::NodeIndex destination,
                               geotrain::OwnerIndex owner,
                               std::uint32_t ofOwner);
    void OpenAll(const WarmUp& pair);
    void StartWarmUps();
    void StartWarmUp(std::size_t pair);
    static std::string WhatDidNotCome(const WarmUpState& warmUp);
    std::string FullestQueue() const;
    geotrain::NetworkCounters CountersSinceOpening() const;
    void Tell(MessageNumber message, geotrain::TransferEvent::Kind kind);
    void EndTransfer(MessageNumber message,
                     geotrain::TransferEvent::Kind kind,
                     const std::string& reason);
    void StartSampling();
    void Sample();
    bool SampleFlows();

    const WanLinks& m_wan;
    std::unique_ptr<MessageTransport> m_transport;
    ConnectionCounts m_counts;
    std::vector<std::uint32_t> m_classes; ///< by owner
    SimulatorClock m_clock;
    std::map<std::pair<geotrain::NodeIndex, geotrain::NodeIndex>,
             std::vector<std::optional<ConnectionNumber>>>
        m_pairs;
    std::vector<Connection> m_connections; ///< by ConnectionNumber
    std::unordered_map<geotrain::TransferNumber, PendingTransfer> m_transfers; ///< never iterated
    geotrain::TransferNumber m_lastTransfer = 0;
    bool m_isPrepared = false;
    std::unique_ptr<WarmUpState> m_warmUp; ///< set only inside Prepare()
    MessageNumber m_nextWarmUpMessage;
    geotrain::NetworkCounters m_delivered; ///< payload only
    geotrain::NetworkCounters m_atZero;

    Time m_sampleInterval;
    EventId m_sampling;
    LinkMonitor m_links;
    TracedCallback<const FlowSample&> m_flowSamples;
    TracedCallback<const LinkSample&> m_linkSamples;
};

} // namespace ns3
