// SPDX-License-Identifier: GPL-2.0-only
// A switch sends what it has kept at its own ticks, which begin with the first heartbeat after a
// silence. Times are milliseconds, an interval is 10.
#include "in-network-optimizer/helper/heartbeat-path.h"

#include <gtest/gtest.h>

namespace ns3
{
namespace
{

constexpr double tick = 10e-3; // s

class HeartbeatPathTest : public testing::Test
{
  protected:
    HeartbeatPathTest()
    {
        m_path.Watch(m_heartbeats);
    }

    /// Gives a receiver a buffer at `ms`.
    void Post(double ms)
    {
        const bool isFirst = m_heartbeats.IsSilent(ms * 1e-3);
        m_heartbeats.Post(ms * 1e-3);
        if (isFirst)
        {
            m_path.Begin(ms * 1e-3, m_inNic, 0);
        }
    }

    double HeardMs(double ms) const
    {
        return m_path.Heard(ms * 1e-3, 0) * 1e3;
    }

    HeartbeatPhase m_heartbeats{tick};
    HeartbeatPath m_path{tick, {1e-3, 2e-3}}; ///< 1 ms to the switch, 2 ms to the server
    double m_inNic = 0;
};

TEST_F(HeartbeatPathTest, AHeartbeatThatComesAtATickIsTooLateForIt)
{
    Post(0); // the switch ticks at 11, 21, 31 ms
    EXPECT_DOUBLE_EQ(HeardMs(0), 13);
    EXPECT_DOUBLE_EQ(HeardMs(10), 23);
    EXPECT_DOUBLE_EQ(HeardMs(20), 33);
}

TEST_F(HeartbeatPathTest, AFirstHeartbeatBehindDataMakesTheOthersEarly)
{
    m_inNic = 3e-3;
    Post(0); // it comes at 4 ms, and the switch ticks at 14, 24 ms
    EXPECT_DOUBLE_EQ(HeardMs(10), 16);
}

TEST_F(HeartbeatPathTest, ASwitchKeepsItsTicksForThreeOfThemAfterTheLastHeartbeat)
{
    Post(0);
    m_heartbeats.Fill(5e-3); // the last one goes at 10 ms, comes at 11, and is sent on at 21 ms
    Post(39);                // it comes at 40 ms; the switch ticks until 41 ms
    EXPECT_DOUBLE_EQ(HeardMs(39), 43);
}

TEST_F(HeartbeatPathTest, ASwitchThatWasSilentBeginsAnew)
{
    Post(0);
    m_heartbeats.Fill(5e-3);
    Post(45); // it comes at 46 ms
    EXPECT_DOUBLE_EQ(HeardMs(45), 58);
}

TEST_F(HeartbeatPathTest, StreamsShareTheTicksOfASwitch)
{
    HeartbeatPhase other(tick);
    m_path.Watch(other);
    Post(0);
    m_heartbeats.Fill(5e-3);
    other.Post(18e-3); // it comes at 19 ms, before the tick of 21 ms
    m_path.Begin(18e-3, 0, 0);
    EXPECT_DOUBLE_EQ(HeardMs(18), 23);
}

TEST(HeartbeatPathLevelsTest, EachLevelKeepsHeartbeatsForItsOwnTicks)
{
    // 1 ms to the first level, 2 ms to the second and 3 ms to the server.
    HeartbeatPath path(tick, {1e-3, 2e-3, 3e-3});
    path.Begin(0, 0, 0);
    // The first level ticks at 11 and 21 ms. The second one has news at 13 ms, and ticks at 23 ms.
    EXPECT_DOUBLE_EQ(path.Heard(0, 0) * 1e3, 26);
    EXPECT_DOUBLE_EQ(path.Heard(9e-3, 0) * 1e3, 26);
    EXPECT_DOUBLE_EQ(path.Heard(10e-3, 0) * 1e3, 36);
}

} // namespace
} // namespace ns3
