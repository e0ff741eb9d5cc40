// SPDX-License-Identifier: GPL-2.0-only
// A pipe moves bytes at its rate while all ends have given a buffer for them.
#include "analytic/event-loop.h"
#include "in-network-optimizer/helper/stream-pipe.h"

#include <gtest/gtest.h>

namespace ns3
{
namespace
{

using geotrain::Bytes;
using geotrain::Duration;
using geotrain::Instant;

class StreamPipeTest : public testing::Test
{
  protected:
    /// Gives a buffer, and notes when its end is known in `m_ends`.
    void Give(std::size_t end, std::int64_t bytes)
    {
        m_pipe.Give(end, Bytes::Of(bytes), [this, end] { m_ends[end].push_back(Ms()); });
    }

    std::int64_t Ms() const
    {
        return (m_loop.Now() - Instant()).ToNanoseconds() / 1000000;
    }

    void At(std::int64_t milliseconds, std::function<void()> call)
    {
        m_loop.Schedule(Instant() + Duration::Milliseconds(milliseconds), std::move(call));
    }

    geotrain::EventLoop m_loop;
    /// End 1 receives; 1,000 bytes/ms, which take 1 ms to cross, and so do heartbeats back, which go
    /// once in 4 ms.
    SharedLinks m_links{{1e6}};
    StreamPipe m_pipe{
        m_loop, {1e6, 1e-3, 1e-3, 4e-3}, m_links, {1e6, {{0, 1.0}}}, 2, [](std::size_t end) {
            return end == 1;
        }};
    std::vector<std::int64_t> m_ends[2]; ///< ms, by end
};

TEST_F(StreamPipeTest, WaitsForAllEnds)
{
    Give(0, 2000);
    At(5, [this] { Give(1, 2000); });
    m_loop.Run(Instant() + Duration::Seconds(1));
    // The first heartbeat goes at 5 ms, 1 ms later the sender begins, 2 ms for the bytes, 1 ms to
    // cross. The heartbeat of 9 ms tells the sender.
    EXPECT_EQ(m_ends[1], std::vector<std::int64_t>{9});
    EXPECT_EQ(m_ends[0], std::vector<std::int64_t>{10});
}

TEST_F(StreamPipeTest, BuffersNeedNotEndAtTheSamePlaces)
{
    Give(0, 3000);
    Give(1, 1000);
    At(10, [this] { Give(1, 2000); });
    m_loop.Run(Instant() + Duration::Seconds(1));
    // The receiver's first buffer: 1 ms of credit, 1 ms of bytes, 1 ms to cross. It is silent from 8
    // ms on, so that its second one is told of at 10 ms; 1, 2 and 1 ms again. The heartbeat of 14
    // ms tells the sender.
    EXPECT_EQ(m_ends[1], (std::vector<std::int64_t>{3, 14}));
    EXPECT_EQ(m_ends[0], std::vector<std::int64_t>{15});
}

TEST_F(StreamPipeTest, BytesFollowOneAnotherWithoutWaitingForHeartbeats)
{
    for (int buffer = 0; buffer < 3; ++buffer)
    {
        Give(0, 1000);
        Give(1, 1000);
    }
    m_loop.Run(Instant() + Duration::Seconds(1));
    EXPECT_EQ(m_ends[1], (std::vector<std::int64_t>{3, 4, 5}));
    EXPECT_EQ(m_ends[0], (std::vector<std::int64_t>{5, 5, 9})); // heartbeats at 4 and 8 ms
}

TEST_F(StreamPipeTest, AStreamThatComesTakesItsShareOfALink)
{
    const std::size_t other = m_links.Add({1e9, {{0, 1.0}}}, [] {});
    Give(0, 3000);
    Give(1, 3000);
    At(2, [this, other] { m_links.Move(other, 0); });
    At(4, [this, other] { m_links.Stop(other); });
    m_loop.Run(Instant() + Duration::Seconds(1));
    // 1 ms of credit. 1,000 bytes by 2 ms, 1,000 by 4 ms at half the rate, and the rest by 5 ms; 1 ms
    // to cross.
    EXPECT_EQ(m_ends[1], std::vector<std::int64_t>{6});
}

TEST_F(StreamPipeTest, ASwitchKeepsHeartbeatsUntilItsTick)
{
    HeartbeatPath path(4e-3, {1e-3, 0});
    TransferEstimate estimate{1e6, 1e-3, 1e-3, 4e-3};
    estimate.line = 1e6;
    estimate.window = 1e6;
    SharedStream stream{1e6, {{0, 1.0}}};
    stream.window = 1e6;
    StreamPipe pipe(
        m_loop, estimate, m_links, stream, 2, [](std::size_t end) { return end == 1; }, &path);
    for (const std::size_t end : {0, 1})
    {
        pipe.Give(end, Bytes::Of(1000), [this, end] { m_ends[end].push_back(Ms()); });
    }
    m_loop.Run(Instant() + Duration::Seconds(1));
    // The first heartbeat is at the switch at 1 ms, which sends it at 5 ms; 1 ms for the bytes, 1 ms
    // to cross. The heartbeat of 8 ms comes at the tick of 9 ms, too late, and goes at 13 ms.
    EXPECT_EQ(m_ends[1], std::vector<std::int64_t>{7});
    EXPECT_EQ(m_ends[0], std::vector<std::int64_t>{13});
}

TEST_F(StreamPipeTest, AHeartbeatWaitsForWhatIsInTheQueueWhenItGoes)
{
    double waits = 0; // bytes of another stream, which has met a third one
    SharedStream other{1e6, {{0, 1.0}}};
    const std::size_t number = m_links.Add(other, [] {}, {{}, [&waits] { return waits; }});
    SharedStream stream{1e6, {}};
    stream.heartbeats = 0;
    StreamPipe pipe(m_loop,
                    {1e6, 1e-3, 1e-3, 4e-3},
                    m_links,
                    stream,
                    2,
                    [](std::size_t end) { return end == 1; });
    for (const std::size_t end : {0, 1})
    {
        pipe.Give(end, Bytes::Of(1000), [this, end] { m_ends[end].push_back(Ms()); });
    }
    At(3,
       [this, number, &waits]
       {
           m_links.Move(number, 0);
           waits = 2000;
       });
    m_loop.Run(Instant() + Duration::Seconds(1));
    // 1 ms of credit, 1 ms of bytes, 1 ms to cross. The heartbeat of 4 ms waits 2 ms.
    EXPECT_EQ(m_ends[1], std::vector<std::int64_t>{3});
    EXPECT_EQ(m_ends[0], std::vector<std::int64_t>{7});
}

} // namespace
} // namespace ns3
