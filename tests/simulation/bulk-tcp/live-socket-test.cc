// SPDX-License-Identifier: GPL-2.0-only
// What Config paths, defaults and logs reach of sockets that are open: the send buffer, which bounds what is on the way
// and so the rate, and the lines of the log.
#include "two-ends.h"

#include <gtest/gtest.h>

#include <ns3/config.h>
#include <ns3/log.h>
#include <ns3/uinteger.h>

#include <iostream>
#include <sstream>
#include <string>

namespace
{

using namespace ns3;
using Kind = TwoEnds::Kind;

class LiveSocket : public SimulatorTest
{
  public:
    ~LiveSocket() override
    {
        Config::Reset();
    }
};

const std::string sockets = "/NodeList/*/$geotrain::BulkTcpProtocol/SocketList/*/";
constexpr double roundTrip = 0.010; ///< s, of 100 Mbit/s
constexpr std::uint32_t smallBuffer = 20000;

TwoEnds::Setup
SetupOf(std::uint64_t size)
{
    TwoEnds::Setup setup = ns3::SetupOf(Kind::Bulk, Kind::Bulk, "live");
    setup.size = size;
    setup.options.delayedAckCount = 1;
    return setup;
}

/// Bytes that the receiving application reads from `from` to `to`, seconds, once the ends have run.
class BytesRead
{
  public:
    BytesRead(const TwoEnds& ends, double from, double to)
    {
        Simulator::Schedule(Seconds(from), [this, &ends] { m_before = ends.read; });
        Simulator::Schedule(Seconds(to), [this, &ends] { m_after = ends.read; });
    }

    double Get() const
    {
        return static_cast<double>(m_after - m_before);
    }

  private:
    std::uint64_t m_before = 0;
    std::uint64_t m_after = 0;
};

TEST_F(LiveSocket, ADefaultOfTheSendBufferBoundsTheRateByBufferOverRoundTrip)
{
    for (const std::uint32_t buffer : {smallBuffer, 2 * smallBuffer})
    {
        Config::SetDefault("geotrain::BulkTcpSocket::SndBufSize", UintegerValue(buffer));
        TwoEnds ends(SetupOf(100000000));
        // Within an eighth: the buffer is read in packets, and a round trip has time on the link beside its 10 ms.
        const BytesRead read(ends, 1, 3);
        ends.Run(Seconds(4));
        const double rate = read.Get() / 2;
        EXPECT_NEAR(rate, buffer / roundTrip, buffer / roundTrip / 8) << buffer;
        Simulator::Destroy();
    }
}

TEST_F(LiveSocket, AConfigPathChangesTheSendBufferOfAnOpenConnection)
{
    Config::SetDefault("geotrain::BulkTcpSocket::SndBufSize", UintegerValue(smallBuffer));
    TwoEnds ends(SetupOf(100000000));
    Simulator::Schedule(
        Seconds(2), [] { Config::Set(sockets + "SndBufSize", UintegerValue(3 * smallBuffer)); });
    const BytesRead slow(ends, 1, 2);
    const BytesRead fast(ends, 2.5, 3.5);
    ends.Run(Seconds(4));
    EXPECT_NEAR(slow.Get(), smallBuffer / roundTrip, smallBuffer / roundTrip / 8);
    EXPECT_NEAR(fast.Get(), 3 * smallBuffer / roundTrip, 3 * smallBuffer / roundTrip / 8);
}

TEST_F(LiveSocket, TheStateIsTracedThroughAConfigPath)
{
    TwoEnds ends(SetupOf(100000));
    std::string states;
    Simulator::Schedule(MilliSeconds(1),
                        [&states]
                        {
                            using State = TcpSocket::TcpStates_t;
                            Config::ConnectWithoutContext(
                                sockets + "State",
                                Callback<void, State, State>(
                                    [&states](State, State state) {
                                        states += TcpSocket::TcpStateName[state] + std::string(" ");
                                    }));
                        });
    ends.Run(Seconds(100));
    // Only the connecting end is there after a millisecond. It closes first.
    EXPECT_EQ(states, "ESTABLISHED FIN_WAIT_1 FIN_WAIT_2 TIME_WAIT CLOSED ");
}

TEST(LogComponents, AreThereForEachPartOfAConnection)
{
    const auto& components = *LogComponent::GetComponentList();
    for (const char* name : {"BulkSender",
                             "BulkTcpClosing",
                             "BulkTcpConnection",
                             "BulkTcpEndPoint",
                             "BulkTcpProtocol",
                             "BulkTcpSocket",
                             "IncomingStream",
                             "TcpBbr3"})
    {
        EXPECT_EQ(components.count(name), 1U) << name;
    }
}

TEST_F(LiveSocket, LogsItsBeginAndItsEnd)
{
    std::ostringstream lines;
    std::streambuf* before = std::clog.rdbuf(lines.rdbuf());
    LogComponentEnable("BulkTcpSocket", LOG_LEVEL_INFO);
    TwoEnds ends(SetupOf(100000));
    ends.Run(Seconds(100));
    LogComponentDisable("BulkTcpSocket", LOG_LEVEL_INFO);
    std::clog.rdbuf(before);
    EXPECT_NE(lines.str().find("is established"), std::string::npos) << lines.str();
    EXPECT_NE(lines.str().find("closes from LAST_ACK"), std::string::npos) << lines.str();
    EXPECT_NE(lines.str().find("closes from TIME_WAIT"), std::string::npos) << lines.str();
}

} // namespace
