// SPDX-License-Identifier: GPL-2.0-only
// One connection of the device bearer between its two handshakes: the states and the arrival of
// segments of RFC 9293 (section 3.10.7), around bulk-tcp's two engines, which know packet records
// and nothing of headers. Segments come and go as headers with payload; addresses, routes and
// applications are the owner's. Not here: urgent data, PAWS, RFC 5961's challenges.
#pragma once

#include "bulk-tcp/model/bulk-sender.h"
#include "bulk-tcp/model/bulk-tcp-closing.h"
#include "bulk-tcp/model/bulk-tcp-options.h"
#include "bulk-tcp/model/bulk-tcp-protocol.h"
#include "bulk-tcp/model/incoming-stream.h"
#include "bulk-tcp/model/segment-codec.h"
#include "bulk-tcp/model/stream-buffers.h"

#include <ns3/nstime.h>
#include <ns3/packet.h>
#include <ns3/tcp-congestion-ops.h>
#include <ns3/tcp-socket.h>
#include <ns3/traced-value.h>

#include <cstdint>
#include <optional>

namespace ns3
{

/// What a connection tells its owner.
class BulkTcpConnectionEvents
{
  public:
    virtual ~BulkTcpConnectionEvents() = default;

    /// A segment is to go to the peer.
    virtual void OnSegment(Ptr<Packet> payload, const TcpWireHeader& header, bool ectCapable) = 0;
    virtual void OnEstablished() = 0;

    /// So many bytes have been sent for the first time.
    virtual void OnDataSent(std::uint32_t bytes) = 0;

    /// The peer has acknowledged data.
    virtual void OnDataAcked() = 0;

    /// There is more to read.
    virtual void OnReadable() = 0;

    /// The peer sends no more: its FIN is here with all that comes before it.
    virtual void OnPeerClosed() = 0;

    /// The peer has refused or reset the connection, which OnClosed() and OnBroken() follow.
    virtual void OnReset() = 0;

    /// The connection, in state `before`, was reset or given up. OnClosed() came first.
    virtual void OnBroken(TcpSocket::TcpStates_t before) = 0;

    /// The connection, in state `before`, is closed.
    virtual void OnClosed(TcpSocket::TcpStates_t before) = 0;
};

class BulkTcpConnection : private BulkSenderEvents, private BulkTcpClosingActions
{
  public:
    /// What the owner shows by trace sources.
    struct Traced
    {
        TracedValue<TcpSocket::TcpStates_t>& state;
        TracedValue<Time>& rto;
    };

    /// `control` is of this connection alone; `traced` and `events` outlive it. Throws
    /// geotrain::ConfigError for options out of their range.
    BulkTcpConnection(const BulkTcpOptions& options,
                      const BulkTcpProtocol::Connection& ends,
                      Ptr<TcpCongestionOps> control,
                      Traced traced,
                      BulkTcpConnectionEvents& events);

    /// Sends the SYN.
    void Open();

    /// Answers the peer's.
    void Accept(const TcpWireHeader& syn);

    /// A segment has come; `marked` says that its packet met congestion.
    void Receive(Ptr<Packet> payload, const TcpWireHeader& tcp, bool marked);

    /// Hands over data, at least one byte.
    void Append(Ptr<Packet> data);

    /// At most `most` bytes, at most the rest of one segment; null where there are none.
    Ptr<Packet> Read(std::uint32_t most);

    /// Bytes that were handed over and are not acknowledged.
    std::uint64_t Unacknowledged() const
    {
        return m_toSend.End() - m_sender.Una();
    }

    /// Bytes in order that nobody has read, and whether all was read up to the peer's FIN.
    const IncomingStream& Incoming() const
    {
        return m_incoming;
    }

    /// A FIN follows the last byte; no more data may be handed over.
    void CloseSending();

    bool IsClosing() const
    {
        return m_closing.HasBegun();
    }

    /// Ends the connection at once and tells the peer nothing.
    void BecomeClosed() override;

    /// Nothing happens by itself any more.
    void Stop()
    {
        m_closing.Stop();
    }

    const BulkSender& Sender() const
    {
        return m_sender;
    }

  private:
    /// Takes the packets of an engine and gives them to METHOD of the connection.
    template <void (BulkTcpConnection::*method)(const PacketRecord&)>
    class Outlet : public PacketElement
    {
      public:
        explicit Outlet(BulkTcpConnection* connection)
            : m_connection(connection)
        {
        }

        void Receive(const PacketRecord& record) override
        {
            (m_connection->*method)(record);
        }

      private:
        BulkTcpConnection* m_connection;
    };

    // from the engines
    void FromSender(const PacketRecord& record);
    void FromReceiver(const PacketRecord& record);
    void OnSent(std::uint64_t message) override;
    void OnAborted(FlowNumber flow) override;

    // to the peer
    void SendSyn();
    void SendData(const PacketRecord& data);
    void SendAck(const PacketRecord& ack);
    void SendFin() override;
    void SendReset(const TcpWireHeader& cause, std::uint32_t length);

    // from the peer
    void OnSynSent(const TcpWireHeader& tcp);
    void OnSynchronized(Ptr<Packet> payload, const TcpWireHeader& tcp, bool marked);
    bool IsOfStreams(const TcpWireHeader& tcp, std::uint32_t length);
    void OnReset(const TcpWireHeader& tcp);
    void LearnSyn(const TcpWireHeader& tcp);
    void LimitSegments(std::uint32_t most);
    void Establish(const TcpWireHeader& tcp);
    bool OnAcknowledgement(const TcpWireHeader& tcp, bool carriesData);
    void OnData(Ptr<Packet> payload, const TcpWireHeader& tcp, bool marked);
    void OnPeerFin();

    BulkTcpOptions m_options;
    Traced m_traced;
    BulkTcpConnectionEvents& m_events;
    SegmentCodec m_codec;
    Outlet<&BulkTcpConnection::FromSender> m_fromSender{this};
    Outlet<&BulkTcpConnection::FromReceiver> m_fromReceiver{this};
    BulkSender m_sender;
    SendBuffer m_toSend;
    IncomingStream m_incoming;
    BulkTcpClosing m_closing;

    bool m_answersSyn = false;    ///< the SYN of the own end is a SYN-ACK
    bool m_echoesInSyn = false;   ///< ECN was agreed on: the SYN-ACK says so
    std::uint64_t m_highSent = 0; ///< of the bytes of which the owner was told that they were sent
};

} // namespace ns3
