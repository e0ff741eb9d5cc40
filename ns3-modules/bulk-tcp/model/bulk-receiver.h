// SPDX-License-Identifier: GPL-2.0-only
// Implements the receiving end of a bulk-tcp connection: reassembly, delayed acknowledgements (RFC
// 5681), which do not wait at the end of what the sender has written, SACK blocks with the most
// recent first (RFC 2018), DSACK, ECN echo (RFC 3168, RFC 8257 for DCTCP, or AccECN's count), and
// messages reported in order. Data in order counts as read at once, so the window is the whole receive buffer. An
// owner that reads later calls SetUnread().
#pragma once

#include "bulk-tcp/model/accurate-ecn.h"
#include "bulk-tcp/model/bulk-tcp-options.h"
#include "bulk-tcp/model/byte-ranges.h"
#include "bulk-tcp/model/ecn-echo.h"
#include "bulk-tcp/model/flow-exit.h"
#include "bulk-tcp/model/interrupt-coalescing.h"
#include "bulk-tcp/model/quick-acks.h"
#include "bulk-tcp/model/rule-sets.h"
#include "bulk-tcp/model/sack-compression.h"
#include "wan-topology/model/reusable-event.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>

namespace ns3
{

/// BulkReceiverEvents hears which messages have come.
class BulkReceiverEvents
{
  public:
    virtual ~BulkReceiverEvents() = default;

    /// The first byte of the message, in the order of the stream, is here.
    virtual void OnFirstByte(std::uint64_t /*message*/)
    {
    }

    virtual void OnDelivered(std::uint64_t /*message*/)
    {
    }
};

/// A BulkReceiver is the receiving end of one connection.
class BulkReceiver
{
  public:
    struct Counters
    {
        std::uint64_t inOrderBytes = 0;   ///< payload in order, each byte counted once
        std::uint64_t duplicateBytes = 0; ///< payload that had arrived before
        std::uint64_t dataPackets = 0;
        std::uint64_t acks = 0;
    };

    /// `events` outlive the receiver.
    BulkReceiver(const FlowExit& exit, const BulkTcpOptions& options, BulkReceiverEvents& events);

    /// Takes a Syn, a Data or the Ack that ends the handshake.
    void Receive(const PacketRecord& record);

    const Counters& GetCounters() const;

    /// Sets the bytes in order that nobody has read, those of the next packet included. They take
    /// room in the buffer.
    void SetUnread(std::uint64_t bytes);

    /// Does the same after some bytes were read, and tells the sender when that opens the window.
    void OnRead(std::uint64_t unread);

    /// Sends an acknowledgement now.
    void Acknowledge();

    /// Sends the acknowledgement that waits for more data, if there is one: the reader has all that
    /// the sender has pushed.
    void AcknowledgePushed();

    /// Sets what the handshake has measured: the round trip and this end's retransmission timeout.
    /// The receiver does so itself where it sees the handshake.
    void OnHandshake(std::int64_t roundTripNs, std::int64_t timeoutNs);

    /// Returns the acknowledgement to be carried by data that goes the other way.
    PacketRecord Piggyback();

    std::uint64_t Next() const; ///< the first byte that is missing
    std::uint64_t Edge() const; ///< the first byte that there is no room for

  private:
    /// One more than SACK blocks, for when two runs join.
    static constexpr std::size_t s_recentRuns = 4;

    void OnSyn(const PacketRecord& syn);
    void EndHandshake();
    void OnData(const PacketRecord& data, std::uint32_t packets);
    void NoteTimestamp(const PacketRecord& data);
    void EchoMarks(const PacketRecord& data);
    void Store(const PacketRecord& data);
    void StoreOutOfOrder(const PacketRecord& data);
    std::size_t SackBlockOf(const PacketRecord& data) const;
    void PutFirst(const ByteRanges::Range& run);
    void Advance(std::uint64_t end);
    void TellMessages();
    bool HoldsBack();
    void DelayAck(std::uint32_t packets);
    bool IsPushed(const PacketRecord& data, std::uint32_t packets) const;
    std::uint64_t Advertised() const;
    void SendAck(std::uint64_t offset);
    void OnAcknowledged(const PacketRecord& ack);
    void AddSackBlocks(PacketRecord& ack) const;
    PacketRecord MakeAnswer(PacketRecord::Kind kind, std::uint32_t wireSize) const;
    std::uint32_t Window() const;

    FlowExit m_exit;
    BulkTcpOptions m_options;
    ReceiverRules m_rules;
    BulkReceiverEvents& m_events;
    Counters m_counters;

    std::uint64_t m_next = 0; ///< RCV.NXT
    std::uint64_t m_lastAcked = 0;
    ByteRanges m_outOfOrder;
    std::array<std::uint64_t, s_recentRuns>
        m_recent{}; ///< one byte of each run, the most recent first
    std::uint8_t m_recentCount = 0;
    std::uint32_t m_window; ///< the whole buffer
    std::uint64_t m_unread = 0;
    std::uint64_t m_edge = 0; ///< the first byte that the sender has not been allowed to send
    std::uint32_t m_echoMs = 0;

    struct Incoming
    {
        std::uint64_t number;
        std::uint64_t begin;
        bool firstByteTold;
    };

    std::map<std::uint64_t, Incoming> m_messages; ///< known and not delivered yet; by end

    std::uint32_t m_unacked = 0; ///< packets since the last acknowledgement
    bool m_duplicate = false;
    ByteRanges::Range m_duplicateRange{0, 0}; ///< what m_duplicate is about
    EcnEcho m_ecnEcho;
    AceCount m_aceCount;
    QuickAcks m_quickAcks;
    SackCompression m_sackCompression;
    bool m_hasGivenWay = false;   ///< what was held has gone out just before the last segment
    std::int64_t m_synAckNs = -1; ///< when it was sent; -1 before it and once it is answered
    LazyTimer m_delayedAck;       ///< of an acknowledgement that waits, for whatever reason
    std::unique_ptr<InterruptCoalescing> m_coalescing; ///< null: without offloads
};

} // namespace ns3
