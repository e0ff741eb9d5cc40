// SPDX-License-Identifier: GPL-2.0-only
// What each attribute of geotrain::BulkTcp does, by number: one row per attribute, with values, what is measured over a
// light link and the formula that predicts it. The path has 100 Mbit/s and a round trip R of 100 ms; a segment carries
// 1,448 bytes and takes 0.12 ms on the link.
#include "attribute-prediction.h"
#include "bulk-tcp/model/bulk-tcp-attributes.h"
#include "express-path-helper.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace
{

using namespace ns3;
using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;

constexpr double roundTrip = 0.1;       ///< s, without time on the link
constexpr double segmentTime = 0.00012; ///< s
constexpr std::uint64_t segment = 1448; ///< bytes of payload
constexpr double pathBytes = 1250000;   ///< the bandwidth-delay product
constexpr double tolerance = 0.0005;    ///< s: SYN and acknowledgement on the link

/// Notes when data packets leave the sender, and loses some.
class Gate : public PacketElement
{
  public:
    Gate(PacketElement& next, std::vector<double>& sentAt, std::size_t losses)
        : m_next(next),
          m_sentAt(sentAt),
          m_losses(losses)
    {
    }

    void Receive(const PacketRecord& record) override
    {
        const bool isData = record.kind == PacketRecord::Kind::Data;
        if (isData)
        {
            m_sentAt.push_back(Simulator::Now().GetSeconds());
        }
        if (!isData || m_sentAt.size() > m_losses)
        {
            m_next.Receive(record);
        }
    }

  private:
    PacketElement& m_next;
    std::vector<double>& m_sentAt;
    std::size_t m_losses;
};

/// A connection with one message over the path, whose first `losses` data packets are lost. `window` is in bytes.
struct Connection
{
    explicit Connection(std::uint64_t message,
                        std::size_t losses = 0,
                        std::int64_t window = 64000000)
    {
        LinkModel::Settings link;
        link.rate = BitRate::BitsPerSecond(100000000);
        link.delay = Duration::Milliseconds(50);
        link.queue = QueueLimit::OfBytes(Bytes::Of(12500000));
        link.name = "formulas";
        path.AddLink(link);
        path.PutBeforeForward([this, losses](PacketElement& next)
                              { return std::make_unique<Gate>(next, sentAt, losses); });
        path.Build();
        BulkTcpOptions options = BulkTcp::DefaultOptions();
        options.congestionControl = "ns3::TcpNewReno";
        options.window = Bytes::Of(window);
        flow = path.AddFlow(options);
        path.Sender(flow).Send(1, message);
    }

    ~Connection()
    {
        Simulator::Destroy();
    }

    void Run(double seconds) const
    {
        Simulator::Stop(Seconds(seconds));
        Simulator::Run();
    }

    std::vector<double> sentAt; ///< s, of data packets
    ExpressPathHelper path;
    FlowNumber flow = 0;
};

double
BytesOfTheFirstFlight()
{
    Connection connection(20000000);
    connection.Run(1.9 * roundTrip); // the handshake takes one, the first acknowledgement another
    return static_cast<double>(connection.path.Sender(0).GetCounters().sentBytes);
}

/// Seconds from a lone segment, which is lost, to its first retransmission.
double
PauseBeforeRetransmission()
{
    Connection connection(1000, 1);
    connection.Run(10);
    return connection.sentAt.at(1) - connection.sentAt.at(0);
}

/// Seconds from the second of two segments, which are lost, to the first retransmission.
double
PauseAfterTwoSegments()
{
    Connection connection(2000, 2);
    connection.Run(10);
    return connection.sentAt.at(2) - connection.sentAt.at(1);
}

double
PauseWithoutProbes()
{
    Config::SetDefault("geotrain::BulkTcp::TailLossProbe", StringValue("false"));
    return PauseBeforeRetransmission();
}

double
DataPacketsPerAcknowledgement()
{
    Connection connection(20000000);
    connection.Run(60);
    return static_cast<double>(connection.sentAt.size()) /
           static_cast<double>(connection.path.Receiver(0).GetCounters().acks);
}

/// Seconds between two segments of a message, of which the window holds one. The first segments are acknowledged at
/// once.
double
AcknowledgementDelay()
{
    Connection connection(20 * segment, 0, segment);
    connection.Run(10);
    return connection.sentAt.at(10) - connection.sentAt.at(9);
}

/// Seconds in which the second flight, of 20 segments behind the first 10, leaves.
double
SpreadOfTheSecondFlight()
{
    Config::SetDefault("geotrain::BulkTcp::DelayedAckCount", StringValue("1"));
    Connection connection(20000000);
    connection.Run(2.9 * roundTrip);
    return connection.sentAt.at(29) - connection.sentAt.at(10);
}

/// Bytes that the receiver offers after the handshake.
double
FirstReceiveWindow()
{
    const Connection connection(20000000);
    connection.Run(1.2 * roundTrip);
    const BulkReceiver& receiver = connection.path.Receiver(0);
    return static_cast<double>(receiver.Edge() - receiver.Next());
}

/// Seconds in which the window grows from 2.5 to 3.5 bandwidth-delay products, when the pipe is full and nothing lost.
/// Packets that leave one by one are acknowledged evenly.
double
GrowthBeyondThePath()
{
    Config::SetDefault("geotrain::BulkTcp::Preset", StringValue("RFC"));
    Config::SetDefault("geotrain::BulkTcp::Autotuning", StringValue("false"));
    Config::SetDefault("geotrain::BulkTcp::DelayedAckCount", StringValue("1"));
    Connection connection(20000000);
    double from = 0;
    double to = 0;
    connection.path.Sender(0).State()->TraceConnectWithoutContext(
        "CongestionWindow",
        Callback<void, std::uint32_t, std::uint32_t>(
            [&from, &to](std::uint32_t, std::uint32_t window)
            {
                const double now = Simulator::Now().GetSeconds();
                from = from == 0 && window >= 2.5 * pathBytes ? now : from;
                to = to == 0 && window >= 3.5 * pathBytes ? now : to;
            }));
    connection.Run(60);
    return to - from;
}

HyStartPlusPlus
HyStartOfAttributes()
{
    return HyStartPlusPlus(BulkTcp::DefaultOptions().hyStart);
}

using HyStartPhase = HyStartPlusPlus::Phase;

/// Acknowledgements of a round of 100 with a round trip of `rttMs` after which HyStart++ leaves slow start; 0: it stays.
int
AcknowledgementsToLeave(HyStartPlusPlus& hyStart, double rttMs)
{
    const auto rttNs = static_cast<std::int64_t>(rttMs * 1e6 + 0.5);
    for (std::uint64_t i = 1; i <= 100; ++i)
    {
        if (hyStart.OnAck(rttNs, 100 + i, 300) == HyStartPhase::Conservative)
        {
            return static_cast<int>(i);
        }
    }
    return 0;
}

/// After a round of 100 acknowledgements at 40 ms.
HyStartPlusPlus
AfterARound()
{
    HyStartPlusPlus hyStart = HyStartOfAttributes();
    hyStart.OnAck(-1, 0, 100);
    for (std::uint64_t i = 1; i <= 100; ++i)
    {
        hyStart.OnAck(40000000, i, 200);
    }
    return hyStart;
}

/// The least rise of the round trip, ms, from 40 ms that counts, in steps of 0.1 ms.
double
LeastRiseThatCounts()
{
    for (int tenths = 1; tenths < 1000; ++tenths)
    {
        HyStartPlusPlus hyStart = AfterARound();
        if (AcknowledgementsToLeave(hyStart, 40 + tenths / 10.0) > 0)
        {
            return tenths / 10.0;
        }
    }
    return 0;
}

double
MeasurementsThatARoundNeeds()
{
    HyStartPlusPlus hyStart = AfterARound();
    return AcknowledgementsToLeave(hyStart, 80);
}

/// Segments of 120 by which the window grows in conservative slow start.
double
ConservativeGrowth()
{
    HyStartPlusPlus hyStart = AfterARound();
    AcknowledgementsToLeave(hyStart, 80);
    return hyStart.Growth(120);
}

/// Rounds of conservative slow start before slow start is over.
double
ConservativeRounds()
{
    HyStartPlusPlus hyStart = AfterARound();
    AcknowledgementsToLeave(hyStart, 80);
    std::uint64_t end = 300;
    int rounds = 0;
    for (HyStartPhase phase = HyStartPhase::Conservative; phase != HyStartPhase::Done; ++rounds)
    {
        const std::uint64_t begin = end;
        end += 100;
        for (std::uint64_t i = 0; i < 100 && phase != HyStartPhase::Done; ++i)
        {
            phase = hyStart.OnAck(80000000, begin + i, end);
        }
    }
    return rounds;
}

const std::vector<AttributePrediction> bulkTcpPredictions{
    // The presets differ in how long an acknowledgement waits: 40 and 200 ms; then it crosses the path.
    {"Preset",
     {{"RFC", 0.04}, {"LINUX", 0.04}, {"LINUX_FQ", 0.04}, {"STOCK", 0.2}},
     AcknowledgementDelay,
     [](double wait) { return wait + roundTrip; },
     tolerance},
    {"InitialWindow",
     {{"1", 1}, {"4", 4}, {"10", 10}, {"40", 40}},
     BytesOfTheFirstFlight,
     [](double segments) { return segments * segment; },
     0},
    // Linux: RTO = SRTT + max(4 RTTVAR, MinRto), with RTTVAR = R / 2 after the first measurement.
    {"MinRto",
     {{"10ms", 0.01}, {"200ms", 0.2}, {"500ms", 0.5}, {"2s", 2}},
     PauseWithoutProbes,
     [](double least) { return roundTrip + std::max(2 * roundTrip, least); },
     tolerance},
    {"DelayedAckCount",
     {{"1", 1}, {"2", 2}, {"4", 4}, {"8", 8}},
     DataPacketsPerAcknowledgement,
     // The first 16 of 20 MB are acknowledged one by one.
     [](double count) { return 13813 / (16 + (13813 - 16) / count); },
     0.01},
    {"DelayedAckTimeout",
     {{"10ms", 0.01}, {"40ms", 0.04}, {"100ms", 0.1}},
     AcknowledgementDelay,
     [](double wait) { return wait + roundTrip; },
     tolerance},
    // Paced by 2 windows of 20 segments per round trip, else by the acknowledgements of segments that left one behind
    // the other. The window grows from 11 segments meanwhile, which makes the first pauses longer.
    {"Pacing",
     {{"AUTO", 1}, {"true", 1}, {"FQ", 1}, {"NONE", 0}, {"false", 0}},
     SpreadOfTheSecondFlight,
     [](double isPaced) { return isPaced > 0 ? 19 * roundTrip / 40 : 9 * segmentTime; },
     0.004},
    // RFC 8985, 7.2, with Linux's floor: a probe after 2 R and 2 ms, else the RTO of 3 R.
    {"TailLossProbe",
     {{"true", 1}, {"false", 0}},
     PauseAfterTwoSegments,
     [](double probes) { return probes > 0 ? 2 * roundTrip + 0.002 : 3 * roundTrip; },
     tolerance},
    // Linux's first receive window, or the buffer of 64 MB as a whole.
    {"Autotuning",
     {{"true", 65535}, {"false", 64000000}},
     FirstReceiveWindow,
     [](double bytes) { return bytes; },
     0},
    // Acknowledgements come at the link's rate of payload. Slow start grows by what they acknowledge, conservative slow
    // start by a quarter of it.
    {"HyStart",
     {{"true", 4}, {"false", 1}},
     GrowthBeyondThePath,
     [](double divisor) { return divisor * pathBytes / (segment / segmentTime); },
     0.01},
    // RFC 9406, 4.2: clamp(40 ms / MIN_RTT_DIVISOR of 8, MIN_RTT_THRESH of 4 ms, MAX_RTT_THRESH of 16 ms).
    {"HyStartMinThreshold",
     {{"1ms", 1}, {"6ms", 6}, {"12ms", 12}},
     LeastRiseThatCounts,
     [](double least) { return std::max(40.0 / 8, least); },
     1e-9},
    {"HyStartMaxThreshold",
     {{"4ms", 4}, {"4500us", 4.5}, {"20ms", 20}},
     LeastRiseThatCounts,
     [](double most) { return std::min(40.0 / 8, most); },
     1e-9},
    {"HyStartDivisor",
     {{"2", 2}, {"4", 4}, {"8", 8}, {"20", 20}},
     LeastRiseThatCounts,
     [](double divisor) { return std::clamp(40 / divisor, 4.0, 16.0); },
     1e-9},
    {"HyStartSamples",
     {{"1", 1}, {"8", 8}, {"60", 60}},
     MeasurementsThatARoundNeeds,
     [](double samples) { return samples; },
     0},
    {"HyStartGrowthDivisor",
     {{"1", 1}, {"4", 4}, {"10", 10}},
     ConservativeGrowth,
     [](double divisor) { return 120 / divisor; },
     0},
    {"HyStartRounds",
     {{"1", 1}, {"5", 5}, {"9", 9}},
     ConservativeRounds,
     [](double rounds) { return rounds; },
     0},
};

class AttributeFormula : public testing::TestWithParam<AttributePrediction>
{
};

TEST_P(AttributeFormula, PredictsTheEffect)
{
    ExpectPredictedEffects("geotrain::BulkTcp", GetParam());
}

INSTANTIATE_TEST_SUITE_P(BulkTcp,
                         AttributeFormula,
                         testing::ValuesIn(bulkTcpPredictions),
                         NameOfRow);

} // namespace
