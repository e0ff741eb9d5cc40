// SPDX-License-Identifier: GPL-2.0-only
// Hosts give packet records to their connections, or refuse them.
#include "bulk-tcp/model/congestion-control-types.h"
#include "express-path-helper.h"

#include <gtest/gtest.h>

#include <memory>

namespace ns3
{

namespace
{

/// A Tap counts the packets that pass, and gives them another protocol from a certain number on.
class Tap : public PacketElement
{
  public:
    Tap(PacketElement& next, int relabelledFrom)
        : m_next(next),
          m_relabelledFrom(relabelledFrom)
    {
    }

    void Receive(const PacketRecord& record) override
    {
        PacketRecord passed = record;
        isTcp = isTcp && record.protocol == PacketRecord::s_tcp;
        if (m_seen++ >= m_relabelledFrom)
        {
            passed.protocol = s_experiment;
        }
        m_next.Receive(passed);
    }

    bool isTcp = true;

  private:
    static constexpr std::uint8_t s_experiment = 253; ///< RFC 3692

    PacketElement& m_next;
    int m_relabelledFrom;
    int m_seen = 0;
};

constexpr int never = 1000000;

/// Sends 100 kB over one link behind a Tap, and returns whether all of it went as TCP.
bool
SendTapped(int relabelledFrom)
{
    LinkModel::Settings link;
    link.rate = geotrain::BitRate::GigabitsPerSecond(1);
    link.delay = geotrain::Duration::Milliseconds(1);
    link.name = "tapped";
    Tap* tap = nullptr;
    ExpressPathHelper path;
    path.AddLink(link);
    path.PutBeforeForward(
        [&](PacketElement& next)
        {
            auto made = std::make_unique<Tap>(next, relabelledFrom);
            tap = made.get();
            return made;
        });
    path.Build();
    path.Sender(path.AddFlow(BulkTcpOptions())).Send(0, 100000);
    Simulator::Run();
    path.CheckConservation();
    const bool isDelivered = path.Log().delivered.size() == 1;
    Simulator::Destroy();
    return isDelivered && tap->isTcp;
}

TEST(ExpressFlows, SendRecordsThatSayTheyAreOfTcp)
{
    EXPECT_TRUE(SendTapped(never));
}

TEST(ExpressFlows, EndWhereARecordOfAnotherProtocolComes)
{
    EXPECT_DEATH(SendTapped(5), "a packet of protocol 253 came to a host of TCP");
}

TEST(ExpressFlows, EndWhereARecordOfAnUnknownConnectionComes)
{
    ExpressFlows flows(2);
    PacketRecord record{};
    record.protocol = PacketRecord::s_tcp;
    record.flow = 7;
    EXPECT_DEATH(flows.Host(1).Receive(record), "connection 7 came to a host that is no end of it");
}

TEST(ExpressFlows, NumbersOfOtherProtocolsAreLeftOut)
{
    LinkModel::Settings settings;
    settings.rate = geotrain::BitRate::GigabitsPerSecond(1);
    settings.name = "link";
    ExpressFlows flows(2);
    LightLink there(settings, flows.Host(1));
    LightLink back(settings, flows.Host(0));
    TransferLog log;
    const BulkTcpOptions options;
    constexpr FlowNumber flow = 3; // 0 to 2 belong to somebody else
    flows.Open(flow,
               {{0, 1}, there, back},
               options,
               MakeCongestionControl(FindCongestionControl(options.congestionControl), 1),
               {log, log});
    flows.Sender(flow).Send(0, 100000);
    Simulator::Run();
    flows.CheckConservation();
    EXPECT_EQ(flows.Receiver(flow).GetCounters().inOrderBytes, 100000U);
    Simulator::Destroy();
}

} // namespace

} // namespace ns3
