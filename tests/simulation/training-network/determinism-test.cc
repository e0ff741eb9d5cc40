// SPDX-License-Identifier: GPL-2.0-only
// The same topology and seed give the same times; another pair of nodes shifts none of them.
#include "network-fixture.h"

namespace ns3
{
namespace
{

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

} // namespace
} // namespace ns3
