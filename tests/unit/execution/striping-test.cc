// SPDX-License-Identifier: GPL-2.0-only
#include "execution/striping.h"

#include "execution/message-layer.h"
#include "manual-network.h"
#include "two-data-centres.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

TEST(SplitEvenly, PartsAddUpAndDifferByAByteAtMost)
{
    for (const std::int64_t size : {1, 2, 3, 7, 1000, 1001, 33554432})
    {
        for (const std::int64_t limit : {1, 3, 1000, 256000})
        {
            for (const std::uint32_t multiple : {1u, 2u, 3u, 4u})
            {
                if (size / limit > 100000)
                {
                    continue;
                }
                const auto parts = SplitEvenly(Bytes::Of(size), Bytes::Of(limit), multiple);
                std::int64_t sum = 0;
                for (const Bytes part : parts)
                {
                    sum += part.Count();
                    EXPECT_LE(part.Count(), limit);
                    EXPECT_GE(part.Count(), 1);
                    EXPECT_LE(parts.front().Count() - part.Count(), 1);
                }
                EXPECT_EQ(sum, size);
                EXPECT_TRUE(parts.size() % multiple == 0 ||
                            static_cast<std::int64_t>(parts.size()) == size);
            }
        }
    }
}

/// Makes the settings of a layer that cuts messages into chunks of `bytes`.
MessageLayerSettings
ChunksOf(std::int64_t bytes)
{
    MessageLayerSettings settings;
    settings.chunkSize = Bytes::Of(bytes);
    return settings;
}

TEST(Striping, AConnectionTakesTheNextChunkWhenItsOwnHasBeenSent)
{
    ManualNetwork network;
    MessageLayer layer(network, ChunksOf(10));
    HeardEvents heard;
    layer.Send(0, 1, Bytes::Of(40), heard.Listener());
    ASSERT_EQ(network.Calls().size(), 2u);
    network.Tell(1, TransferEvent::Kind::Sent);
    ASSERT_EQ(network.Calls().size(), 3u);
    EXPECT_EQ(network.Calls()[2].request.connection, 1u); // connection 0 is slow: 1 takes the chunk
    network.Tell(2, TransferEvent::Kind::Sent);
    ASSERT_EQ(network.Calls().size(), 4u);
    EXPECT_EQ(network.Calls()[3].request.connection, 1u);
    EXPECT_TRUE(heard.at.empty());
}

TEST(Striping, ChunksAreAsLargeAsTheNetworkNeeds)
{
    ManualNetwork network;
    network.SetLeastChunk(Bytes::Of(25));
    MessageLayer layer(network, ChunksOf(10));
    HeardEvents heard;
    layer.Send(0, 1, Bytes::Of(40), heard.Listener());
    ASSERT_EQ(network.Calls().size(), 2u); // of at most 25 bytes, and equal
    EXPECT_EQ(network.Calls()[0].request.size, Bytes::Of(20));
    EXPECT_EQ(network.Calls()[1].request.size, Bytes::Of(20));
}

TEST(Striping, AMessageIsDeliveredWithItsLastChunk)
{
    ManualNetwork network;
    MessageLayer layer(network, ChunksOf(10));
    HeardEvents heard;
    layer.Send(0, 1, Bytes::Of(20), heard.Listener());
    for (const std::size_t call : {0u, 1u})
    {
        network.Tell(call, TransferEvent::Kind::Sent);
    }
    EXPECT_EQ(heard.at.count(TransferEvent::Kind::Sent), 1u);
    network.Tell(1, TransferEvent::Kind::Delivered);
    EXPECT_EQ(heard.at.count(TransferEvent::Kind::Delivered), 0u);
    network.Tell(0, TransferEvent::Kind::Delivered);
    EXPECT_EQ(heard.at.count(TransferEvent::Kind::Delivered), 1u);
}

TEST(Striping, AFailedChunkFailsTheMessageOnce)
{
    ManualNetwork network;
    MessageLayer layer(network, ChunksOf(10));
    int failures = 0;
    bool delivered = false;
    layer.Send(0,
               1,
               Bytes::Of(20),
               [&](const TransferEvent& event)
               {
                   failures += event.kind == TransferEvent::Kind::Failed ? 1 : 0;
                   delivered = delivered || event.kind == TransferEvent::Kind::Delivered;
               });
    network.Tell(0, TransferEvent::Kind::Failed);
    EXPECT_TRUE(network.IsCancelled(1));
    EXPECT_EQ(failures, 1);
    EXPECT_FALSE(delivered);
}

TEST(Striping, ACancelledMessageLeavesItsConnectionsToTheNext)
{
    // Chunks 1 and 2 are on the wire, 3 and 4 wait.
    ManualNetwork network;
    Striping striping(network, 0, 1, 2);
    HeardEvents first;
    HeardEvents second;
    const auto handle = striping.Send(Bytes::Of(40), Bytes::Of(10), first.Listener());
    striping.Send(Bytes::Of(7), Bytes::Of(10), second.Listener());
    ASSERT_EQ(network.Calls().size(), 2u);
    striping.Cancel(handle);
    EXPECT_TRUE(network.IsCancelled(0));
    EXPECT_TRUE(network.IsCancelled(1));
    ASSERT_EQ(network.Calls().size(), 3u);
    EXPECT_EQ(network.Calls()[2].request.size, Bytes::Of(7));
    network.Deliver(2);
    EXPECT_TRUE(first.at.empty());
    EXPECT_EQ(second.at.count(TransferEvent::Kind::Delivered), 1u);
}

TEST(Striping, AFailedMessageLeavesItsConnectionsToTheNext)
{
    ManualNetwork network;
    Striping striping(network, 0, 1, 1);
    HeardEvents first;
    HeardEvents second;
    striping.Send(Bytes::Of(20), Bytes::Of(10), first.Listener());
    striping.Send(Bytes::Of(10), Bytes::Of(10), second.Listener());
    network.Tell(0, TransferEvent::Kind::Failed);
    ASSERT_EQ(network.Calls().size(), 2u);
    network.Deliver(1);
    EXPECT_EQ(first.at.count(TransferEvent::Kind::Failed), 1u);
    EXPECT_EQ(second.at.count(TransferEvent::Kind::Delivered), 1u);
}

TEST(Striping, ColdMessagesGoOverConnectionsOfTheirOwn)
{
    ManualNetwork network;
    Striping striping(network, 0, 1, 2);
    std::vector<std::uint32_t> places;
    striping.SetChunkCallback([&places](std::uint32_t place, Bytes) { places.push_back(place); });
    HeardEvents heard;
    for (std::uint32_t message = 0; message < 3; ++message)
    {
        striping.UseConnectionsFrom(2 * message);
        striping.Send(Bytes::Of(20), Bytes::Of(10), heard.Listener());
        EXPECT_EQ(network.Calls()[2 * message].request.connection, 2 * message);
        EXPECT_EQ(network.Calls()[2 * message + 1].request.connection, 2 * message + 1);
        network.Deliver(2 * message);
        network.Deliver(2 * message + 1);
    }
    EXPECT_EQ(places, (std::vector<std::uint32_t>{0, 1, 0, 1, 0, 1}));
}

TEST(Striping, NConnectionsWithWindowsAddUpToTheCap)
{
    // N connections of 1.5 MB per 40 ms round trip carry min(N x 300 Mbit/s, 5 Gbit/s).
    for (const std::uint32_t connections : {1u, 4u, 20u})
    {
        TwoDataCentres two;
        two.wanConnections = connections;
        AnalyticTopology topology = two.Topology();
        topology.pathOf = [inner = topology.pathOf](NodeIndex source, NodeIndex destination)
        {
            AnalyticPath path = inner(source, destination);
            path.window = Bytes::Of(1500000);
            path.segment = Bytes::Of(1000);
            return path;
        };
        AnalyticNetwork network(topology);
        HeardEvents heard;
        const double bits = 8.0 * 960000000;
        MessageLayer layer(network, ChunksOf(100000));
        layer.Send(0, 4, Bytes::Of(960000000), heard.Listener());
        network.GetClock().Run(Instant::Never());
        const double rate = std::min(connections * 300e6, 5e9);
        // The handshake takes a round trip. The last chunks take up to another one, in which not all
        // connections have something to send.
        EXPECT_NEAR(heard.DeliveredSeconds() - 0.020, 0.040 + bits / rate, 0.040);
    }
}

TEST(Striping, AMessageInsideANodeTakesTheNodesOwnLink)
{
    AnalyticNetwork network(TwoDataCentres().Topology());
    MessageLayerSettings settings;
    settings.nodeLocalRate = BitRate::GigabitsPerSecond(80);
    MessageLayer layer(network, settings);
    HeardEvents heard;
    layer.Send(0, 0, Bytes::Of(10000000), heard.Listener());
    network.GetClock().Run(Instant::Never());
    EXPECT_NEAR(heard.DeliveredSeconds(), 0.001, 1e-9);
}

} // namespace
} // namespace geotrain
