// SPDX-License-Identifier: GPL-2.0-only
// Checks what GRO merges, how many acknowledgements are left, and that windows grow by the bytes that
// they cover.
#include "bulk-tcp/model/congestion-control-types.h"
#include "bulk-tcp/model/receive-offload.h"
#include "express-path-helper.h"
#include "instants.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>
#include <ns3/tcp-congestion-ops.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace
{

using namespace ns3;
using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;
using geotrain::nsPerMs;

constexpr std::uint32_t mergedSegment = 1448; ///< bytes of payload

PacketRecord
SegmentAt(std::uint64_t number)
{
    PacketRecord data{};
    data.kind = PacketRecord::Kind::Data;
    data.offset = number * mergedSegment;
    data.length = mergedSegment;
    data.message = {1, 0, 1000000000};
    return data;
}

/// Returns the packets of each run that the segments become.
std::vector<std::uint32_t>
Runs(const std::vector<PacketRecord>& segments)
{
    ReceiveOffload offload;
    for (const PacketRecord& segment : segments)
    {
        offload.Add(segment);
    }
    std::vector<std::uint32_t> packets;
    for (const ReceiveOffload::Run& run : offload.Take())
    {
        packets.push_back(run.packets);
    }
    return packets;
}

/// Returns the runs of five segments of which `change` has changed the third.
template <typename Change>
std::vector<std::uint32_t>
RunsOfFive(Change change)
{
    std::vector<PacketRecord> segments;
    for (std::uint64_t number = 0; number < 5; ++number)
    {
        segments.push_back(SegmentAt(number));
    }
    change(segments[2]);
    return Runs(segments);
}

using Counts = std::vector<std::uint32_t>;

TEST(ReceiveOffload, MergesWhatFollowsInTheStream)
{
    EXPECT_EQ(RunsOfFive([](PacketRecord&) {}), Counts({5}));
    EXPECT_EQ(Runs({SegmentAt(0), SegmentAt(1), SegmentAt(3), SegmentAt(4), SegmentAt(2)}),
              Counts({2, 2, 1}));
}

TEST(ReceiveOffload, MergesWhatIsAlike)
{
    EXPECT_EQ(RunsOfFive([](PacketRecord& third) { third.timestampMs = 1; }), Counts({2, 1, 2}));
    EXPECT_EQ(
        RunsOfFive([](PacketRecord& third) { third.flags = PacketRecord::CongestionExperienced; }),
        Counts({2, 1, 2}));
    EXPECT_EQ(RunsOfFive([](PacketRecord& third) { third.flags = PacketRecord::WindowReduced; }),
              Counts({2, 3})); // CWR is of a burst's first segment
}

TEST(ReceiveOffload, EndsARunWithAShortSegmentAndWithAMessage)
{
    PacketRecord runt = SegmentAt(1);
    runt.length = 100;
    PacketRecord next = SegmentAt(2);
    next.offset = runt.offset + runt.length;
    EXPECT_EQ(Runs({SegmentAt(0), runt, next}), Counts({2, 1}));
    std::vector<PacketRecord> segments;
    for (std::uint64_t number = 0; number < 5; ++number)
    {
        segments.push_back(SegmentAt(number));
        segments.back().message.end = (number < 3 ? 3 : 5) * mergedSegment;
    }
    EXPECT_EQ(Runs(segments), Counts({3, 2}));
}

TEST(ReceiveOffload, MergesLessThan64KibibytesWithHeaders)
{
    std::vector<PacketRecord> segments;
    for (std::uint64_t number = 0; number < 100; ++number)
    {
        segments.push_back(SegmentAt(number));
    }
    EXPECT_EQ(Runs(segments), Counts({45, 45, 10})); // (65,535 - 52) / 1,448 = 45.2
}

TEST(ReceiveOffload, SaysWhichPacketIsTheFirstSinceTheInterrupt)
{
    ReceiveOffload offload;
    EXPECT_TRUE(offload.Add(SegmentAt(0)));
    EXPECT_FALSE(offload.Add(SegmentAt(1)));
    EXPECT_FALSE(offload.Add(SegmentAt(5)));
    offload.Take();
    EXPECT_TRUE(offload.Add(SegmentAt(6)));
    EXPECT_EQ(offload.Take().size(), 1U);
}

/// Bursts become the runs that their packets would become, wherever the stream is cut into bursts.
TEST(ReceiveOffload, MergesBurstsAsTheirPackets)
{
    for (std::uint32_t size = 1; size <= 64; ++size)
    {
        std::vector<PacketRecord> packets;
        std::vector<PacketRecord> bursts;
        std::uint64_t number = 0;
        for (std::uint32_t i = 0; i < 10; ++i)
        {
            number += i == 4 ? 1 : 0; // one is lost
            PacketRecord burst = SegmentAt(number);
            burst.timestampMs = i / 3;
            burst.followers = static_cast<std::uint8_t>(size - 1);
            burst.length = size * mergedSegment;
            bursts.push_back(burst);
            for (std::uint32_t each = 0; each < size; ++each)
            {
                packets.push_back(burst.Part(each, 1));
                EXPECT_EQ(packets.back().offset, number * mergedSegment);
                ++number;
            }
        }
        EXPECT_EQ(Runs(bursts), Runs(packets)) << size;
    }
}

/// FixedFlight keeps 1,000 segments in flight, so that a 1 Gbit/s link is always busy.
class FixedFlight : public TcpNewReno
{
  public:
    void Init(Ptr<TcpSocketState> tcb) override
    {
        tcb->m_cWnd = 1000 * mergedSegment;
    }

    bool HasCongControl() const override
    {
        return true;
    }

    void CongControl(Ptr<TcpSocketState> /*tcb*/,
                     const TcpRateOps::TcpRateConnection& /*rc*/,
                     const TcpRateOps::TcpRateSample& /*rs*/) override
    {
    }
};

/// A connection over an idle path of 1 Gbit/s and 10 ms, where a segment takes 12 us.
class OffloadingPath : public testing::Test
{
  protected:
    OffloadingPath()
    {
        LinkModel::Settings link;
        link.rate = BitRate::GigabitsPerSecond(1);
        link.delay = Duration::Milliseconds(5);
        link.queue = QueueLimit::OfBytes(Bytes::Of(100000000));
        link.name = "offloading";
        path.AddLink(link);
        path.Build();
        options.offloads = true;
        options.autotuneWindow = false;
    }

    ~OffloadingPath() override
    {
        Simulator::Destroy();
    }

    /// Returns the acknowledgements per megabyte of a transfer of 20 MB, where `coalescing` passes
    /// before an interrupt.
    double AcksPerMegabyte(Duration coalescing)
    {
        options.interruptCoalescing = coalescing;
        const FlowNumber flow = path.AddFlow(options, CreateObject<FixedFlight>());
        path.Sender(flow).Send(flow, 20000000);
        Simulator::Run();
        path.CheckConservation();
        return static_cast<double>(path.Receiver(flow).GetCounters().acks) / 20;
    }

    ExpressPathHelper path;
    BulkTcpOptions options;
};

/// An interrupt comes T after the first packet. By then floor(T / 12 us) + 1 have come, as one run, for
/// which there is one acknowledgement. Where T is longer than 44 packets take, a run has 45 of them, and
/// the interrupt ends one too early. Timestamps of a millisecond cut some runs in two.
TEST_F(OffloadingPath, AcknowledgesWhatAnInterruptBrings)
{
    for (const int us : {1, 20, 50, 100, 300})
    {
        const double packets = std::floor(us / 12.0) + 1;
        const double runs = 1e6 / mergedSegment / packets;
        const double acks = packets < 2 ? runs / 2 : runs; // two single packets are one's reason
        const double quick = 16.0 / 20;          // at the beginning single packets are acknowledged
        const double cuts = packets < 2 ? 0 : 8; // a megabyte takes 8.3 ms
        const double measured = AcksPerMegabyte(Duration::Microseconds(us));
        EXPECT_GE(measured, 0.98 * acks) << us;
        EXPECT_LE(measured, 1.02 * acks + quick + cuts) << us;
    }
}

TEST_F(OffloadingPath, WithoutOffloadsAcknowledgesEachSecondSegment)
{
    options.offloads = false;
    // 16 quick ones more, for as many segments
    EXPECT_NEAR(
        AcksPerMegabyte(Duration::Microseconds(50)), 1e6 / mergedSegment / 2 + 16.0 / 20 / 2, 1);
}

/// Returns the window of `control` after two and a half round trips of slow start.
std::uint32_t
WindowInSlowStart(const BulkTcpOptions& options,
                  ExpressPathHelper& path,
                  Ptr<TcpCongestionOps> control)
{
    BulkSender& sender = path.Sender(path.AddFlow(options, control));
    sender.Send(1, 20000000);
    Simulator::Stop(MilliSeconds(35)); // handshake and 2.5 round trips
    Simulator::Run();
    return sender.State()->m_cWnd / mergedSegment;
}

/// Acknowledgements of five segments (50 us are those of four and a bit) double the window each round
/// trip: 10 segments after the handshake, 20 and 40 (tcp_slow_start has no limit L of RFC 3465). ns-3's NewReno by itself
/// grows by one segment an acknowledgement.
TEST_F(OffloadingPath, SlowStartGrowsByAcknowledgedSegments)
{
    options.pacing = false;
    EXPECT_EQ(WindowInSlowStart(options, path, CreateObject<TcpNewReno>()), 40U);
}

TEST_F(OffloadingPath, SlowStartOfCubicGrowsByAcknowledgedSegments)
{
    options.pacing = false;
    const auto cubic = MakeCongestionControl(FindCongestionControl("TcpCubic"), 1);
    EXPECT_EQ(WindowInSlowStart(options, path, cubic), 40U);
}

} // namespace
