// SPDX-License-Identifier: GPL-2.0-only
// A stream without packets takes n / B on each line, in the order of the calls, and a latency.
#include "analytic/event-loop.h"
#include "in-network/formula-sites.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

/// Two senders and a receiver over a line of 1 GB/s, 10 us there and 30 us back.
class FormulaStreamTest : public testing::Test
{
  protected:
    std::function<void()> Note(double& seconds)
    {
        return [this, &seconds] { seconds = (m_clock.Now() - Instant()).ToSeconds(); };
    }

    EventLoop m_clock;
    FormulaLine m_line{1e9, Instant()};
    FormulaStream m_stream{m_clock,
                           {Duration::Microseconds(10), Duration::Microseconds(30), {&m_line}},
                           {false, false, true}};
};

TEST_F(FormulaStreamTest, LastSenderBeginsAndSendersKnowLater)
{
    double sent = 0;
    double received = 0;
    m_stream.Give(2, Bytes::Of(1000000), Note(received));
    m_stream.Give(0, Bytes::Of(1000000), Note(sent));
    m_clock.Schedule(Instant() + Duration::Milliseconds(5),
                     [this] { m_stream.Give(1, Bytes::Of(1000000), {}); });
    m_clock.Run(Instant::Never());
    EXPECT_NEAR(received, 5e-3 + 1e-3 + 10e-6, 1e-9); // 1 MB at 1 GB/s
    EXPECT_NEAR(sent, 5e-3 + 1e-3 + 10e-6 + 30e-6, 1e-9);
}

TEST_F(FormulaStreamTest, CreditOfALateReceiverGoesBackFirst)
{
    double received = 0;
    m_stream.Give(0, Bytes::Of(1000000), {});
    m_stream.Give(1, Bytes::Of(1000000), {});
    m_stream.Give(2, Bytes::Of(1000000), Note(received));
    m_clock.Run(Instant::Never());
    EXPECT_NEAR(received, 30e-6 + 1e-3 + 10e-6, 1e-9);
}

TEST_F(FormulaStreamTest, BuffersOfUnlikeLengthsEndAtTheirOwnLastBytes)
{
    double first = 0;
    double second = 0;
    m_stream.Give(2, Bytes::Of(250000), Note(first));
    m_stream.Give(2, Bytes::Of(750000), Note(second));
    m_stream.Give(0, Bytes::Of(1000000), {});
    m_stream.Give(1, Bytes::Of(1000000), {});
    m_clock.Run(Instant::Never());
    EXPECT_NEAR(first, 0.25e-3 + 10e-6, 1e-9);
    EXPECT_NEAR(second, 1e-3 + 10e-6, 1e-9);
}

TEST_F(FormulaStreamTest, StreamsOfOneLineFollowOneAnother)
{
    FormulaStream other(m_clock, {Duration(), Duration(), {&m_line}}, {false, true});
    double received = 0;
    m_stream.Give(2, Bytes::Of(1000000), {});
    m_stream.Give(0, Bytes::Of(1000000), {});
    m_stream.Give(1, Bytes::Of(1000000), {});
    other.Give(1, Bytes::Of(1000000), Note(received));
    other.Give(0, Bytes::Of(1000000), {});
    m_clock.Run(Instant::Never());
    EXPECT_NEAR(received, 2e-3, 1e-9);
}

/// Returns the seconds in which all workers receive 10 MB from a server.
double
PullSeconds(const InNetworkClusterSettings& settings)
{
    EventLoop clock;
    FormulaSite site(clock, settings);
    double seconds = 0;
    for (std::uint32_t worker = 0; worker < settings.workers; ++worker)
    {
        site.Worker(worker, 0).Pull(Bytes::Of(10000000),
                                    [&] { seconds = (clock.Now() - Instant()).ToSeconds(); });
    }
    site.Server(0).Push(Bytes::Of(10000000), {});
    clock.Run(Instant::Never());
    return seconds;
}

TEST(FormulaSiteTest, PullTakesItsPacketsAtTheLineAndTwoLinks)
{
    InNetworkClusterSettings settings;
    settings.workers = 2;
    // 1,060 bytes for each 1,024 at 100 Gbit/s; two links of 1 us, and the last packet once more.
    const double expected = 10e6 * 1060 / 1024 / 12.5e9 + 2e-6 + 1060 / 12.5e9;
    EXPECT_NEAR(PullSeconds(settings), expected, 2e-9);
    // A server that adds sends each packet to each worker.
    settings.addsAtServer = true;
    EXPECT_NEAR(PullSeconds(settings), expected + 10e6 * 1060 / 1024 / 12.5e9, 2e-9);
}

TEST(FormulaSiteTest, WindowOfALoopBoundsTheRate)
{
    InNetworkClusterSettings settings;
    settings.workers = 2;
    settings.aggregation.window = Bytes::Of(102400);
    // There 2 us and a packet; back 2 us, two heartbeats of 75 bytes and 1.5 intervals of 10 us.
    const double packet = 1060 / 12.5e9;
    const double there = 2e-6 + packet;
    const double loop = there + 2e-6 + 2 * 75 / 12.5e9 + 15e-6 + packet;
    EXPECT_NEAR(PullSeconds(settings), 10e6 / (102400 / loop) + there, 2e-9);
}

} // namespace
} // namespace geotrain
