// SPDX-License-Identifier: GPL-2.0-only
// Implements the sending end of a bulk-tcp connection: handshake, sending, and the composition of
// its parts. SendQueue holds the messages, and LossRecovery (RACK, RFC 8985) the segments that were
// sent. CongestionWindow and CongestionStates host an ns-3 TcpCongestionOps. Pacer sets the pace,
// and three timers say when to act without an acknowledgement. Messages follow each other in one
// byte stream; a segment never holds parts of two.
#pragma once

#include "bulk-tcp/model/ack-processor.h"
#include "bulk-tcp/model/bulk-tcp-options.h"
#include "bulk-tcp/model/congestion-states.h"
#include "bulk-tcp/model/congestion-window.h"
#include "bulk-tcp/model/flow-exit.h"
#include "bulk-tcp/model/loss-recovery.h"
#include "bulk-tcp/model/offload-burst.h"
#include "bulk-tcp/model/pacer.h"
#include "bulk-tcp/model/retransmission-timeout.h"
#include "bulk-tcp/model/send-queue.h"
#include "bulk-tcp/model/tail-loss-probe.h"
#include "bulk-tcp/model/window-probe.h"
#include "wan-topology/model/reusable-event.h"

#include <ns3/tcp-congestion-ops.h>
#include <ns3/tcp-socket-state.h>

#include <cstdint>
#include <memory>
#include <optional>

namespace ns3
{

/// BulkSenderEvents hears what becomes of the messages that a sender is given.
class BulkSenderEvents
{
  public:
    virtual ~BulkSenderEvents() = default;

    /// The last byte of the message went to the network for the first time.
    virtual void OnSent(std::uint64_t /*message*/)
    {
    }

    /// Everything that was handed over is acknowledged.
    virtual void OnDrained(FlowNumber /*flow*/)
    {
    }

    /// The peer has stopped answering, and the message will not be delivered.
    virtual void OnFailed(FlowNumber /*flow*/, std::uint64_t /*message*/)
    {
    }

    /// The peer has stopped answering. This is called once per connection, even without messages.
    virtual void OnAborted(FlowNumber /*flow*/)
    {
    }
};

/// A BulkSender is the sending end of one connection.
class BulkSender : private AckProcessor::Retransmitter
{
  public:
    struct Counters
    {
        std::uint64_t dataPackets = 0; ///< retransmissions included
        std::uint64_t sentBytes = 0;   ///< payload that was sent for the first time
        std::uint64_t retransmittedBytes = 0;
        std::uint64_t retransmittedPackets = 0;
        std::uint64_t timeouts = 0; ///< expired retransmission timeouts
        std::uint64_t tailLossProbes = 0;
        std::uint64_t recoveries = 0; ///< fast recoveries and ECN reductions
        std::uint64_t undos = 0;      ///< spurious recoveries and timeouts that were undone
    };

    /// `events` outlive the sender. Nothing is sent before the first message. Throws
    /// geotrain::ConfigError for options out of their range.
    BulkSender(const FlowExit& exit,
               const BulkTcpOptions& options,
               Ptr<TcpCongestionOps> control,
               BulkSenderEvents& events);

    /// Hands over a message of `size` bytes, at least 1. No event is told before this returns.
    void Send(std::uint64_t message, std::uint64_t size);

    /// Hands over `size` bytes, at least 1, of a stream without messages. They share segments with
    /// earlier bytes. Nothing is sent before Connect().
    void Append(std::uint64_t size);

    /// Begins the handshake, if that is not done yet.
    void Connect();

    /// Gives up, as if the peer had stopped answering.
    void Abort();

    /// Takes a SynAck or an Ack.
    void Receive(const PacketRecord& record);

    /// Returns the state that the congestion control works on. It has the trace sources of
    /// TcpSocketBase: CongestionWindow, RTT, BytesInFlight, CongState and others.
    Ptr<TcpSocketState> State() const;
    Time SmoothedRtt() const;
    Time RetransmissionTimeoutNow() const; ///< current timeout, backed off
    Counters GetCounters() const;
    bool Outstanding() const;
    bool Failed() const;
    std::uint64_t Una() const;    ///< the first byte that is not acknowledged
    std::uint64_t HighTx() const; ///< the first byte that was never sent

  private:
    enum class Handshake
    {
        NotStarted,
        SynSent,
        Done
    };

    using Segment = Scoreboard::Segment;

    // handshake
    void SendSyn();
    void OnSynAck(const PacketRecord& answer);

    // acknowledgements
    void OnAck(const PacketRecord& ack);
    void OnOldAck(const PacketRecord& ack);

    // sending
    void Add(std::uint64_t message, std::uint64_t size);
    void SendPending();
    bool SendOne();
    bool SendAgain(Segment& segment, std::uint64_t room);
    void BeginIfIdle();
    void SendNew(std::uint32_t length);
    void GiveOut(PacketRecord data, std::uint64_t end);
    void SendBurst(std::uint64_t room);
    void Retransmit(Segment& segment) override;
    void Repeat(Segment& segment, bool isProbe);
    void Transmit(std::uint64_t offset,
                  std::uint32_t length,
                  const PacketRecord::MessageTag& tag,
                  bool again);
    void Pace(std::uint32_t length);
    PacketRecord MakeData(std::uint64_t offset,
                          std::uint32_t length,
                          const PacketRecord::MessageTag& tag,
                          bool again);
    void UpdatePace();
    void UpdateBurst();
    bool WaitsForBurst(std::uint64_t room);
    void RestartAfterIdle();
    std::uint32_t NextNewLength() const;
    bool FitsReceiver(std::uint32_t length) const;
    PacketRecord MakePacket(PacketRecord::Kind kind, std::uint32_t wireSize) const
    {
        return m_exit.MakePacket(kind, wireSize, m_nowNs);
    }

    // timers
    void ArmTimers();
    void ArmReorderingTimer();
    void OnTimer();
    void OnTimeout();
    void OnTailLossProbe();
    void OnReorderingTimer();
    void AwaitWindow();
    void OnWindowProbe();

    const Scoreboard& Board() const
    {
        return m_losses->Board();
    }

    FlowExit m_exit;
    BulkSenderEvents& m_events;
    Counters m_counters;
    std::int64_t m_nowNs = 0; ///< time of the event in work

    SendQueue m_queue;
    std::unique_ptr<LossRecovery> m_losses;
    CongestionWindow m_window;
    CongestionStates m_states;
    Pacer m_pacer;
    std::optional<OffloadBurst> m_burst; ///< without pacing, as in Linux, and with offloads
    bool m_offloads;
    RetransmissionTimeout m_timeout;
    TailLossProbe m_tailLossProbe;
    WindowProbe m_windowProbe;
    AckProcessor m_acks;

    Handshake m_handshake = Handshake::NotStarted;
    std::int64_t m_synSentNs = 0;
    std::uint64_t m_edge = 0;          ///< the first byte that the receiver has no room for
    std::uint32_t m_largestWindow = 0; ///< the largest that the receiver has announced
    std::int64_t m_lastSentNs = 0;
    bool m_failed = false;
    /// New data waits until the congestion window, which is less than the receiver's, has room for a
    /// larger burst.
    bool m_waitsForWindow = false;

    LazyTimer m_timer; ///< the earliest of retransmission timeout, tail loss probe and window probe
    LazyTimer m_reorderingTimer;
    LazyTimer m_pacingTimer;
};

} // namespace ns3
