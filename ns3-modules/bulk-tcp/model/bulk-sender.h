// The sending end of a bulk-tcp connection, which hosts any ns-3 TcpCongestionOps: it keeps the TcpSocketState that the
// control works on, calls it as ns-3's TcpSocketBase does, and gives it rate samples, timestamps and ECN. Loss detection
// is RACK-TLP (RFC 8985), recovery PRR (RFC 6937), the timeout RFC 6298's. Messages follow each other in one byte stream;
// a segment never holds parts of two.
#pragma once

#include "bulk-tcp/model/bulk-tcp-options.h"
#include "bulk-tcp/model/delivery-rate.h"
#include "bulk-tcp/model/hystart-plus-plus.h"
#include "bulk-tcp/model/packet-record.h"
#include "bulk-tcp/model/reusable-event.h"
#include "bulk-tcp/model/round-trip-estimator.h"
#include "bulk-tcp/model/scoreboard.h"

#include <ns3/tcp-congestion-ops.h>
#include <ns3/tcp-recovery-ops.h>
#include <ns3/tcp-socket-state.h>

#include <cstdint>
#include <deque>
#include <string>

namespace ns3
{

class BulkSenderEvents
{
  public:
    virtual ~BulkSenderEvents() = default;

    /// The last byte of the message went to the network for the first time.
    virtual void OnSent(std::uint64_t message) = 0;

    /// Everything that was handed over is acknowledged.
    virtual void OnDrained(FlowNumber flow) = 0;

    /// The peer does not answer any more; `message` will not be delivered.
    virtual void OnFailed(FlowNumber flow, std::uint64_t message) = 0;

    /// The same, once a connection and with or without messages.
    virtual void OnAborted(FlowNumber /*flow*/)
    {
    }
};

class BulkSender
{
  public:
    struct Counters
    {
        std::uint64_t dataPackets = 0; ///< retransmissions included
        std::uint64_t sentBytes = 0;   ///< payload, for the first time
        std::uint64_t retransmittedBytes = 0;
        std::uint64_t retransmittedPackets = 0;
        std::uint64_t timeouts = 0; ///< of RTO
        std::uint64_t tailLossProbes = 0;
        std::uint64_t recoveries = 0; ///< fast recoveries and ECN reductions
    };

    /// Data goes to node `peer` by `out`; `out` and `events` outlive the sender. Nothing is sent before the first
    /// message. Throws geotrain::ConfigError for options out of their range.
    BulkSender(FlowNumber flow,
               std::uint32_t peer,
               const BulkTcpOptions& options,
               Ptr<TcpCongestionOps> control,
               PacketElement& out,
               BulkSenderEvents& events);

    /// Hands over a message of `size` bytes, at least 1. Events are never told before this returns.
    void Send(std::uint64_t message, std::uint64_t size);

    /// Hands over `size` bytes, at least 1, of a stream without messages: they share segments with those before them.
    /// Nothing is sent before Connect().
    void Append(std::uint64_t size);

    /// Begins the handshake, if that is not done yet.
    void Connect();

    /// Gives up, as if the peer did not answer any more.
    void Abort();

    /// A SynAck or an Ack.
    void Receive(const PacketRecord& record);

    /// Its trace sources are those of TcpSocketBase: CongestionWindow, RTT, BytesInFlight, CongState and others.
    Ptr<TcpSocketState> State() const;
    Time SmoothedRtt() const;
    const Counters& GetCounters() const;
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

    struct Message
    {
        std::uint64_t number;
        std::uint64_t end;
    };

    using Segment = Scoreboard::Segment;
    using Progress = Scoreboard::Progress;

    // handshake
    void SendSyn();
    void OnSynAck(const PacketRecord& answer);

    // acknowledgements
    void OnAck(const PacketRecord& ack);
    void UpdateFromAck(const PacketRecord& ack, const Progress& progress);
    void MeasureRtt(const Progress& progress, std::uint32_t echoMs);
    void HandleEcn(const PacketRecord& ack, bool advanced, std::uint32_t delivered);
    void HandleLosses(const Progress& progress, std::uint32_t delivered);
    void HandleLossesAsStock(const Progress& progress, std::uint32_t delivered);
    void OnDuplicate();
    void OnAdvance(const Progress& progress, std::uint32_t delivered, std::uint32_t dupAcks);
    void OnPartialAckAsStock(std::uint32_t segments, std::uint32_t delivered);
    void Grow(std::uint32_t segments, std::int64_t rttNs);
    void EndTailLossProbe(const PacketRecord& ack, bool advanced, std::uint32_t delivered);
    void CompleteMessages();

    // congestion state
    void EnterRecovery(std::uint32_t delivered);
    void ReduceFromFlight();
    void EnterCwr(std::uint32_t delivered);
    void RestartTimeout();
    void LeaveRecovery();
    void SetState(TcpSocketState::TcpCongState_t state);
    void LimitWindow();
    bool IsWindowLimited() const;
    void UpdatePacingRate();
    bool IsPaced() const;

    // sending
    void Add(std::uint64_t message, std::uint64_t size);
    void SendPending();
    bool SendOne();
    bool SendAgain(Segment& segment, std::uint64_t room);
    void BeginIfIdle();
    void NoteInFlight();
    void NoteSent();
    void SendNew(std::uint32_t length);
    void Retransmit(Segment& segment);
    void Pace(std::uint32_t length);
    void Transmit(std::uint64_t offset,
                  std::uint32_t length,
                  const PacketRecord::MessageTag& tag,
                  bool again);
    void NoteCurrent();
    std::uint32_t NextNewLength() const;
    std::size_t MessageAt(std::uint64_t offset) const;
    PacketRecord::MessageTag TagOf(std::size_t message) const;
    void RestartAfterIdle();
    PacketRecord Record(PacketRecord::Kind kind, std::uint32_t wireSize) const;

    // timers
    void ArmTimers();
    void OnTimer();
    void OnRto();
    void OnProbe();
    void OnReorderingTimer();
    bool IsWindowClosed() const;
    void AwaitWindow();
    void OnPersist();
    std::int64_t RtoNs() const;
    std::int64_t ProbeNs() const;
    void Fail();

    FlowNumber m_flow;
    std::uint32_t m_peer;
    BulkTcpOptions m_options;
    Ptr<TcpCongestionOps> m_control;
    Ptr<TcpSocketState> m_tcb;
    Ptr<TcpRecoveryOps> m_recovery;
    RoundTripEstimator m_rtt;
    PacketElement& m_out;
    BulkSenderEvents& m_events;
    Counters m_counters;
    bool m_hasCongControl;
    bool m_keepsEpoch; ///< the control counts idle time as time of growth

    std::int64_t m_nowNs = 0; ///< set where an event enters
    DeliveryRate m_rate;
    Scoreboard m_board;
    HyStartPlusPlus m_hyStart;

    std::deque<Message> m_messages;       ///< not acknowledged whole, in order
    std::size_t m_sending = 0;            ///< index of the message that new data belongs to
    PacketRecord::MessageTag m_current{}; ///< that message; without one its end is HighTx
    std::uint64_t m_ackedMessageEnd = 0;
    std::uint64_t m_streamEnd = 0;
    std::uint64_t m_nextTx = 0; ///< SND.NXT; in the preset it goes back for a retransmission
    std::uint64_t m_window = 0; ///< the first byte that the receiver has no room for

    Handshake m_handshake = Handshake::NotStarted;
    std::int64_t m_synSentNs = 0;
    std::uint32_t m_synRetries = 0;

    std::uint64_t m_recover = 0;   ///< recovery ends when this is acknowledged
    bool m_partiallyAcked = false; ///< since recovery was entered
    bool m_enteredNow = false;     ///< recovery was entered by the acknowledgement in work
    std::uint32_t m_dupAcks = 0;
    std::uint64_t m_lostByTimer = 0;     ///< bytes found lost since the last acknowledgement
    std::uint32_t m_bytesNotCounted = 0; ///< acknowledged, less than a segment
    std::uint64_t m_limitedUntil = 0; ///< what was sent while the congestion window was the limit
    std::uint64_t m_echoedUntil = 0;  ///< marks up to here have been answered
    bool m_announceReduction = false; ///< CWR is to be set on new data
    std::int64_t m_lastSentNs = 0;
    std::int64_t m_advancedNs = 0;  ///< of the last cumulative acknowledgement
    std::int64_t m_nextPacedNs = 0; ///< when what was sent has gone by at the pacing rate
    std::int64_t m_burstEndNs = 0;  ///< nothing is sent before
    double m_burstBytes = 0;
    double m_bytesPerNs = 0; ///< the pacing rate of window-based controls
    double m_nsPerByte = 0;
    std::uint32_t m_backoff = 0; ///< timeouts in a row
    std::int64_t m_rtoDeadlineNs = LazyTimer::s_never;
    std::int64_t m_probeDeadlineNs = LazyTimer::s_never;
    std::uint64_t m_probeEnd = 0; ///< HighTx at a tail loss probe; 0: none is out
    bool m_probeRetransmitted = false;
    std::int64_t m_persistDeadlineNs = LazyTimer::s_never;
    std::uint32_t m_persistBackoff = 0; ///< probes of a closed window
    std::uint32_t m_unansweredProbes = 0;
    bool m_failed = false;

    LazyTimer m_timer; ///< the earliest of retransmission timeout, tail loss probe and window probe
    LazyTimer m_reorderingTimer;
    LazyTimer m_pacingTimer;
};

} // namespace ns3
