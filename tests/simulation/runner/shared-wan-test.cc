// SPDX-License-Identifier: GPL-2.0-only
// Tests temporal and spatial sharing and ring collectives over packets. There are two sites of four
// nodes, a cap of r = 5 Gbit/s on each node pair and on each node's egress and ingress, 20 ms one
// way, MTU 9000, and warm connections whose windows don't limit. The messages are small enough for
// the caps' queues of one bandwidth-delay product (25 MB).

#include "execution/spatial-sharing.h"
#include "execution/stepped-collectives.h"
#include "execution/temporal-sharing.h"
#include "training-network/helper/bearer-kinds.h"
#include "training-network/model/training-network.h"

#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>

namespace geotrain
{
namespace
{

constexpr std::uint32_t cellSize = 4;
constexpr double payloadOfJumbo = (9000 - 52) / 9000.0; // IPv4, TCP and timestamps in each packet

class SharedWan : public ::testing::Test
{
  protected:
    void Build()
    {
        Reset();
        ns3::RngSeedManager::SetSeed(1);
        for (const char* name : {"a", "b"})
        {
            WanTopology::Site site;
            site.name = name;
            site.nodes = cellSize;
            site.nicRate = nicRate;
            site.intraRate = intraRate;
            site.intraDelay = Duration::Microseconds(10);
            topology.sites.push_back(site);
        }
        WanTopology::Link link;
        link.to = 1;
        link.rate = BitRate::GigabitsPerSecond(100);
        link.delay = Duration::Milliseconds(20);
        topology.links.push_back(link);
        topology.caps.nodePair = BitRate::GigabitsPerSecond(5);
        topology.caps.nodeEgress = BitRate::GigabitsPerSecond(5);
        topology.caps.nodeIngress = BitRate::GigabitsPerSecond(5);
        topology.mtu = Bytes::Of(9000);
        bearer = ns3::MakeBearer("stock", topology);
        ns3::TransportOptions transport;
        transport.congestionControl = "ns3::TcpCubic";
        transport.window = Bytes::Of(2000000);
        network =
            ns3::CreateObject<ns3::TrainingNetwork>(bearer->Links(),
                                                    bearer->MakeTransport(transport),
                                                    ns3::TrainingNetwork::ConnectionCounts{20, 1});
        network->Prepare(WarmUps());
        layer = std::make_unique<MessageLayer>(*network);
    }

    static std::vector<Network::WarmUp> WarmUps()
    {
        std::vector<Network::WarmUp> pairs;
        for (NodeIndex a = 0; a < 2 * cellSize; ++a)
        {
            for (NodeIndex b = 0; b < 2 * cellSize; ++b)
            {
                const bool sameSite = a / cellSize == b / cellSize;
                if (a != b && (sameSite || b == a + cellSize))
                {
                    // Slow start with delayed acknowledgements opens a window by half of what it
                    // carries.
                    pairs.push_back({a, b, Bytes::Of(sameSite ? 8000000 : 4 * messageBytes)});
                }
            }
        }
        return pairs;
    }

    void TearDown() override
    {
        Reset();
    }

    void Reset()
    {
        temporal.reset();
        spatial.reset();
        layer.reset();
        network = nullptr;
        bearer.reset();
        topology = {};
        ns3::Simulator::Destroy();
    }

    MessageCarrier& Temporal()
    {
        CellLayout layout;
        layout.stages = 2;
        layout.cellSize = cellSize;
        for (NodeIndex pipeline = 0; pipeline < cellSize; ++pipeline)
        {
            layout.nodeOfWorker.push_back(pipeline);
            layout.nodeOfWorker.push_back(cellSize + pipeline);
        }
        layout.dataCenterOfNode = {0, 0, 0, 0, 1, 1, 1, 1};
        temporal = std::make_unique<TemporalSharing>(*layer, layout, Duration::Microseconds(10));
        return *temporal;
    }

    MessageCarrier& Spatial()
    {
        spatial = std::make_unique<SpatialSharing>(*layer);
        return *spatial;
    }

    void Send(MessageCarrier& carrier, std::uint32_t pipeline)
    {
        Message message;
        message.sender = 2 * pipeline;
        message.receiver = 2 * pipeline + 1;
        message.source = pipeline;
        message.destination = cellSize + pipeline;
        message.size = Bytes::Of(messageBytes);
        carrier.Send(message,
                     [this, pipeline](const MessageTimes& times, const std::string& failure)
                     {
                         EXPECT_EQ(failure, "");
                         heard[pipeline] = times;
                     });
    }

    void Run()
    {
        network->GetClock().Run(Instant::Never());
        network->CheckConservation();
    }

    double SecondsAlone(bool inTurns)
    {
        Build();
        Send(inTurns ? Temporal() : Spatial(), 0);
        Run();
        return heard[0].delivered.ToSeconds();
    }

    static constexpr std::int64_t messageBytes = 16777216; // 4,096 tokens x 2,048 x 2 bytes
    const double serialisation = 8.0 * messageBytes / (5e9 * payloadOfJumbo);

    BitRate nicRate = BitRate::GigabitsPerSecond(100);
    BitRate intraRate = BitRate::GigabitsPerSecond(100);
    WanTopology topology;
    std::unique_ptr<ns3::Bearer> bearer;
    ns3::Ptr<ns3::TrainingNetwork> network;
    std::unique_ptr<MessageLayer> layer;
    std::unique_ptr<TemporalSharing> temporal;
    std::unique_ptr<SpatialSharing> spatial;
    std::map<std::uint32_t, MessageTimes> heard;
};

TEST_F(SharedWan, SerialisationFallsByTheCellSizeAndPropagationDoesNot)
{
    // delay + S / (C r) + scatter and gather of a chunk (256 kB at 100 Gbit/s each), within 10 %.
    const double chunk = 2 * (8 * 256000 / 100e9 + 10e-6);
    const double expected = 0.020 + serialisation / cellSize + chunk;
    EXPECT_NEAR(SecondsAlone(true), expected, 0.10 * expected);
}

TEST_F(SharedWan, SpatiallyAMessageTakesItsWholeSerialisation)
{
    const double expected = 0.020 + serialisation;
    EXPECT_NEAR(SecondsAlone(false), expected, 0.10 * expected);
}

TEST_F(SharedWan, TheSameBytesCrossTheWanAndScatterAndGatherCarryTheirShare)
{
    for (const bool inTurns : {false, true})
    {
        Build();
        MessageCarrier& carrier = inTurns ? Temporal() : Spatial();
        for (std::uint32_t pipeline = 0; pipeline < cellSize; ++pipeline)
        {
            Send(carrier, pipeline);
        }
        Run();
        const auto counters = network->Counters();
        EXPECT_EQ(counters.wanPayload.Count(), cellSize * messageBytes);
        // 2 (C - 1) / C of C messages.
        const double intra = inTurns ? 2.0 * (cellSize - 1) * messageBytes : 0;
        EXPECT_NEAR(static_cast<double>(counters.intraDcPayload.Count()), intra, 2 * 4 * 68);
    }
}

TEST_F(SharedWan, FirstTransmissionsOfACellNeverInterleave)
{
    Build();
    MessageCarrier& carrier = Temporal();
    for (std::uint32_t pipeline = 0; pipeline < cellSize; ++pipeline)
    {
        Send(carrier, pipeline);
    }
    Run();
    for (std::uint32_t pipeline = 1; pipeline < cellSize; ++pipeline)
    {
        EXPECT_GE(heard[pipeline].sendStart, heard[pipeline - 1].sent + Duration::Microseconds(10));
    }
}

TEST_F(SharedWan, ASlowNetworkInsideTheSitesMakesTurnsSlowerThanSpatialSharing)
{
    intraRate = BitRate::GigabitsPerSecond(1);
    EXPECT_GT(SecondsAlone(true), SecondsAlone(false));
}

TEST_F(SharedWan, ASlowNicMakesTurnsSlowerThanSpatialSharing)
{
    nicRate = intraRate = BitRate::GigabitsPerSecond(1);
    EXPECT_GT(SecondsAlone(true), SecondsAlone(false));
}

TEST_F(SharedWan, ARingAllReduceTakesItsStepsAndSendsItsShare)
{
    // 2 (n - 1) (latency + S / (n r)), r the NIC's payload rate, within 10 %: two switch hops of a
    // packet and the last acknowledgements come on top.
    Build();
    const std::int64_t size = 80000000;
    CollectiveRequest request{1, CollectiveKind::AllReduce, {0, 1, 2, 3}, Bytes::Of(size)};
    SteppedCollectives collectives(*layer);
    double last = 0;
    for (std::uint32_t member = 0; member < 4; ++member)
    {
        collectives.Join(request,
                         member,
                         [&last](Instant at, const std::string& failure)
                         {
                             EXPECT_EQ(failure, "");
                             last = at.ToSeconds();
                         });
    }
    Run();
    const double expected = 2 * 3 * (10e-6 + 8.0 * size / 4 / (100e9 * payloadOfJumbo));
    EXPECT_NEAR(last, expected, 0.10 * expected);
    EXPECT_EQ(network->Counters().intraDcPayload.Count(), 2 * 3 * size);
    EXPECT_EQ(network->Counters().wanPayload.Count(), 0);
}

} // namespace
} // namespace geotrain
