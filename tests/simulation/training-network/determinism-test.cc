// SPDX-License-Identifier: GPL-2.0-only
// The same topology and seed give the same times; another pair of nodes shifts none of them, and it
// does not matter which pair begins.
#include "network-fixture.h"

#include "wan-topology/model/reusable-event.h"

namespace ns3
{
namespace
{

using geotrain::NodeIndex;

class DeterminismTest : public NetworkTest
{
  protected:
    /// Returns the times of delivery of messages of the first pair under loss, and the bytes sent
    /// again.
    std::string Trace(std::uint64_t run, const std::string& control, bool extraPair)
    {
        RngSeedManager::SetRun(run);
        TwoSites sites;
        sites.lossRate = 1e-3;
        sites.roundTrip = geotrain::Duration::Milliseconds(5);
        auto topology = sites.Build();
        if (extraPair)
        {
            for (const char* name : {"dc-c", "dc-d"})
            {
                topology.sites.push_back(topology.sites[0]);
                topology.sites.back().name = name;
            }
            for (const std::uint32_t from : {1, 2})
            {
                topology.links.push_back(topology.links[0]);
                topology.links.back().from = from;
                topology.links.back().to = from + 1;
            }
        }
        transport.congestionControl = control;
        counts = {2, 1};
        Install(topology);
        std::ostringstream trace;
        for (std::uint32_t i = 0; i < 40; ++i)
        {
            network->Transfer({0, 1, i % 2, geotrain::Bytes::Of(500000)},
                              [&trace](const geotrain::TransferEvent& event)
                              { trace << event.at.ToNanoseconds() << '\n'; });
            if (extraPair)
            {
                network->Transfer({3, 2, i % 2, geotrain::Bytes::Of(300000)},
                                  [](const geotrain::TransferEvent&) {});
            }
        }
        Run();
        network->CheckConservation();
        EXPECT_GT(network->Counters().retransmittedBytes.Count(), 0);
        Reset();
        return trace.str();
    }
};

TEST_F(DeterminismTest, SameSeedGivesSameTimes)
{
    EXPECT_EQ(Trace(1, "TcpCubic", false), Trace(1, "TcpCubic", false));
}

TEST_F(DeterminismTest, AnotherSeedGivesOtherTimes)
{
    EXPECT_NE(Trace(1, "TcpCubic", false), Trace(2, "TcpCubic", false));
}

TEST_F(DeterminismTest, AnUnrelatedPairShiftsNoDraw)
{
    EXPECT_EQ(Trace(1, "TcpCubic", false), Trace(1, "TcpCubic", true));
}

// BBR draws the phase of its gain cycle at random.
TEST_F(DeterminismTest, AnUnrelatedPairShiftsNoDrawOfBbr)
{
    EXPECT_EQ(Trace(1, "TcpBbr", false), Trace(1, "TcpBbr", true));
}

/// Two pairs of data centres have nothing in common but their sizes and delays, so that whatever
/// happens in one of them happens in the other at the same time:
///
///   node 0 --- dc-a === dc-b --- node 1        node 2 --- dc-c === dc-d --- node 3
///
/// Nothing takes the link from dc-b to dc-c that a WAN must have.
class AlikePairs : public NetworkTest
{
  protected:
    /// Schedules at node 0 and at node 2, in the order of `senders`, that they begin to exchange
    /// messages with nodes 1 and 3. Returns all that is told of the messages, and each packet that
    /// comes to a light link.
    std::string Trace(const std::string& bearerName, const std::vector<NodeIndex>& senders)
    {
        TwoSites sites;
        sites.roundTrip = geotrain::Duration::Milliseconds(5);
        geotrain::WanTopology topology = sites.Build();
        for (const char* name : {"dc-c", "dc-d"})
        {
            topology.sites.push_back(topology.sites[0]);
            topology.sites.back().name = name;
        }
        for (const std::uint32_t from : {1, 2})
        {
            topology.links.push_back(topology.links[0]);
            topology.links.back().from = from;
            topology.links.back().to = from + 1;
        }
        Install(bearerName, topology);
        network->Prepare(
            {{0, 1, geotrain::Bytes::Of(100000)}, {2, 3, geotrain::Bytes::Of(100000)}});
        m_trace.str("");
        if (bearerName == "express")
        {
            ObservePackets();
        }
        for (const NodeIndex sender : senders)
        {
            const AtSite at(sender);
            Simulator::Schedule(NanoSeconds(1), &AlikePairs::Exchange, this, sender, sender + 1, 4);
        }
        Run();
        Reset();
        return m_trace.str();
    }

  private:
    void ObservePackets()
    {
        WanLinks& links = bearer->Links();
        for (std::size_t i = 0; i < links.LinkCount(); ++i)
        {
            links.ObservePackets(i,
                                 [this, name = links.LinkAt(i).name](const PassedPacket& packet) {
                                     m_trace << packet.at.ToNanoseconds() << ' ' << name << ' '
                                             << packet.size.Count() << '\n';
                                 });
        }
    }

    /// Sends messages there and back, `left` in all.
    void Exchange(NodeIndex from, NodeIndex to, int left)
    {
        network->Transfer({from, to, 0, geotrain::Bytes::Of(400000)},
                          [=](const geotrain::TransferEvent& event)
                          {
                              m_trace << event.at.ToNanoseconds() << ' ' << from << " -> " << to
                                      << " event " << static_cast<int>(event.kind) << '\n';
                              if (event.kind == geotrain::TransferEvent::Kind::Delivered &&
                                  left > 1)
                              {
                                  Exchange(to, from, left - 1);
                              }
                          });
    }

    std::ostringstream m_trace;
};

TEST_F(AlikePairs, GiveTheSameBytesWhicheverBegins)
{
    UseHeapSimulator();
    const std::string expected = Trace("express", {0, 2});
    EXPECT_GT(expected.size(), 10000U); // or the test has shown nothing
    UseHeapSimulator();
    EXPECT_EQ(Trace("express", {2, 0}), expected);
}

TEST_F(AlikePairs, GiveTheSameBytesOverDevicesToo)
{
    UseHeapSimulator();
    const std::string expected = Trace("device", {0, 2});
    UseHeapSimulator();
    EXPECT_EQ(Trace("device", {2, 0}), expected);
}

// ns-3's own event loop orders simultaneous events by when they were scheduled, which shows who began.
TEST_F(AlikePairs, GiveOtherBytesInNs3sOwnEventLoop)
{
    EXPECT_NE(Trace("express", {2, 0}), Trace("express", {0, 2}));
}

} // namespace
} // namespace ns3
