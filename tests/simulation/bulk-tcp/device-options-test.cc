// SPDX-License-Identifier: GPL-2.0-only
// The device bearer negotiates with its peer: options that only one end has, segment sizes and ECN.
#include "bulk-tcp/helper/bulk-tcp-helper.h"
#include "two-ends.h"
#include "units/config-error.h"

#include <gtest/gtest.h>

#include <ns3/inet6-socket-address.h>
#include <ns3/internet-stack-helper.h>
#include <ns3/simulator.h>
#include <ns3/tcp-option-sack.h>

#include <string>
#include <tuple>

namespace
{

using namespace ns3;
using geotrain::Bytes;
using Kind = TwoEnds::Kind;
using Fate = FaultyLinkDevice::Fate;

using DeviceBearer = SimulatorTest;

TwoEnds::Setup
OptionsSetup(Kind connector, Kind acceptor)
{
    return ns3::SetupOf(connector, acceptor, "options");
}

void
ExpectDelivered(const TwoEnds& ends, const TwoEnds::Setup& setup)
{
    EXPECT_FALSE(ends.failed);
    EXPECT_EQ(ends.read, setup.size);
    EXPECT_EQ(ends.wrong, 0U);
}

/// The cases vary the option that is off at the stock end, who connects and who sends.
using OptionOff = std::tuple<std::string, bool, bool>; ///< option, bulk connects, bulk sends

class OptionOffAtStockEnd : public testing::TestWithParam<OptionOff>
{
  public:
    ~OptionOffAtStockEnd() override
    {
        Simulator::Destroy();
    }
};

TEST_P(OptionOffAtStockEnd, ThePatternArrivesUnderLoss)
{
    const auto& [option, bulkConnects, bulkSends] = GetParam();
    TwoEnds::Setup setup = bulkConnects ? OptionsSetup(Kind::Bulk, Kind::Stock)
                                        : OptionsSetup(Kind::Stock, Kind::Bulk);
    setup.connectorSends = bulkConnects == bulkSends;
    setup.stockAttributes = {{option, false}};
    setup.options.window = Bytes::Of(40 * setup.options.SegmentSize()); // needs no scaling
    setup.link.lossRate = 0.01;
    TwoEnds ends(setup);
    ends.Run();
    ExpectDelivered(ends, setup);
}

std::string
NameOfOption(const testing::TestParamInfo<OptionOff>& parameter)
{
    const auto& [option, bulkConnects, bulkSends] = parameter.param;
    return option + (bulkConnects ? "BulkConnects" : "StockConnects") +
           (bulkSends ? "BulkSends" : "StockSends");
}

INSTANTIATE_TEST_SUITE_P(Options,
                         OptionOffAtStockEnd,
                         testing::Combine(testing::Values("Sack", "Timestamp", "WindowScaling"),
                                          testing::Bool(),
                                          testing::Bool()),
                         NameOfOption);

TEST_F(DeviceBearer, SendsAtMostThreeSackBlocksBesideTimestamps)
{
    TwoEnds::Setup setup = OptionsSetup(Kind::Bulk, Kind::Bulk);
    TwoEnds ends(setup);
    // Every fourth data segment of a flight is lost once: many holes at a time.
    std::uint64_t count = 0;
    ends.FromSender().decide = [&count](const TcpHeader&, std::uint32_t payload)
    {
        const bool lost = payload > 0 && ++count > 100 && count < 200 && count % 4 == 0;
        return lost ? Fate::Lost : Fate::Passes;
    };
    std::size_t most = 0;
    bool allFit = true;
    ends.FromReceiver().decide = [&](const TcpHeader& tcp, std::uint32_t)
    {
        if (const auto sack = DynamicCast<const TcpOptionSack>(tcp.GetOption(TcpOption::SACK)))
        {
            most = std::max<std::size_t>(most, sack->GetNumSackBlocks());
            allFit = allFit && tcp.HasOption(TcpOption::TS) && tcp.GetSerializedSize() <= 60;
        }
        return Fate::Passes;
    };
    ends.Run();
    ExpectDelivered(ends, setup);
    EXPECT_EQ(most, 3U);
    EXPECT_TRUE(allFit);
}

TEST_F(DeviceBearer, SendsSegmentsThatFitThePeersMss)
{
    // The acceptor's device takes 1,500 bytes, the connector's options say 9,000: 1500 - 40 is announced.
    TwoEnds::Setup setup = OptionsSetup(Kind::Bulk, Kind::Bulk);
    TwoEnds ends(setup);
    BulkTcpOptions large = setup.options;
    large.mtu = Bytes::Of(9000);
    large.window = Bytes::Of(1000000);
    ends.ConnectorNode()->GetDevice(1)->SetMtu(9000); // 0 is the loopback
    std::uint32_t largest = 0;
    ends.FromConnector().decide = [&largest](const TcpHeader&, std::uint32_t payload)
    {
        largest = std::max(largest, payload);
        return Fate::Passes;
    };
    const Ptr<BulkTcpSocket> listener =
        BulkTcpHelper(setup.options).CreateSocket(ends.AcceptorNode());
    listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), 6000));
    listener->Listen();
    const Ptr<BulkTcpSocket> connector = BulkTcpHelper(large).CreateSocket(ends.ConnectorNode());
    connector->Connect(InetSocketAddress("10.0.0.2", 6000));
    connector->Send(Create<Packet>(300000));
    ends.Run();
    EXPECT_FALSE(connector->Sender()->Outstanding());
    EXPECT_EQ(largest, 1448U); // 1500 - IPv4 20 - TCP 20 - timestamps 12
}

/// The cases vary who has ECN on, and whether the bulk end sends.
using EcnCase = std::tuple<bool, bool, bool>; ///< bulk, stock, bulk sends

class Ecn : public testing::TestWithParam<EcnCase>
{
  public:
    ~Ecn() override
    {
        Simulator::Destroy();
    }
};

TEST_P(Ecn, IsUsedWhenBothEndsHaveIt)
{
    const auto [bulkHasIt, stockHasIt, bulkSends] = GetParam();
    TwoEnds::Setup setup =
        bulkSends ? OptionsSetup(Kind::Bulk, Kind::Stock) : OptionsSetup(Kind::Stock, Kind::Bulk);
    setup.options.ecn = bulkHasIt;
    setup.stockEcn = stockHasIt ? "On" : "Off";
    TwoEnds ends(setup);
    std::uint64_t count = 0;
    std::uint64_t reductions = 0;
    ends.FromSender().decide = [&](const TcpHeader& tcp, std::uint32_t payload)
    {
        reductions += payload > 0 && (tcp.GetFlags() & TcpHeader::CWR) != 0 ? 1 : 0;
        return payload > 0 && (++count == 300 || count == 800) ? Fate::Marked : Fate::Passes;
    };
    ends.Run();
    ExpectDelivered(ends, setup);
    const bool agreed = bulkHasIt && stockHasIt;
    EXPECT_EQ(ends.FromSender().ectPackets > 0, agreed);
    EXPECT_EQ(ends.FromSender().faults, agreed ? 2U : 0U);
    EXPECT_EQ(reductions, agreed ? 2U : 0U); // one answer to each mark
}

std::string
NameOfEcnCase(const testing::TestParamInfo<EcnCase>& parameter)
{
    const auto [bulkHasIt, stockHasIt, bulkSends] = parameter.param;
    return std::string(bulkHasIt ? "BulkOn" : "BulkOff") + (stockHasIt ? "StockOn" : "StockOff") +
           (bulkSends ? "BulkSends" : "StockSends");
}

INSTANTIATE_TEST_SUITE_P(Cases,
                         Ecn,
                         testing::Combine(testing::Bool(), testing::Bool(), testing::Bool()),
                         NameOfEcnCase);

TEST_F(DeviceBearer, AConnectionToAClosedPortIsRefused)
{
    TwoEnds ends(OptionsSetup(Kind::Bulk, Kind::Stock));
    const Ptr<BulkTcpSocket> socket = BulkTcpHelper().CreateSocket(ends.ConnectorNode());
    bool refused = false;
    socket->SetConnectCallback(MakeNullCallback<void, Ptr<Socket>>(),
                               [&refused](Ptr<Socket>) { refused = true; });
    socket->Connect(InetSocketAddress("10.0.0.2", 7777));
    ends.Run();
    EXPECT_TRUE(refused);
    EXPECT_EQ(socket->State(), TcpSocket::CLOSED);
}

TEST_F(DeviceBearer, AConnectionToNobodyFailsAfterItsRetries)
{
    TwoEnds ends(OptionsSetup(Kind::Bulk, Kind::Stock));
    ends.FromConnector().decide = [](const TcpHeader&, std::uint32_t) { return Fate::Lost; };
    ends.Run();
    EXPECT_TRUE(ends.failed);
    EXPECT_EQ(ends.FromConnector().faults, 7U); // Linux's tcp_syn_retries is 6
    EXPECT_EQ(StateOf(ends.Connector()), TcpSocket::CLOSED);
}

TEST_F(DeviceBearer, BothEndsMayOpenAtOnce)
{
    TwoEnds ends(OptionsSetup(Kind::Bulk, Kind::Stock));
    const BulkTcpHelper sockets;
    const Ptr<BulkTcpSocket> near = sockets.CreateSocket(ends.ConnectorNode());
    const Ptr<BulkTcpSocket> far = sockets.CreateSocket(ends.AcceptorNode());
    near->Bind(InetSocketAddress(Ipv4Address::GetAny(), 6000));
    far->Bind(InetSocketAddress(Ipv4Address::GetAny(), 6000));
    near->Connect(InetSocketAddress("10.0.0.2", 6000));
    far->Connect(InetSocketAddress("10.0.0.1", 6000));
    near->Send(Create<Packet>(100000));
    far->Send(Create<Packet>(50000));
    ends.Run(Seconds(10));
    EXPECT_EQ(near->State(), TcpSocket::ESTABLISHED);
    EXPECT_EQ(far->State(), TcpSocket::ESTABLISHED);
    EXPECT_EQ(far->GetRxAvailable(), 100000U);
    EXPECT_EQ(near->GetRxAvailable(), 50000U);
}

using DeviceBearerDeathTest = DeviceBearer;

TEST_F(DeviceBearerDeathTest, Ipv6IsRefusedWithAReason)
{
    TwoEnds ends(OptionsSetup(Kind::Bulk, Kind::Bulk));
    const Ptr<BulkTcpSocket> socket = BulkTcpHelper().CreateSocket(ends.ConnectorNode());
    EXPECT_DEATH(socket->Connect(Inet6SocketAddress("2001:db8::1", 80)), "IPv4 only");
    EXPECT_DEATH(socket->Bind6(), "IPv4 only");
}

TEST_F(DeviceBearerDeathTest, ANodeWithoutIpIsRefusedWithAReason)
{
    EXPECT_DEATH(BulkTcpHelper().Install(NodeContainer(CreateObject<Node>())),
                 "needs an IPv4 stack");
}

TEST_F(DeviceBearer, OptionsOutOfTheirRangeAreRefusedByTheHelper)
{
    BulkTcpOptions options;
    options.mtu = Bytes::Of(575);
    EXPECT_THROW(BulkTcpHelper{options}, geotrain::ConfigError);
}

} // namespace
