// SPDX-License-Identifier: GPL-2.0-only
// A path whose truth is known: ns-3's own point-to-point device with a drop-tail queue, which the
// recorded packets share with paced cross traffic. The cell with the true parameters gives the
// device's delays, and iBoxNet's estimate finds the parameters.
#include "path-learning/ibox-estimate.h"
#include "path-learning/path-cell.h"

#include <gtest/gtest.h>

#include <ns3/data-rate.h>
#include <ns3/drop-tail-queue.h>
#include <ns3/node.h>
#include <ns3/packet.h>
#include <ns3/point-to-point-channel.h>
#include <ns3/point-to-point-net-device.h>
#include <ns3/simulator.h>

#include <cmath>
#include <map>

namespace geotrain
{
namespace
{

constexpr std::uint32_t packetBytes = 1500;
constexpr std::uint32_t pppHeader = 2; // bytes that the device adds

/// FifoTruth is the path as it is.
struct FifoTruth
{
    std::int64_t bitsPerSecond;
    std::int64_t delayMs;
    std::uint32_t queuePackets;
    std::vector<double> crossBitsPerSecond; ///< by second
    std::vector<double> sentBitsPerSecond;  ///< of the recorded packets, by second

    double PacketSeconds() const
    {
        return 8.0 * packetBytes / static_cast<double>(bitsPerSecond);
    }
};

/// FifoRecord is what came out of a run.
struct FifoRecord
{
    PacketTrace trace;
    std::vector<double> crossBytes; ///< accepted by the queue, by millisecond
};

/// KnownFifo sends packets through one device.
class KnownFifo
{
  public:
    explicit KnownFifo(const FifoTruth& truth)
        : m_sender(Device(truth)),
          m_receiver(Device(truth))
    {
        const auto channel = ns3::CreateObject<ns3::PointToPointChannel>();
        channel->SetAttribute("Delay", ns3::TimeValue(ns3::MilliSeconds(truth.delayMs)));
        m_sender->Attach(channel);
        m_receiver->Attach(channel);
        m_receiver->SetReceiveCallback(ns3::MakeCallback(&KnownFifo::Receive, this));
        m_record.crossBytes.resize(1000 * truth.sentBitsPerSecond.size() + 1);
        Pace(truth.sentBitsPerSecond, true, 0);
        Pace(truth.crossBitsPerSecond, false, 0.00013);
    }

    FifoRecord Run()
    {
        ns3::Simulator::Run();
        ns3::Simulator::Destroy();
        m_record.trace.name = "fifo";
        FinishTrace(m_record.trace);
        return m_record;
    }

  private:
    static ns3::Ptr<ns3::PointToPointNetDevice> Device(const FifoTruth& truth)
    {
        const auto device = ns3::CreateObject<ns3::PointToPointNetDevice>();
        device->SetAddress(ns3::Mac48Address::Allocate());
        device->SetDataRate(ns3::DataRate(static_cast<std::uint64_t>(truth.bitsPerSecond)));
        const auto queue = ns3::CreateObject<ns3::DropTailQueue<ns3::Packet>>();
        queue->SetMaxSize(ns3::QueueSize(ns3::QueueSizeUnit::PACKETS, truth.queuePackets));
        device->SetQueue(queue);
        ns3::CreateObject<ns3::Node>()->AddDevice(device);
        return device;
    }

    void Pace(const std::vector<double>& bitsPerSecond, bool isRecorded, double phase)
    {
        double at = phase;
        while (at < static_cast<double>(bitsPerSecond.size()))
        {
            const double rate = bitsPerSecond[static_cast<std::size_t>(at)];
            if (rate == 0)
            {
                at = std::floor(at) + 1 + phase;
                continue;
            }
            ns3::Simulator::Schedule(ns3::Seconds(at), &KnownFifo::Send, this, isRecorded);
            at += 8.0 * packetBytes / rate;
        }
    }

    void Send(bool isRecorded)
    {
        const auto packet = ns3::Create<ns3::Packet>(packetBytes - pppHeader);
        const std::int64_t now = ns3::Simulator::Now().GetNanoSeconds();
        const bool isAccepted = m_sender->Send(packet, m_receiver->GetAddress(), 0x0800);
        if (!isRecorded)
        {
            m_record.crossBytes[static_cast<std::size_t>(now / 1000000)] +=
                isAccepted ? packetBytes : 0;
            return;
        }
        m_recorded[packet->GetUid()] = m_record.trace.packets.size();
        TracedPacket traced;
        traced.sent = Instant::FromNanoseconds(now);
        traced.size = Bytes::Of(packetBytes);
        m_record.trace.packets.push_back(traced);
    }

    bool Receive(ns3::Ptr<ns3::NetDevice>,
                 ns3::Ptr<const ns3::Packet> packet,
                 std::uint16_t,
                 const ns3::Address&)
    {
        const auto found = m_recorded.find(packet->GetUid());
        if (found != m_recorded.end())
        {
            TracedPacket& traced = m_record.trace.packets[found->second];
            traced.delay =
                Instant::FromNanoseconds(ns3::Simulator::Now().GetNanoSeconds()) - traced.sent;
        }
        return true;
    }

    ns3::Ptr<ns3::PointToPointNetDevice> m_sender;
    ns3::Ptr<ns3::PointToPointNetDevice> m_receiver;
    std::map<std::uint64_t, std::size_t> m_recorded; ///< place in the trace by packet's UID
    FifoRecord m_record;
};

/// Returns paths whose buffers run empty, full and over, with cross traffic from none to 60 %.
std::vector<FifoTruth>
KnownFifos()
{
    return {
        {10000000, 20, 60, {0, 4e6, 4e6, 2e6, 0, 0}, {5e6, 4e6, 8e6, 12e6, 15e6, 4e6}},
        {1000000, 10, 20, {0, 0.3e6, 0.6e6, 0, 0, 0}, {0.5e6, 0.6e6, 0.5e6, 1.5e6, 1.5e6, 0.5e6}},
        {50000000, 75, 400, {0, 20e6, 30e6, 0, 0, 10e6}, {30e6, 25e6, 30e6, 60e6, 70e6, 20e6}},
    };
}

/// The device's queue is without the packet on the wire.
PathParameters
TrueParameters(const FifoTruth& truth, const FifoRecord& record)
{
    PathParameters path;
    path.rate = BitRate::BitsPerSecond(truth.bitsPerSecond);
    path.propagation = Duration::Milliseconds(truth.delayMs);
    path.buffer = Bytes::Of(static_cast<std::int64_t>(packetBytes) * (truth.queuePackets + 1));
    path.crossTraffic.bin = Duration::Milliseconds(1);
    for (const double bytes : record.crossBytes)
    {
        path.crossTraffic.bitsPerSecond.push_back(bytes * 8 * 1000);
    }
    return path;
}

class KnownFifoTest : public testing::TestWithParam<std::size_t>
{
};

// Which packet of an overload is dropped depends on fractions of a packet, by which a fluid and
// packets differ. How many are doesn't: within 2 % of the packets sent.
TEST_P(KnownFifoTest, CellWithTheTruthGivesEachDelayWithinOnePacketTime)
{
    const FifoTruth truth = KnownFifos()[GetParam()];
    const FifoRecord record = KnownFifo(truth).Run();
    const PathParameters path = TrueParameters(truth, record);
    PathCell cell(path);
    std::size_t compared = 0;
    double lostMore = 0; // by the cell than by the device
    double worst = 0;
    for (const TracedPacket& packet : record.trace.packets)
    {
        const auto stay = cell.Offer(packet.sent, packet.size);
        lostMore += (stay ? 0 : 1) - (packet.delay ? 0 : 1);
        if (stay && packet.delay)
        {
            ++compared;
            worst =
                std::max(worst, std::abs((*stay + path.propagation - *packet.delay).ToSeconds()));
        }
    }
    EXPECT_LE(worst, truth.PacketSeconds() * 1.001);
    EXPECT_GT(compared, 200u);
    EXPECT_NEAR(lostMore, 0, 0.02 * static_cast<double>(record.trace.packets.size()));
}

// Tolerances: 2 % of the rate, a packet's time, a packet and what a bin of 100 ms carries at the
// error of the rate.
TEST_P(KnownFifoTest, IBoxNetFindsRatePropagationAndBuffer)
{
    const FifoTruth truth = KnownFifos()[GetParam()];
    const FifoRecord record = KnownFifo(truth).Run();
    const PathParameters path = EstimatePath(record.trace);
    const auto rate = static_cast<double>(truth.bitsPerSecond);
    EXPECT_NEAR(static_cast<double>(path.rate.ToBitsPerSecond()), rate, 0.02 * rate);
    EXPECT_NEAR(path.propagation.ToSeconds(),
                static_cast<double>(truth.delayMs) * 1e-3,
                truth.PacketSeconds());
    EXPECT_NEAR(static_cast<double>(path.buffer.Count()),
                static_cast<double>(packetBytes) * (truth.queuePackets + 1),
                packetBytes + 0.02 * rate / 8 * 0.1);
}

TEST_P(KnownFifoTest, IBoxNetFindsCrossTrafficWhileTheBufferIsBusy)
{
    const FifoTruth truth = KnownFifos()[GetParam()];
    const FifoRecord record = KnownFifo(truth).Run();
    const PathParameters path = EstimatePath(record.trace);
    const BusyCrossTraffic cross = EstimateCrossTraffic(record.trace, path);
    double sumA = 0, sumB = 0, sumAA = 0, sumBB = 0, sumAB = 0, count = 0;
    for (std::size_t bin = 0; bin < cross.isKnown.size(); ++bin)
    {
        if (!cross.isKnown[bin])
        {
            continue;
        }
        double truthBytes = 0;
        for (std::size_t ms = 100 * bin; ms < 100 * (bin + 1); ++ms)
        {
            truthBytes += ms < record.crossBytes.size() ? record.crossBytes[ms] : 0;
        }
        const double a = truthBytes * 80;
        const double b = cross.series.bitsPerSecond[bin];
        sumA += a;
        sumB += b;
        sumAA += a * a;
        sumBB += b * b;
        sumAB += a * b;
        count += 1;
    }
    ASSERT_GE(count, 15);
    const double correlation =
        (count * sumAB - sumA * sumB) /
        std::sqrt((count * sumAA - sumA * sumA) * (count * sumBB - sumB * sumB));
    EXPECT_GT(correlation, 0.95);
}

INSTANTIATE_TEST_SUITE_P(Each, KnownFifoTest, testing::Values(0, 1, 2));

} // namespace
} // namespace geotrain
