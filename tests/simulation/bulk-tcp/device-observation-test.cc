// SPDX-License-Identifier: GPL-2.0-only
// ns-3's tools work with the device bearer: trace sources with TcpSocketBase's names, pcap (read by
// Wireshark's parser where tshark is installed), FlowMonitor, and ns-3's own applications on top.
#include "bulk-tcp/helper/bulk-tcp-helper.h"
#include "two-ends.h"

#include <gtest/gtest.h>

#include <ns3/boolean.h>
#include <ns3/bulk-send-helper.h>
#include <ns3/config.h>
#include <ns3/flow-monitor-helper.h>
#include <ns3/global-value.h>
#include <ns3/internet-stack-helper.h>
#include <ns3/packet-sink-helper.h>
#include <ns3/packet-sink.h>
#include <ns3/simulator.h>
#include <ns3/uinteger.h>

#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

namespace
{

using namespace ns3;
using Kind = TwoEnds::Kind;

using DeviceObservation = SimulatorTest;

TwoEnds::Setup
LossySetup(Kind connector, Kind acceptor)
{
    TwoEnds::Setup setup = ns3::SetupOf(connector, acceptor, "observation");
    setup.link.lossRate = 0.01;
    return setup;
}

/// Returns the output of a command, and whether it succeeded.
std::pair<std::string, bool>
OutputOf(const std::string& command)
{
    std::string output;
    FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
    std::array<char, 4096> buffer{};
    while (std::fgets(buffer.data(), buffer.size(), pipe))
    {
        output += buffer.data();
    }
    return {output, pclose(pipe) == 0};
}

TEST_F(DeviceObservation, WiresharkFindsNothingMalformedAndEveryChecksumRight)
{
    if (!OutputOf("tshark --version").second)
    {
        GTEST_SKIP() << "tshark is not installed (Debian: tshark)";
    }
    const auto folder =
        std::filesystem::temp_directory_path() / ("geotrain-pcap-" + std::to_string(getpid()));
    std::filesystem::create_directory(folder);
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
    const TwoEnds::Setup setup = LossySetup(Kind::Bulk, Kind::Stock);
    TwoEnds ends(setup);
    InternetStackHelper().EnablePcapIpv4((folder / "interop").string(),
                                         NodeContainer(ends.ConnectorNode(), ends.AcceptorNode()));
    ends.Run();
    EXPECT_EQ(ends.read, setup.size);
    Simulator::Destroy(); // closes the files
    const std::string read = "tshark -o tcp.check_checksum:TRUE -d tcp.port==5000,data -r " +
                             (folder / "interop-n0-i1.pcap").string();
    const auto [packets, readable] = OutputOf(read + " -T fields -e tcp.checksum.status");
    EXPECT_TRUE(readable);
    EXPECT_GT(packets.size(), 2000U);                               // a line a packet
    EXPECT_EQ(packets.find_first_not_of("1\n"), std::string::npos); // 1: good
    EXPECT_EQ(OutputOf(read + " -Y _ws.malformed").first, "");
    // Its analysis knows the handshake's options and SACK blocks.
    EXPECT_NE(OutputOf(read + " -Y 'tcp.flags.syn==1 && tcp.options.mss_val==1460 && "
                              "tcp.options.wscale.shift && tcp.options.sack_perm && "
                              "tcp.options.timestamp.tsval>=0'")
                  .first,
              "");
    EXPECT_NE(OutputOf(read + " -Y tcp.options.sack.count").first, "");
    std::filesystem::remove_all(folder);
}

TEST_F(DeviceObservation, FlowMonitorCountsTheFlowBothWays)
{
    const TwoEnds::Setup setup = LossySetup(Kind::Bulk, Kind::Bulk);
    TwoEnds ends(setup);
    FlowMonitorHelper helper;
    const Ptr<FlowMonitor> monitor =
        helper.Install(NodeContainer(ends.ConnectorNode(), ends.AcceptorNode()));
    ends.Run();
    monitor->CheckForLostPackets();
    const FlowMonitor::FlowStatsContainer flows = monitor->GetFlowStats();
    ASSERT_EQ(flows.size(), 2U);
    const FlowMonitor::FlowStats& data = flows.at(1);
    const auto* sender = DynamicCast<BulkTcpSocket>(ends.Connector())->Sender();
    // Data, SYN, the handshake's end, FIN, the acknowledgement of the peer's FIN.
    const std::uint64_t sent = sender->GetCounters().dataPackets + 4;
    EXPECT_GE(data.txPackets, sent);
    EXPECT_LE(data.txPackets, sent + 3); // repeated
    EXPECT_EQ(data.txPackets - data.rxPackets,
              ends.FromConnector().GetLink().GetCounters().lostPackets);
}

TEST_F(DeviceObservation, ConfigPathsReachTheSocketsOfANode)
{
    const TwoEnds::Setup setup = LossySetup(Kind::Bulk, Kind::Bulk);
    TwoEnds ends(setup);
    Time roundTrip;
    std::uint32_t window = 0;
    Simulator::Schedule(
        MilliSeconds(30),
        [&]
        {
            const std::string path = "/NodeList/" + std::to_string(ends.ConnectorNode()->GetId()) +
                                     "/$geotrain::BulkTcpProtocol/SocketList/*/";
            EXPECT_EQ(Config::LookupMatches(path).GetN(), 1U);
            EXPECT_EQ(
                Config::LookupMatches("/NodeList/*/$geotrain::BulkTcpProtocol/SocketList/*").GetN(),
                2U); // one at each end
            Config::ConnectWithoutContext(
                path + "RTT", Callback<void, Time, Time>([&](Time, Time now) { roundTrip = now; }));
            Config::ConnectWithoutContext(
                path + "CongestionWindow",
                Callback<void, std::uint32_t, std::uint32_t>([&](std::uint32_t, std::uint32_t now)
                                                             { window = now; }));
            Config::Set(path + "SndBufSize", UintegerValue(7000000));
        });
    ends.Run();
    EXPECT_GE(roundTrip, MilliSeconds(10)); // two propagation delays
    EXPECT_GT(window, 0U);
    UintegerValue size;
    ends.Connector()->GetAttribute("SndBufSize", size);
    EXPECT_EQ(size.Get(), 7000000U);
}

TEST_F(DeviceObservation, TraceSourcesAreThoseOfTcpSocketBase)
{
    const TwoEnds::Setup setup = LossySetup(Kind::Bulk, Kind::Stock);
    TwoEnds ends(setup);
    std::uint32_t window = 0;
    std::uint32_t mostInFlight = 0;
    Time rtt;
    std::uint64_t recoveries = 0;
    std::uint64_t payloadSent = 0;
    std::uint64_t received = 0;
    const Ptr<Socket> socket = ends.Connector();
    const auto connect = [&socket](const std::string& name, const CallbackBase& callback)
    { EXPECT_TRUE(socket->TraceConnectWithoutContext(name, callback)) << name; };
    using CongState = TcpSocketState::TcpCongState_t;
    connect("CongestionWindow",
            Callback<void, std::uint32_t, std::uint32_t>([&](std::uint32_t, std::uint32_t now)
                                                         { window = now; }));
    connect("BytesInFlight",
            Callback<void, std::uint32_t, std::uint32_t>(
                [&](std::uint32_t, std::uint32_t now)
                { mostInFlight = std::max(mostInFlight, now); }));
    connect("RTT", Callback<void, Time, Time>([&](Time, Time now) { rtt = now; }));
    connect("CongState",
            Callback<void, CongState, CongState>(
                [&](CongState, CongState now)
                { recoveries += now == TcpSocketState::CA_RECOVERY ? 1 : 0; }));
    using Trace = Callback<void, Ptr<const Packet>, const TcpHeader&, Ptr<const BulkTcpSocket>>;
    connect("Tx",
            Trace(
                [&](Ptr<const Packet> packet, const TcpHeader& tcp, Ptr<const BulkTcpSocket>)
                {
                    EXPECT_EQ(tcp.GetDestinationPort(), 5000);
                    payloadSent += packet->GetSize();
                }));
    connect(
        "Rx",
        Trace([&](Ptr<const Packet>, const TcpHeader&, Ptr<const BulkTcpSocket>) { ++received; }));
    ends.Run();
    const BulkSender::Counters& counters =
        DynamicCast<BulkTcpSocket>(socket)->Sender()->GetCounters();
    EXPECT_GT(window, 0U);
    EXPECT_GT(mostInFlight, 10 * setup.options.SegmentSize());
    EXPECT_GE(rtt, MilliSeconds(10)); // two propagation delays
    EXPECT_GT(recoveries, 0U);
    EXPECT_EQ(payloadSent, setup.size + counters.retransmittedBytes);
    EXPECT_GT(received, 500U);
}

TEST_F(DeviceObservation, ApplicationsOfNs3RunOnTop)
{
    TwoEnds ends(LossySetup(Kind::Bulk, Kind::Bulk));
    const NodeContainer nodes(ends.ConnectorNode(), ends.AcceptorNode());
    BulkTcpHelper().Install(nodes);
    const InetSocketAddress address("10.0.0.2", 9000);
    PacketSinkHelper sinks(BulkTcpHelper::SocketFactory(),
                           InetSocketAddress(Ipv4Address::GetAny(), 9000));
    const Ptr<PacketSink> sink = DynamicCast<PacketSink>(sinks.Install(nodes.Get(1)).Get(0));
    BulkSendHelper sources(BulkTcpHelper::SocketFactory(), address);
    sources.SetAttribute("MaxBytes", UintegerValue(3000000));
    sources.Install(nodes.Get(0));
    ends.Run();
    EXPECT_EQ(sink->GetTotalRx(), 3000000U);
}

} // namespace
