// SPDX-License-Identifier: GPL-2.0-only
// Builds two hosts with one link between them and one connection, each end of which is bulk-tcp's
// device bearer or ns-3's own socket. A pattern goes from one end to the other and is compared byte
// by byte. Both ends close when it has arrived.
#pragma once

#include "bulk-tcp/model/bulk-tcp-options.h"
#include "bulk-tcp/model/bulk-tcp-socket.h"
#include "wan-topology/model/wan-link-device.h"

#include <gtest/gtest.h>

#include <ns3/node.h>
#include <ns3/simulator.h>
#include <ns3/socket.h>
#include <ns3/tcp-socket-base.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/// A FaultyLinkDevice does what a test wants to the packets of one direction, before the link.
class FaultyLinkDevice : public WanLinkDevice
{
  public:
    enum class Fate
    {
        Passes,
        Lost,
        Marked ///< congestion experienced, where the packet is ECN-capable
    };

    std::function<Fate(const TcpHeader& tcp, std::uint32_t payload)> decide; ///< none: all pass
    std::uint64_t faults = 0;
    std::uint64_t ectPackets = 0; ///< ECN-capable ones that were seen

    bool Send(Ptr<Packet> packet, const Address& destination, uint16_t protocol) override;
};

class TwoEnds
{
  public:
    enum class Kind
    {
        Bulk,
        Stock
    };

    struct Setup
    {
        Kind connector = Kind::Bulk;
        Kind acceptor = Kind::Bulk;
        bool connectorSends = true;
        std::uint64_t size = 2000000; ///< bytes of the pattern
        bool checked = true;          ///< false: zeros, not compared, for sizes that take long
        BulkTcpOptions
            options; ///< options of the bulk ends; stock ends use its control, MTU and window too
        LinkModel::Settings link; ///< link in each direction
        Time readingBegins;       ///< start of the receiving application's reads
        std::vector<std::pair<std::string, bool>> stockAttributes; ///< attributes of TcpSocketBase
        std::string stockEcn; ///< value of TcpSocketBase::UseEcn, such as "On"
    };

    explicit TwoEnds(const Setup& setup);

    /// Until nothing happens any more, or the deadline.
    void Run(Time deadline = Seconds(1000));

    Ptr<Node> ConnectorNode() const;
    Ptr<Node> AcceptorNode() const;
    FaultyLinkDevice& FromConnector();
    FaultyLinkDevice& FromAcceptor();
    FaultyLinkDevice& FromSender();
    FaultyLinkDevice& FromReceiver();
    Ptr<Socket> Connector() const;
    Ptr<Socket> Acceptor() const; ///< null before the connection is established

    std::uint64_t written = 0;      ///< bytes written by the sending application
    std::uint64_t read = 0;         ///< bytes read by the receiving application
    std::uint64_t wrong = 0;        ///< bytes that were not the pattern's
    bool senderClosed = false;      ///< the receiving end's FIN has come to the sending application
    bool receiverClosed = false;    ///< the sending end's FIN has come to the receiving application
    bool failed = false;            ///< the connection was refused or broken
    std::function<void()> whenRead; ///< after each read; may be empty

  private:
    Ptr<FaultyLinkDevice> AddDevice(Ptr<Node> node, const char* address);
    Ptr<Socket> MakeSocket(Ptr<Node> node, Kind kind) const;
    void OnAccepted(Ptr<Socket> socket);
    void Watch(Ptr<Socket> socket, bool sends);
    void Write(Ptr<Socket> socket);
    void Read(Ptr<Socket> socket);
    void Compare(const Packet& packet);

    Setup m_setup;
    Ptr<Node> m_near;
    Ptr<Node> m_far;
    Ptr<FaultyLinkDevice> m_fromNear;
    Ptr<FaultyLinkDevice> m_fromFar;
    Ptr<Socket> m_connector;
    Ptr<Socket> m_listener;
    Ptr<Socket> m_acceptor;
    bool m_writtenAll = false;
};

/// Returns the setup of two ends over 100 Mbit/s and 5 ms with NewReno and a window of whole
/// segments. (ns-3 3.37's sender waits for ever behind a window that is open by less than a segment
/// when the update is lost.) `link` names the link's random streams.
TwoEnds::Setup SetupOf(TwoEnds::Kind connector, TwoEnds::Kind acceptor, const std::string& link);

/// SimulatorTest destroys ns-3's simulator after each test.
class SimulatorTest : public testing::Test
{
  public:
    ~SimulatorTest() override
    {
        Simulator::Destroy();
    }
};

/// Returns the TCP state of either kind of socket.
TcpSocket::TcpStates_t StateOf(Ptr<Socket> socket);

} // namespace ns3
