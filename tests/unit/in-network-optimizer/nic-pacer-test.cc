// SPDX-License-Identifier: GPL-2.0-only
// A NIC sends its requests in their order, and a later one only where the earlier ones may not go.
#include "in-network-optimizer/model/nic-pacer.h"

#include <gtest/gtest.h>
#include <ns3/simulator.h>

#include <string>

namespace ns3
{
namespace
{

constexpr std::int64_t packetBytes = 1000;

/// A NamedSender writes its name for each packet.
class NamedSender : public PacedSender
{
  public:
    NamedSender(NicPacer& pacer, char name, std::string& sent)
        : m_pacer(pacer),
          m_name(name),
          m_sent(sent)
    {
        pacer.Join(*this);
    }

    /// Asks for `count` packets.
    void Ask(int count)
    {
        m_turn = m_pacer.NextTurn();
        m_left = count;
        m_pacer.SendAll();
    }

    bool MaySend() const override
    {
        return m_left > 0 && credit > 0;
    }

    std::uint64_t Turn() const override
    {
        return m_turn;
    }

    void SendNext() override
    {
        --m_left;
        --credit;
        m_sent += m_name;
        m_pacer.Send(Simulator::Now().GetNanoSeconds(), packetBytes);
    }

    int credit = 100;

  private:
    NicPacer& m_pacer;
    char m_name;
    std::string& m_sent;
    std::uint64_t m_turn = 0;
    int m_left = 0;
};

class NicPacerTest : public testing::Test
{
  protected:
    ~NicPacerTest() override
    {
        Simulator::Destroy();
    }

    /// 8 Gbit/s: a packet takes 1 us, and 4 may wait.
    NicPacer m_pacer{geotrain::BitRate::GigabitsPerSecond(8), geotrain::Bytes::Of(4 * packetBytes)};
    std::string m_sent;
    NamedSender m_a{m_pacer, 'a', m_sent};
    NamedSender m_b{m_pacer, 'b', m_sent};
};

TEST_F(NicPacerTest, FillsABurstAndGoesOnWhenHalfOfItIsLeft)
{
    m_a.Ask(9);
    EXPECT_EQ(m_sent, "aaaa");
    Simulator::Stop(NanoSeconds(2000));
    Simulator::Run();
    EXPECT_EQ(m_sent, "aaaaaa"); // two were left at 2 us
    Simulator::Stop(NanoSeconds(2000));
    Simulator::Run();
    EXPECT_EQ(m_sent, "aaaaaaaa");
}

TEST_F(NicPacerTest, AnEarlierRequestEndsFirst)
{
    m_b.Ask(5);
    m_a.Ask(3);
    Simulator::Run();
    EXPECT_EQ(m_sent, "bbbbbaaa");
}

TEST_F(NicPacerTest, ALaterRequestGoesWhileTheEarlierHasNoCredit)
{
    m_b.credit = 1;
    m_b.Ask(3);
    m_a.Ask(2);
    Simulator::Run();
    EXPECT_EQ(m_sent, "baa");
    m_b.credit = 2;
    m_pacer.SendAll();
    Simulator::Run();
    EXPECT_EQ(m_sent, "baabb");
}

} // namespace
} // namespace ns3
