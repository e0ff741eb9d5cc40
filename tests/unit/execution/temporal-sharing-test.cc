// SPDX-License-Identifier: GPL-2.0-only
// Tests temporal sharing on the analytic network, over C node pairs of r = 5 Gbit/s and 20 ms one
// way.

#include "execution/temporal-sharing.h"

#include "two-data-centres.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

/// A WatchedNetwork records what it is asked to carry.
class WatchedNetwork : public AnalyticNetwork
{
  public:
    struct WanChunk
    {
        NodeIndex source = 0;
        NodeIndex destination = 0;
        Instant given;
        Instant sent;
    };

    WatchedNetwork(const TwoDataCentres& two)
        : AnalyticNetwork(two.Topology()),
          m_two(two)
    {
    }

    TransferNumber Transfer(const TransferRequest& request, TransferCallback callback) override
    {
        const bool wan =
            m_two.DataCentreOf(request.source) != m_two.DataCentreOf(request.destination);
        const auto index = m_wanChunks.size();
        if (wan)
        {
            m_wanChunks.push_back({request.source, request.destination, GetClock().Now(), {}});
        }
        return AnalyticNetwork::Transfer(
            request,
            [this, wan, index, callback = std::move(callback)](const TransferEvent& event)
            {
                if (wan && event.kind == TransferEvent::Kind::Sent)
                {
                    m_wanChunks[index].sent = event.at;
                }
                callback(event);
            });
    }

    const std::vector<WanChunk>& WanChunks() const
    {
        return m_wanChunks;
    }

  private:
    TwoDataCentres m_two;
    std::vector<WanChunk> m_wanChunks;
};

class TemporalSharingTest : public ::testing::Test
{
  protected:
    static constexpr std::int64_t messageBytes = 33554432;

    void Build(std::uint32_t cellSize)
    {
        two.nodes = 4;
        temporal.reset();
        layer.reset();
        network = std::make_unique<WatchedNetwork>(two);
        CellLayout layout;
        layout.stages = 2;
        layout.cellSize = cellSize;
        for (NodeIndex pipeline = 0; pipeline < 4; ++pipeline)
        {
            layout.nodeOfWorker.push_back(pipeline);
            layout.nodeOfWorker.push_back(4 + pipeline);
        }
        layout.dataCenterOfNode = {0, 0, 0, 0, 1, 1, 1, 1};
        layer = std::make_unique<MessageLayer>(*network);
        temporal = std::make_unique<TemporalSharing>(*layer, layout, pass);
    }

    void SendActivation(MessageCarrier& carrier, std::uint32_t pipeline, Duration at)
    {
        network->GetClock().Schedule(
            Instant() + at,
            [this, &carrier, pipeline]
            {
                Message message;
                message.number = pipeline + 1;
                message.sender = 2 * pipeline;
                message.receiver = 2 * pipeline + 1;
                message.source = pipeline;
                message.destination = 4 + pipeline;
                message.size = Bytes::Of(messageBytes);
                carrier.Send(message,
                             [this, pipeline](const MessageTimes& times, const std::string& failure)
                             {
                                 EXPECT_EQ(failure, "");
                                 heard[pipeline] = times;
                             });
            });
    }

    void Run()
    {
        network->GetClock().Run(Instant::Never());
    }

    TwoDataCentres two;
    Duration pass = Duration::Microseconds(10);
    std::unique_ptr<WatchedNetwork> network;
    std::unique_ptr<MessageLayer> layer;
    std::unique_ptr<TemporalSharing> temporal;
    std::map<std::uint32_t, MessageTimes> heard;
};

TEST_F(TemporalSharingTest, SerialisationFallsByTheCellSizeAndPropagationDoesNot)
{
    Build(4);
    SendActivation(*temporal, 0, {});
    Run();
    // delay + S / (C r) + scatter and gather of a chunk (256 kB at 100 Gbit/s each, 2 x 10 us).
    const double serialisation = 8.0 * messageBytes / 5e9;
    const double chunk = 2 * (8 * 256000 / 100e9 + 10e-6);
    EXPECT_NEAR(heard[0].delivered.ToSeconds(),
                0.020 + serialisation / 4 + chunk,
                0.10 * (serialisation / 4 + chunk));
    EXPECT_GT(heard[0].delivered.ToSeconds(), 0.020 + serialisation / 4);
}

TEST_F(TemporalSharingTest, SpatialSharingOfOneMessageTakesOnePairsSerialisation)
{
    Build(4);
    SpatialSharing spatial(*layer);
    SendActivation(spatial, 0, {});
    Run();
    EXPECT_NEAR(heard[0].delivered.ToSeconds(), 0.020 + 8.0 * messageBytes / 5e9, 1e-6);
}

TEST_F(TemporalSharingTest, TheSameBytesCrossTheWanAndScatterAndGatherCarryTheirShare)
{
    for (const std::uint32_t cell : {1u, 2u, 4u})
    {
        Build(cell);
        for (std::uint32_t pipeline = 0; pipeline < 4; ++pipeline)
        {
            SendActivation(*temporal, pipeline, {});
        }
        Run();
        EXPECT_EQ(network->Counters().wanPayload.Count(), 4 * messageBytes);
        // Each of scatter and gather moves (C - 1) / C of a message; chunks differ by a byte.
        const double intra = 2.0 * (cell - 1) / cell * 4 * messageBytes;
        EXPECT_NEAR(
            static_cast<double>(network->Counters().intraDcPayload.Count()), intra, 4 * 2 * 132);
    }
}

TEST_F(TemporalSharingTest, TurnsGoByReadyTimeAndTiesByPipeline)
{
    Build(4);
    SendActivation(*temporal, 2, {});
    SendActivation(*temporal, 1, {});
    SendActivation(*temporal, 3, Duration::Milliseconds(2));
    SendActivation(*temporal, 0, Duration::Milliseconds(3));
    Run();
    EXPECT_LT(heard[1].sendStart, heard[2].sendStart);
    EXPECT_LT(heard[2].sendStart, heard[3].sendStart);
    EXPECT_LT(heard[3].sendStart, heard[0].sendStart);
}

TEST_F(TemporalSharingTest, FirstTransmissionsOfACellNeverInterleave)
{
    Build(4);
    for (std::uint32_t pipeline = 0; pipeline < 4; ++pipeline)
    {
        SendActivation(*temporal, pipeline, Duration::Milliseconds(1) * pipeline);
    }
    Run();
    for (std::uint32_t a = 0; a < 4; ++a)
    {
        for (std::uint32_t b = 0; b < 4; ++b)
        {
            // One's last first transmission comes before the other's turn, a pass of the turn
            // between.
            if (heard[a].sendStart < heard[b].sendStart)
            {
                EXPECT_GE(heard[b].sendStart, heard[a].sent + pass);
            }
        }
    }
    // And so on the wire: every chunk is given to the network within its message's turn.
    for (const auto& chunk : network->WanChunks())
    {
        int turns = 0;
        for (const auto& [pipeline, times] : heard)
        {
            turns += chunk.given >= times.sendStart && chunk.sent <= times.sent ? 1 : 0;
        }
        EXPECT_EQ(turns, 1);
    }
}

TEST_F(TemporalSharingTest, PassingTheTurnCostsItsLatencyAndKeepingItNothing)
{
    pass = Duration::Milliseconds(7);
    Build(4);
    SendActivation(*temporal, 0, {});
    SendActivation(*temporal, 1, {});
    Run();
    EXPECT_EQ(heard[1].sendStart, heard[0].sent + pass);

    Build(4);
    heard.clear();
    SendActivation(*temporal, 0, {});
    SendActivation(*temporal, 0, Duration::Milliseconds(1));
    Run();
    EXPECT_GT(heard[0].sendStart.ToSeconds(),
              0.010); // the second message, right after the first's 13.4 ms
    EXPECT_LT(heard[0].sendStart.ToSeconds(), 0.015);
}

TEST_F(TemporalSharingTest, ASlowIntraDcNetworkMakesItSlowerThanSpatial)
{
    two.nic = BitRate::GigabitsPerSecond(1);
    Build(4);
    SendActivation(*temporal, 0, {});
    Run();
    const Instant temporalEnd = heard[0].delivered;
    Build(4);
    SpatialSharing spatial(*layer);
    SendActivation(spatial, 0, {});
    Run();
    EXPECT_GT(temporalEnd, heard[0].delivered);
}

TEST_F(TemporalSharingTest, CellsAndDirectionsHaveTurnsOfTheirOwn)
{
    Build(2);
    SendActivation(*temporal, 0, {}); // cell 0
    SendActivation(*temporal, 2, {}); // cell 1
    Run();
    EXPECT_EQ(heard[0].sendStart, heard[2].sendStart);
}

TEST_F(TemporalSharingTest, RefusesACellThatDoesNotDivideThePipelinesOrSharesANode)
{
    Build(4);
    EXPECT_THROW(TemporalSharing(*layer, {1, 3, {0, 1, 2, 3}, {0, 0, 0, 0}}, {}),
                 std::invalid_argument);
    EXPECT_THROW(TemporalSharing(*layer, {1, 2, {0, 0}, {0}}, {}), std::invalid_argument);
}

} // namespace
} // namespace geotrain
