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
    StreamPipe m_pipe{m_loop, {1e6, 1e-3}, 2}; // 1,000 bytes/ms, a loop of 1 ms
    std::vector<std::int64_t> m_ends[2];       ///< ms, by end
};

TEST_F(StreamPipeTest, WaitsForAllEnds)
{
    Give(0, 2000);
    At(5, [this] { Give(1, 2000); });
    m_loop.Run(Instant() + Duration::Seconds(1));
    // 5 ms, 2 ms for the bytes, and the loop.
    EXPECT_EQ(m_ends[0], std::vector<std::int64_t>{8});
    EXPECT_EQ(m_ends[1], std::vector<std::int64_t>{8});
}

TEST_F(StreamPipeTest, BuffersNeedNotEndAtTheSamePlaces)
{
    Give(0, 3000);
    Give(1, 1000);
    At(10, [this] { Give(1, 2000); });
    m_loop.Run(Instant() + Duration::Seconds(1));
    EXPECT_EQ(m_ends[1], (std::vector<std::int64_t>{2, 13}));
    EXPECT_EQ(m_ends[0], std::vector<std::int64_t>{13});
}

TEST_F(StreamPipeTest, BytesFollowOneAnotherWithoutWaitingForTheLoop)
{
    for (int buffer = 0; buffer < 3; ++buffer)
    {
        Give(0, 1000);
        Give(1, 1000);
    }
    m_loop.Run(Instant() + Duration::Seconds(1));
    EXPECT_EQ(m_ends[0], (std::vector<std::int64_t>{2, 3, 4}));
}

} // namespace
} // namespace ns3
