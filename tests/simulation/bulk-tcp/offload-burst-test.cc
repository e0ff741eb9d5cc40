// SPDX-License-Identifier: GPL-2.0-only
// Checks when a sender that does not pace waits for a larger burst, by the numbers of Linux's
// tcp_tso_autosize and tcp_tso_should_defer.
#include "bulk-tcp/model/bulk-sender.h"
#include "bulk-tcp/model/offload-burst.h"
#include "instants.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>
#include <ns3/tcp-linux-reno.h>

#include <memory>
#include <vector>

namespace
{

using namespace ns3;
using geotrain::nsPerMs;

constexpr std::uint32_t burstSegment = 1448; ///< bytes of payload

/// Room for two packets of a window of 100, 0.1 ms after the last packet left and when an
/// acknowledgement is due.
OffloadBurst::View
TwoOfAHundred()
{
    OffloadBurst::View view{};
    view.nowNs = 100 * nsPerMs;
    view.lastSentNs = view.nowNs - nsPerMs / 10;
    view.firstSentNs = 60 * nsPerMs;
    view.roundTripNs = 40 * nsPerMs;
    view.room = 2 * burstSegment;
    view.window = 100 * burstSegment;
    view.segmentSize = burstSegment;
    return view;
}

/// Returns a burst of 4 packets: 60 Mbit/s are 7,324 bytes in 1/1024 s, and 7,324/1,448 = 5.06; 50
/// Mbit/s are 6,103, and 4.2.
OffloadBurst
BurstOfFour()
{
    OffloadBurst burst;
    burst.SetRate(50000000);
    return burst;
}

TEST(OffloadBurst, WaitsUntilAWholeBurstFits)
{
    auto burst = BurstOfFour();
    auto view = TwoOfAHundred();
    EXPECT_TRUE(burst.Waits(view));
    view.room = 4 * burstSegment;
    EXPECT_FALSE(burst.Waits(view));
}

TEST(OffloadBurst, GoesOnWithABurst)
{
    auto burst = BurstOfFour();
    auto view = TwoOfAHundred();
    view.room = 6 * burstSegment;
    for (int i = 0; i < 4; ++i)
    {
        EXPECT_FALSE(burst.Waits(view)) << i;
        burst.OnSent();
        view.room -= burstSegment;
        view.lastSentNs = view.nowNs;
    }
    EXPECT_TRUE(burst.Waits(view)); // two are left
}

TEST(OffloadBurst, DoesNotWaitAfterAPauseOfAMillisecond)
{
    auto view = TwoOfAHundred();
    view.lastSentNs = view.nowNs - nsPerMs;
    EXPECT_TRUE(BurstOfFour().Waits(view));
    view.lastSentNs -= 1;
    EXPECT_FALSE(BurstOfFour().Waits(view));
}

TEST(OffloadBurst, DoesNotWaitForAnAcknowledgementThatIsFarOff)
{
    auto view = TwoOfAHundred();
    view.firstSentNs = 61 * nsPerMs; // due in 1 ms
    EXPECT_TRUE(BurstOfFour().Waits(view));
    view.firstSentNs += 1;
    EXPECT_FALSE(BurstOfFour().Waits(view));
    view.roundTripNs = nsPerMs; // half of it is the bound
    view.firstSentNs = view.nowNs - nsPerMs / 2 + 1;
    EXPECT_FALSE(BurstOfFour().Waits(view));
}

TEST(OffloadBurst, DoesNotWaitWithAThirdOfTheWindow)
{
    auto view = TwoOfAHundred();
    view.window = 6 * burstSegment;
    EXPECT_FALSE(BurstOfFour().Waits(view));
    view.window += 3;
    EXPECT_TRUE(BurstOfFour().Waits(view));
}

TEST(OffloadBurst, HasTwoPacketsAtLeastAndLessThan64KibibytesAtMost)
{
    OffloadBurst slow;
    slow.SetRate(1000000);
    auto view = TwoOfAHundred();
    EXPECT_FALSE(slow.Waits(view));
    OffloadBurst fast;
    fast.SetRate(100000000000);
    view.window = 1000 * burstSegment;
    view.room = 44 * burstSegment;
    EXPECT_TRUE(fast.Waits(view));
    view.room = 45 * burstSegment; // 65,215/1,448 = 45.04
    EXPECT_FALSE(fast.Waits(view));
}

/// An UnpacedSender plays the other end of a sender with a window of 90 packets over 40 ms.
class UnpacedSender : public testing::Test, public PacketElement, public BulkSenderEvents
{
  protected:
    ~UnpacedSender() override
    {
        m_sender = nullptr;
        Simulator::Destroy();
    }

    void Open(bool paces)
    {
        BulkTcpOptions options;
        options.initialWindow = 90;
        options.pacing = paces;
        options.hyStartPlusPlus = false;
        m_sender = std::make_unique<BulkSender>(
            ns3::FlowExit{0, 1, *this}, options, CreateObject<TcpLinuxReno>(), *this);
        m_sender->Send(1, 1000 * burstSegment);
        RunTo(40 * nsPerMs);
        PacketRecord answer{};
        answer.kind = PacketRecord::Kind::SynAck;
        answer.window = 1000 * burstSegment;
        m_sender->Receive(answer);
    }

    /// Acknowledges one more packet at `ns`. Returns how many leave by then, since the last.
    std::size_t SentAtNextAck(std::int64_t ns)
    {
        RunTo(ns);
        PacketRecord ack{};
        ack.kind = PacketRecord::Kind::Ack;
        ack.offset = ++m_acknowledged * burstSegment;
        ack.window = 1000 * burstSegment;
        const std::size_t before = m_data;
        m_sender->Receive(ack);
        return m_data - before;
    }

    static void RunTo(std::int64_t ns)
    {
        Simulator::Stop(NanoSeconds(ns) - Simulator::Now());
        Simulator::Run();
    }

    void Receive(const PacketRecord& record) override
    {
        m_data += record.kind == PacketRecord::Kind::Data ? 1 : 0;
    }

    std::unique_ptr<BulkSender> m_sender;
    std::uint64_t m_acknowledged = 0;
    std::size_t m_data = 0;
};

TEST_F(UnpacedSender, SendsWhatSeveralAcknowledgementsAllowTogether)
{
    Open(false);
    EXPECT_EQ(m_data, 90U);
    // In slow start an acknowledged packet lets two leave. 2 x 90 packets in 40 ms are 4.4 in 1/1024 s.
    EXPECT_EQ(SentAtNextAck(80 * nsPerMs), 2U); // nothing left for 40 ms
    EXPECT_EQ(SentAtNextAck(80 * nsPerMs + 100000), 0U);
    EXPECT_EQ(SentAtNextAck(80 * nsPerMs + 200000), 4U);
    EXPECT_EQ(SentAtNextAck(80 * nsPerMs + 300000), 0U);
}

} // namespace
