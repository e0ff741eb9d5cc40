#include "execution/striping.h"

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

/// Records transfers and lets the test end them.
class ManualNetwork : public Network
{
  public:
    struct Call
    {
        TransferRequest request;
        TransferCallback callback;
    };

    Clock& GetClock() override
    {
        return m_loop;
    }

    std::uint32_t ConnectionsBetween(NodeIndex, NodeIndex) const override
    {
        return 2;
    }

    TransferNumber Transfer(const TransferRequest& request, TransferCallback callback) override
    {
        m_calls.push_back({request, std::move(callback)});
        return m_calls.size();
    }

    void Cancel(TransferNumber) override
    {
    }

    void Prepare(const std::vector<WarmUp>&) override
    {
    }

    NetworkCounters Counters() const override
    {
        return {};
    }

    void Tell(std::size_t call, TransferEvent::Kind kind)
    {
        const TransferCallback callback = m_calls[call].callback;
        callback({kind, call + 1, m_loop.Now(), "reset"});
    }

    const std::vector<Call>& Calls() const
    {
        return m_calls;
    }

  private:
    EventLoop m_loop;
    std::vector<Call> m_calls;
};

TEST(Striping, AConnectionTakesTheNextChunkWhenItsOwnHasBeenSent)
{
    ManualNetwork network;
    network.SetChunkSize(Bytes::Of(10));
    HeardEvents heard;
    network.SendStriped(0, 1, Bytes::Of(40), heard.Listener());
    ASSERT_EQ(network.Calls().size(), 2u);
    network.Tell(1, TransferEvent::Kind::Sent);
    ASSERT_EQ(network.Calls().size(), 3u);
    EXPECT_EQ(network.Calls()[2].request.connection, 1u); // connection 0 is slow: 1 takes the chunk
    network.Tell(2, TransferEvent::Kind::Sent);
    ASSERT_EQ(network.Calls().size(), 4u);
    EXPECT_EQ(network.Calls()[3].request.connection, 1u);
    EXPECT_TRUE(heard.at.empty());
}

TEST(Striping, AMessageIsDeliveredWithItsLastChunk)
{
    ManualNetwork network;
    network.SetChunkSize(Bytes::Of(10));
    HeardEvents heard;
    network.SendStriped(0, 1, Bytes::Of(20), heard.Listener());
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
    network.SetChunkSize(Bytes::Of(10));
    int failures = 0;
    bool delivered = false;
    network.SendStriped(0,
                        1,
                        Bytes::Of(20),
                        [&](const TransferEvent& event)
                        {
                            failures += event.kind == TransferEvent::Kind::Failed ? 1 : 0;
                            delivered = delivered || event.kind == TransferEvent::Kind::Delivered;
                        });
    network.Tell(0, TransferEvent::Kind::Failed);
    network.Tell(1, TransferEvent::Kind::Failed);
    EXPECT_EQ(failures, 1);
    EXPECT_FALSE(delivered);
}

TEST(Striping, NConnectionsWithWindowsAddUpToTheCap)
{
    // N connections of 1.5 MB a 40 ms round trip: min(N x 300 Mbit/s, 5 Gbit/s).
    for (const std::uint32_t connections : {1u, 4u, 20u})
    {
        TwoDataCentres two;
        two.wanConnections = connections;
        AnalyticTopology topology = two.Topology();
        topology.pathOf = [inner = topology.pathOf](NodeIndex source, NodeIndex destination)
        {
            AnalyticPath path = inner(source, destination);
            path.window = Bytes::Of(1500000);
            return path;
        };
        AnalyticNetwork network(topology);
        HeardEvents heard;
        const double bits = 8.0 * 96000000;
        network.SetChunkSize(Bytes::Of(100000));
        network.SendStriped(0, 4, Bytes::Of(96000000), heard.Listener());
        network.GetClock().Run(Instant::Never());
        const double rate = std::min(connections * 300e6, 5e9);
        // Up to one chunk's time of a single connection remains at the end.
        EXPECT_NEAR(heard.DeliveredSeconds() - 0.020, bits / rate, 800000 / 250e6);
    }
}

TEST(Striping, AMessageInsideANodeTakesTheNodesOwnLink)
{
    AnalyticNetwork network(TwoDataCentres().Topology());
    network.SetNodeLocalRate(BitRate::GigabitsPerSecond(80));
    HeardEvents heard;
    network.SendStriped(0, 0, Bytes::Of(10000000), heard.Listener());
    network.GetClock().Run(Instant::Never());
    EXPECT_NEAR(heard.DeliveredSeconds(), 0.001, 1e-9);
}

} // namespace
} // namespace geotrain
