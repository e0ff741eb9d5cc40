// SPDX-License-Identifier: GPL-2.0-only
// A pair of relays carries blocks in their order, within the buffers of both, over a network whose
// messages the test delivers.
#include "../execution/manual-network.h"

#include "in-network/wan-relay.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

/// A TestEnd keeps what is asked of it.
class TestEnd : public StreamEnd
{
  public:
    void Push(Bytes length, std::function<void()> done) override
    {
        pushed.emplace_back(length, std::move(done));
    }

    void Pull(Bytes length, std::function<void()> done) override
    {
        pulled.emplace_back(length, std::move(done));
    }

    using Requests = std::vector<std::pair<Bytes, std::function<void()>>>;

    Requests pushed;
    Requests pulled;
};

class WanRelayTest : public testing::Test
{
  protected:
    static constexpr std::int64_t s_block = 1000;

    /// Lets `milliseconds` pass.
    void Pass(std::int64_t milliseconds)
    {
        m_now = m_now + Duration::Milliseconds(milliseconds);
        m_network.GetClock().Schedule(m_now, [] {});
        m_network.GetClock().Run(m_now);
    }

    void FillAll()
    {
        for (; m_filled < m_source.pulled.size(); ++m_filled)
        {
            m_source.pulled[m_filled].second();
        }
    }

    ManualNetwork m_network;
    MessageLayer m_layer{m_network};
    TestEnd m_source;
    TestEnd m_sink;
    std::string m_failure;
    // A buffer of two blocks, 10 ms from relay to relay.
    WanRelay m_relay{m_layer,
                     {0, 1, Duration::Milliseconds(10), Bytes::Of(2 * s_block), Bytes::Of(s_block)},
                     m_source,
                     m_sink,
                     [this](const std::string& reason) { m_failure = reason; }};
    Instant m_now;
    std::size_t m_filled = 0;
};

TEST_F(WanRelayTest, CutsRequestsIntoBlocksThatEndWithThem)
{
    m_relay.Add(Bytes::Of(s_block + 500));
    m_relay.Add(Bytes::Of(s_block));
    ASSERT_EQ(m_source.pulled.size(), 2);
    EXPECT_EQ(m_source.pulled[0].first, Bytes::Of(s_block));
    EXPECT_EQ(m_source.pulled[1].first, Bytes::Of(500));
    EXPECT_EQ(m_relay.Wait(), "waits for its switch to fill block 0");
}

TEST_F(WanRelayTest, AsksForNoMoreThanItsBufferHoldsUntilTheAcknowledgementIsBack)
{
    m_relay.Add(Bytes::Of(5 * s_block));
    ASSERT_EQ(m_source.pulled.size(), 2);
    FillAll();
    ASSERT_EQ(m_network.Calls().size(), 2);
    m_network.Deliver(0);
    Pass(9);
    EXPECT_EQ(m_source.pulled.size(), 2);
    Pass(2); // 10 ms after the delivery
    EXPECT_EQ(m_source.pulled.size(), 3);
}

TEST_F(WanRelayTest, HandsBlocksOverInTheirOrder)
{
    m_relay.Add(Bytes::Of(s_block + 500));
    FillAll();
    m_network.Deliver(1);
    EXPECT_TRUE(m_sink.pushed.empty());
    EXPECT_EQ(m_relay.Wait(), "waits for block 0 to come over the WAN");
    m_network.Deliver(0);
    ASSERT_EQ(m_sink.pushed.size(), 2);
    EXPECT_EQ(m_sink.pushed[0].first, Bytes::Of(s_block));
    EXPECT_EQ(m_sink.pushed[1].first, Bytes::Of(500));
    EXPECT_EQ(m_relay.Wait(), "");
}

TEST_F(WanRelayTest, SendsNothingThatTheSecondBufferCannotHold)
{
    m_relay.Add(Bytes::Of(3 * s_block));
    FillAll();
    m_network.Deliver(0);
    m_network.Deliver(1);
    Pass(10);
    FillAll();
    // Both blocks are behind the WAN, and nobody there has taken them.
    EXPECT_EQ(m_network.Calls().size(), 2);
    EXPECT_EQ(m_relay.Wait(), "waits for room behind the WAN for block 2");
    m_sink.pushed[0].second();
    Pass(9);
    EXPECT_EQ(m_network.Calls().size(), 2);
    Pass(2); // its room is known 10 ms later
    EXPECT_EQ(m_network.Calls().size(), 3);
}

TEST_F(WanRelayTest, TellsWhyAMessageFailed)
{
    m_relay.Add(Bytes::Of(s_block));
    FillAll();
    m_network.Tell(0, TransferEvent::Kind::Failed);
    EXPECT_EQ(m_failure, "reset");
}

} // namespace
} // namespace geotrain
