// SPDX-License-Identifier: GPL-2.0-only
// Tests how many segments a congestion control hears of with an acknowledgement that only SACKs.
#include "scripted-peer.h"

namespace
{

using namespace ns3;

class CountingControl : public TcpLinuxReno
{
  public:
    void PktsAcked(Ptr<TcpSocketState>, uint32_t segmentsAcked, const Time&) override
    {
        m_told.push_back(segmentsAcked);
    }

    std::vector<std::uint32_t> m_told;
};

class SackedSegments : public ScriptedPeer
{
  protected:
    /// Returns what a control is told where segment 0 is missing, 1 comes by itself, and one acknowledgement
    /// stands for the six segments behind it, as Linux's receiver compresses them.
    std::vector<std::uint32_t> ToldOfSevenInTwo()
    {
        const auto control = CreateObject<CountingControl>();
        Open(100, control);
        Ack(80, 0, 40, {1, 2});
        Ack(81, 0, 40, {1, 8});
        return control->m_told;
    }
};

TEST_F(SackedSegments, AreToldOfEachOnce)
{
    EXPECT_EQ(ToldOfSevenInTwo(), (std::vector<std::uint32_t>{1, 6}));
}

// TcpSocketBase takes a duplicate acknowledgement for one segment.
TEST_F(SackedSegments, AreOnePerAcknowledgementForStock)
{
    m_options.stockCompatible = true;
    EXPECT_EQ(ToldOfSevenInTwo(), (std::vector<std::uint32_t>{1, 1}));
}

} // namespace
