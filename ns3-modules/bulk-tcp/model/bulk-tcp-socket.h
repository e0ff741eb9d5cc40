// SPDX-License-Identifier: GPL-2.0-only
// The device bearer: bulk-tcp's sender and receiver behind ns-3's Socket, over real IPv4 and TCP
// headers, through Ipv4L3Protocol and whatever queue discs and devices are below. One connection
// carries a byte stream each way; the other end may be another TCP, such as ns-3's TcpSocketBase.
// States, handshakes and windows are RFC 9293's. Ports are those of ns3::TcpL4Protocol, so that
// ns-3's own sockets work beside it. Not here: IPv6 (refused), urgent data, PAWS, path MTU
// discovery, RFC 5961's challenges, fast open.
#pragma once

#include "bulk-tcp/model/bulk-receiver.h"
#include "bulk-tcp/model/bulk-sender.h"
#include "bulk-tcp/model/bulk-tcp-options.h"
#include "bulk-tcp/model/bulk-tcp-protocol.h"
#include "bulk-tcp/model/route-cache.h"
#include "bulk-tcp/model/segment-codec.h"
#include "bulk-tcp/model/stream-buffers.h"

#include <ns3/inet-socket-address.h>
#include <ns3/ipv4-end-point.h>
#include <ns3/ipv4-header.h>
#include <ns3/ipv4.h>
#include <ns3/node.h>
#include <ns3/socket.h>
#include <ns3/tcp-header.h>
#include <ns3/tcp-l4-protocol.h>
#include <ns3/tcp-socket.h>
#include <ns3/traced-callback.h>
#include <ns3/traced-value.h>

#include <memory>
#include <optional>

namespace ns3
{

class BulkTcpSocket : public Socket, private BulkSenderEvents, private BulkReceiverEvents
{
  public:
    static TypeId GetTypeId();
    BulkTcpSocket();
    BulkTcpSocket(
        const BulkTcpSocket& listener); ///< for CopyObject: a socket for a connection of `listener`
    ~BulkTcpSocket() override;

    /// Once, before anything else. `node` has an IPv4 stack with TCP. Throws geotrain::ConfigError
    /// for options out of their range.
    void Setup(Ptr<Node> node, const BulkTcpOptions& options);

    /// Before Connect(): hosts this one in place of that of the options.
    void SetCongestionControlAlgorithm(Ptr<TcpCongestionOps> control);

    SocketErrno GetErrno() const override;
    SocketType GetSocketType() const override;
    Ptr<Node> GetNode() const override;
    int Bind(const Address& address) override;
    int Bind() override;
    int Bind6() override; ///< ends the program: IPv6 is not supported
    int Close() override;
    int ShutdownSend() override;
    int ShutdownRecv() override;
    int Connect(const Address& address) override;
    int Listen() override;
    uint32_t GetTxAvailable() const override;
    /// Takes all of the packet or, where it is larger than GetTxAvailable(), nothing (-1,
    /// ERROR_MSGSIZE).
    int Send(Ptr<Packet> packet, uint32_t flags) override;
    int SendTo(Ptr<Packet> packet, uint32_t flags, const Address& address) override;
    uint32_t GetRxAvailable() const override;
    /// What is in order, at most the rest of one segment; an empty packet at the end of the peer's
    /// stream.
    Ptr<Packet> Recv(uint32_t maxSize, uint32_t flags) override;
    Ptr<Packet> RecvFrom(uint32_t maxSize, uint32_t flags, Address& from) override;
    int GetSockName(Address& address) const override;
    int GetPeerName(Address& address) const override;
    void BindToNetDevice(Ptr<NetDevice> device) override;
    bool SetAllowBroadcast(bool allow) override;
    bool GetAllowBroadcast() const override;

    using Socket::Recv;
    using Socket::RecvFrom;
    using Socket::Send;

    TcpSocket::TcpStates_t State() const;

    /// A segment for this connection, with its header; false where the checksum is wrong.
    bool OnPacket(Ptr<Packet> packet, const Ipv4Header& ip);

    /// The two engines; null before Connect() or the peer's SYN.
    const BulkSender* Sender() const;
    const BulkReceiver* Receiver() const;

    /// Of the trace sources Tx and Rx.
    typedef void (*TxRxTracedCallback)(Ptr<const Packet> packet,
                                       const TcpHeader& header,
                                       Ptr<const BulkTcpSocket> socket);

  protected:
    void DoDispose() override;

  private:
    /// Takes the packets of an engine and gives them to METHOD of the socket.
    template <void (BulkTcpSocket::*method)(const PacketRecord&)>
    class Outlet : public PacketElement
    {
      public:
        explicit Outlet(BulkTcpSocket* socket)
            : m_socket(socket)
        {
        }

        void Receive(const PacketRecord& record) override
        {
            (m_socket->*method)(record);
        }

      private:
        BulkTcpSocket* m_socket;
    };

    using SegmentTrace =
        TracedCallback<Ptr<const Packet>, const TcpHeader&, Ptr<const BulkTcpSocket>>;

    // from the engines
    void FromSender(const PacketRecord& record);
    void FromReceiver(const PacketRecord& record);
    void OnSent(std::uint64_t message) override;
    void OnDrained(FlowNumber flow) override;
    void OnFailed(FlowNumber flow, std::uint64_t message) override;
    void OnAborted(FlowNumber flow) override;
    void OnFirstByte(std::uint64_t message) override;
    void OnDelivered(std::uint64_t message) override;

    // to the network
    void SendSyn();
    void SendData(const PacketRecord& data);
    void SendAck(const PacketRecord& ack);
    void SendFin();
    void SendReset(const TcpWireHeader& cause, std::uint32_t length);
    void Transmit(Ptr<Packet> packet, TcpWireHeader header, bool ectCapable);
    Ptr<Ipv4Route> FindRoute(Ptr<Packet> packet);
    void AddTags(Ptr<Packet> packet, bool ectCapable) const;
    void Trace(const SegmentTrace& trace, Ptr<const Packet> packet) const;

    // from the network
    void ForwardUp(Ptr<Packet> packet, Ipv4Header ip, uint16_t port, Ptr<Ipv4Interface> interface);
    void OnListening(const InetSocketAddress& from, const Ipv4Header& ip, const TcpWireHeader& tcp);
    void OnSynSent(const TcpWireHeader& tcp);
    void OnSynchronized(Ptr<Packet> packet, const TcpWireHeader& tcp, bool marked);
    void OnReset(const TcpWireHeader& tcp);
    void LearnSyn(const TcpWireHeader& tcp);
    void Establish(const TcpWireHeader& tcp);
    bool OnAcknowledgement(const TcpWireHeader& tcp, bool carriesData);
    void OnData(Ptr<Packet> packet, const TcpWireHeader& tcp, bool marked);
    void Deliver(std::uint64_t offset, Ptr<Packet> packet, const TcpWireHeader& tcp, bool marked);
    void OnFin(std::uint64_t offset);

    // connection
    bool Prepare(Ipv4Address peer, std::uint16_t port);
    void Accept(const InetSocketAddress& from, const Ipv4Header& ip, const TcpWireHeader& syn);
    void Open();
    void CloseSending();
    void SendFinWhenDone();
    void AwaitFinAck();
    void OnTimer();
    void OnFinAcked();
    void BecomeClosed();
    void UseEndPoint(Ipv4EndPoint* endPoint);
    void ReleaseEndPoint();
    void ForgetEndPoint();
    void ForwardTraces();
    void NoteRto();
    int Fail(SocketErrno error);

    Ptr<Node> m_node;
    Ptr<Ipv4> m_ipv4;
    Ptr<TcpL4Protocol> m_tcp;
    Ptr<BulkTcpProtocol> m_protocol;
    BulkTcpProtocol::Connection m_connection;
    BulkTcpOptions m_options;
    Ptr<TcpCongestionOps> m_control; ///< none: to be made of the options
    std::uint64_t m_sendBufferSize = 0;
    Ipv4EndPoint* m_endPoint = nullptr; ///< of m_tcp
    RouteCache m_route;
    bool m_checksums = Node::ChecksumEnabled(); ///< ns-3's GlobalValue when the socket was made
    std::optional<InetSocketAddress> m_peer;
    mutable SocketErrno m_errno = ERROR_NOTERROR;
    TracedValue<TcpSocket::TcpStates_t> m_state = TcpSocket::CLOSED;

    Outlet<&BulkTcpSocket::FromSender> m_fromSender{this};
    Outlet<&BulkTcpSocket::FromReceiver> m_fromReceiver{this};
    std::unique_ptr<SegmentCodec> m_codec;
    std::unique_ptr<BulkSender> m_sender;
    std::unique_ptr<BulkReceiver> m_receiver;
    SendBuffer m_toSend;
    ReceiveBuffer m_received;

    bool m_accepted = false;    ///< by a listener
    bool m_answersSyn = false;  ///< the SYN of the own end is a SYN-ACK
    bool m_echoesInSyn = false; ///< ECN was agreed on: the SYN-ACK says so
    bool m_delivering = false;  ///< an acknowledgement follows what is being read
    bool m_discards = false;    ///< nobody reads any more
    bool m_closing = false;     ///< a FIN follows the last byte
    bool m_finSent = false;
    std::optional<std::uint64_t> m_finAt;   ///< where the peer's FIN is, seen and perhaps early
    std::optional<std::uint64_t> m_peerEnd; ///< the same, with all that comes before it here
    std::uint32_t m_finRetries = 0;
    std::uint64_t m_highSent =
        0;             ///< of the bytes of which the application was told that they were sent
    LazyTimer m_timer; ///< FIN, TIME-WAIT

    TracedCallback<std::uint32_t, std::uint32_t> m_congestionWindowTrace;
    TracedCallback<std::uint32_t, std::uint32_t> m_slowStartThresholdTrace;
    TracedCallback<std::uint32_t, std::uint32_t> m_bytesInFlightTrace;
    TracedCallback<Time, Time> m_rttTrace;
    TracedCallback<TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t> m_congStateTrace;
    TracedCallback<SequenceNumber32, SequenceNumber32> m_nextSequenceTrace;
    TracedCallback<SequenceNumber32, SequenceNumber32> m_highestSequenceTrace;
    TracedCallback<DataRate, DataRate> m_pacingRateTrace;
    TracedValue<Time> m_rto;
    SegmentTrace m_txTrace;
    SegmentTrace m_rxTrace;
};

} // namespace ns3
