// SPDX-License-Identifier: GPL-2.0-only
// Checks how connections share a link of 100 Mbit/s: Jain's index of TcpCubic against itself,
// TcpLinuxReno at different round trips, and TcpBbr against TcpCubic.
#include "express-path-helper.h"
#include "units/random-stream.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>

#include <string>
#include <vector>

namespace
{

using namespace ns3;
using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;

constexpr std::uint64_t endless = 1000000000000ULL; // bytes
constexpr std::uint64_t fairnessSeeds = 5;

/// A DelayElement holds the packets of one connection back for a while, which lengthens its round
/// trip.
class DelayElement : public PacketElement
{
  public:
    DelayElement(FlowNumber flow, std::int64_t delayMs, PacketElement& next)
        : m_flow(flow),
          m_delay(MilliSeconds(static_cast<std::uint64_t>(delayMs))),
          m_next(next)
    {
    }

    void Receive(const PacketRecord& record) override
    {
        if (record.flow != m_flow)
        {
            m_next.Receive(record);
            return;
        }
        PacketElement& next = m_next;
        Simulator::Schedule(m_delay, [&next, record] { next.Receive(record); });
    }

  private:
    FlowNumber m_flow;
    Time m_delay;
    PacketElement& m_next;
};

struct Competition
{
    std::vector<std::string> controls; ///< one per connection
    std::int64_t rttMs = 40;
    double bufferBdp = 1;
    std::int64_t lastDelayMs = 0; ///< more round trip for the last connection
    double seconds = 600;         ///< of which the second half is measured
};

/// Returns the bytes of each connection in the second half. They start at random within 5 s.
std::vector<double>
SecondHalf(const Competition& competition, std::uint64_t seed)
{
    LinkModel::Settings link;
    link.rate = BitRate::BitsPerSecond(100000000);
    link.delay = Duration::Microseconds(competition.rttMs * 500);
    const auto bdp =
        static_cast<double>(link.rate.In(Duration::Milliseconds(competition.rttMs)).Count());
    link.queue =
        QueueLimit::OfBytes(Bytes::Of(static_cast<std::int64_t>(competition.bufferBdp * bdp)));
    link.name = "bottleneck";
    link.seed = seed;
    ExpressPathHelper path;
    path.AddLink(link);
    const auto flows = static_cast<FlowNumber>(competition.controls.size());
    if (competition.lastDelayMs > 0)
    {
        path.PutBeforeForward(
            [&](PacketElement& next)
            { return std::make_unique<DelayElement>(flows - 1, competition.lastDelayMs, next); });
    }
    path.Build();
    geotrain::RandomStream starts(seed, "fairness-test", "starts");
    for (FlowNumber i = 0; i < flows; ++i)
    {
        BulkTcpOptions options;
        options.congestionControl = competition.controls[i];
        const FlowNumber flow = path.AddFlow(options, seed);
        Simulator::Schedule(Seconds(5 * starts.Uniform()),
                            [&path, flow] { path.Sender(flow).Send(flow, endless); });
    }
    const auto received = [&]
    {
        std::vector<double> bytes;
        for (FlowNumber i = 0; i < flows; ++i)
        {
            bytes.push_back(static_cast<double>(path.Receiver(i).GetCounters().inOrderBytes));
        }
        return bytes;
    };
    Simulator::Stop(Seconds(competition.seconds / 2));
    Simulator::Run();
    const std::vector<double> before = received();
    Simulator::Stop(Seconds(competition.seconds / 2));
    Simulator::Run();
    std::vector<double> bytes = received();
    Simulator::Destroy();
    for (std::size_t i = 0; i < bytes.size(); ++i)
    {
        bytes[i] -= before[i];
    }
    return bytes;
}

/// Returns Jain's index, (sum x)^2 / (n sum x^2) (Jain, Chiu and Hawe, DEC-TR-301, 1984).
double
JainsIndex(const std::vector<double>& shares)
{
    double sum = 0;
    double squares = 0;
    for (const double share : shares)
    {
        sum += share;
        squares += share * share;
    }
    return sum * sum / (static_cast<double>(shares.size()) * squares);
}

/// Returns the first connection's share of both, as the mean of the seeds.
double
FirstShare(const Competition& competition)
{
    double mean = 0;
    for (std::uint64_t seed = 1; seed <= fairnessSeeds; ++seed)
    {
        const std::vector<double> bytes = SecondHalf(competition, seed);
        mean += bytes[0] / (bytes[0] + bytes[1]) / fairnessSeeds;
    }
    return mean;
}

TEST(Fairness, FourCubicsShareALink)
{
    Competition competition;
    competition.controls = {"TcpCubic", "TcpCubic", "TcpCubic", "TcpCubic"};
    double mean = 0;
    for (std::uint64_t seed = 1; seed <= fairnessSeeds; ++seed)
    {
        mean += JainsIndex(SecondHalf(competition, seed)) / fairnessSeeds;
    }
    RecordProperty("jain", std::to_string(mean));
    EXPECT_GE(mean, 0.95);
}

TEST(Fairness, RenoAtAFourthOfTheRoundTripHasFourToSixteenTimesTheThroughput)
{
    // Without synchronised losses the throughput goes with 1/RTT, with them with 1/RTT^2 (Lakshman
    // and Madhow, IEEE/ACM ToN 5(3), 1997). A queue of at most 2 ms keeps the ratio of the round
    // trips near 4.
    Competition competition;
    competition.controls = {"TcpLinuxReno", "TcpLinuxReno"};
    competition.rttMs = 20;
    competition.lastDelayMs = 60;
    competition.bufferBdp = 0.1;
    competition.seconds = 400;
    const double share = FirstShare(competition);
    const double ratio = share / (1 - share);
    RecordProperty("ratio", std::to_string(ratio));
    EXPECT_GE(ratio, 4);
    EXPECT_LE(ratio, 16);
}

TEST(Fairness, BbrTakesMoreThanItsShareFromCubicInAShallowBufferAndLessInADeepOne)
{
    // Hock, Bless and Zitterbart, ICNP 2017, and Ware et al., IMC 2019: shallow buffers cost a
    // loss-based control its window, which BBR ignores; in deep ones BBR's window of two
    // bandwidth-delay products is the smaller part.
    Competition competition;
    competition.controls = {"TcpBbr", "TcpCubic"};
    competition.seconds = 240;
    competition.bufferBdp = 0.5;
    const double shallow = FirstShare(competition);
    competition.bufferBdp = 8;
    const double deep = FirstShare(competition);
    RecordProperty("shallow", std::to_string(shallow));
    RecordProperty("deep", std::to_string(deep));
    EXPECT_GT(shallow, 0.6);
    EXPECT_LT(deep, 0.5);
}

} // namespace
