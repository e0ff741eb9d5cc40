// SPDX-License-Identifier: GPL-2.0-only
// Offers the device bearer: bulk-tcp's sender and receiver behind ns-3's Socket, over real IPv4 and
// TCP headers, through Ipv4L3Protocol and whatever queue discs and devices are below. One
// connection carries a byte stream each way; the other end may be another TCP, such as ns-3's
// TcpSocketBase. This class is what applications and ns-3 see: calls, callbacks, attributes,
// packets. TCP itself is in BulkTcpConnection, ports and routes in BulkTcpEndPoint. Not here: IPv6
// (refused), path MTU discovery, fast open.
#pragma once

#include "bulk-tcp/model/bulk-tcp-connection.h"
#include "bulk-tcp/model/bulk-tcp-end-point.h"
#include "bulk-tcp/model/bulk-tcp-options.h"
#include "bulk-tcp/model/bulk-tcp-socket-traces.h"

#include <ns3/inet-socket-address.h>
#include <ns3/ipv4-header.h>
#include <ns3/node.h>
#include <ns3/tcp-header.h>
#include <ns3/tcp-socket.h>
#include <ns3/traced-callback.h>
#include <ns3/traced-value.h>

#include <memory>
#include <optional>

namespace ns3
{

/// BulkTcpSocket is one socket of a node.
class BulkTcpSocket : public BulkTcpSocketTraces, private BulkTcpConnectionEvents
{
  public:
    static TypeId GetTypeId();
    BulkTcpSocket();
    BulkTcpSocket(
        const BulkTcpSocket& listener); ///< for CopyObject: a socket for a connection of `listener`
    ~BulkTcpSocket() override;

    /// Must be called once, before anything else. `node` must have an IPv4 stack with TCP. Throws
    /// geotrain::ConfigError for options out of their range.
    void Setup(Ptr<Node> node, const BulkTcpOptions& options);

    /// Sets the congestion control in the place of that of the options. Call it before Connect().
    /// Throws geotrain::ConfigError where it does not go with the options.
    void SetCongestionControlAlgorithm(Ptr<TcpCongestionOps> control);

    SocketErrno GetErrno() const override
    {
        return m_errno;
    }

    SocketType GetSocketType() const override
    {
        return NS3_SOCK_STREAM;
    }

    Ptr<Node> GetNode() const override
    {
        return m_node;
    }

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
    /// Returns bytes in order, at most the rest of one segment. At the end of the peer's stream it
    /// returns an empty packet.
    Ptr<Packet> Recv(uint32_t maxSize, uint32_t flags) override;
    Ptr<Packet> RecvFrom(uint32_t maxSize, uint32_t flags, Address& from) override;
    int GetSockName(Address& address) const override;
    int GetPeerName(Address& address) const override;
    void BindToNetDevice(Ptr<NetDevice> device) override;

    bool SetAllowBroadcast(bool allow) override
    {
        return !allow;
    }

    bool GetAllowBroadcast() const override
    {
        return false;
    }

    using Socket::Recv;
    using Socket::RecvFrom;
    using Socket::Send;

    TcpSocket::TcpStates_t State() const
    {
        return m_state;
    }

    /// Returns an engine; null before Connect() or the peer's SYN.
    const BulkSender* Sender() const;
    const BulkReceiver* Receiver() const;

    /// TxRxTracedCallback is the signature of the trace sources Tx and Rx.
    typedef void (*TxRxTracedCallback)(Ptr<const Packet> packet,
                                       const TcpHeader& header,
                                       Ptr<const BulkTcpSocket> socket);

  protected:
    void DoDispose() override;

  private:
    using SegmentTrace =
        TracedCallback<Ptr<const Packet>, const TcpHeader&, Ptr<const BulkTcpSocket>>;

    // from the end point: a segment with its header; false where its checksum is wrong
    bool OnPacket(Ptr<Packet> packet, const Ipv4Header& ip);

    // from the connection
    void OnSegment(Ptr<Packet> payload, const TcpWireHeader& header, bool ectCapable) override;
    void OnEstablished() override;
    void OnDataSent(std::uint32_t bytes) override;
    void OnDataAcked() override;
    void OnReadable() override;
    void OnPeerClosed() override;
    void OnReset() override;
    void OnBroken(TcpSocket::TcpStates_t before) override;
    void OnClosed(TcpSocket::TcpStates_t before) override;

    bool MakeConnection(Ipv4Address peer, std::uint16_t port);
    void Open();
    void OnListening(const Ipv4Header& ip, const TcpWireHeader& tcp);
    void Accept(const InetSocketAddress& from, const Ipv4Header& ip, const TcpWireHeader& syn);
    void ReleaseEndPoint();
    int Fail(SocketErrno error);

    Ptr<Node> m_node;
    BulkTcpEndPoint m_endPoint{
        *this, [this](Ptr<Packet> packet, const Ipv4Header& ip) { return OnPacket(packet, ip); }};
    BulkTcpOptions m_options;
    Ptr<TcpCongestionOps> m_control; ///< none: to be made of the options
    std::uint64_t m_sendBufferSize = 0;
    bool m_checksums = Node::ChecksumEnabled(); ///< ns-3's GlobalValue when the socket was made
    std::optional<InetSocketAddress> m_peer;
    mutable SocketErrno m_errno = ERROR_NOTERROR;
    bool m_accepted = false; ///< by a listener
    bool m_discards = false; ///< nobody reads any more
    TracedValue<TcpSocket::TcpStates_t> m_state = TcpSocket::CLOSED;
    SegmentTrace m_txTrace;
    SegmentTrace m_rxTrace;
    std::unique_ptr<BulkTcpConnection> m_connection; ///< null before Connect() or the peer's SYN
};

} // namespace ns3
