// SPDX-License-Identifier: GPL-2.0-only
// SimulatorClock keeps the Clock's contract over ns-3's Simulator.
#include "network-fixture.h"

#include "wan-topology/model/simulator-clock.h"

namespace ns3
{
namespace
{

using geotrain::Instant;

class ClockTest : public testing::Test
{
  protected:
    void TearDown() override
    {
        Simulator::Destroy();
    }

    void Note(std::int64_t at, const std::string& name)
    {
        clock.Schedule(Instant::FromNanoseconds(at), [this, name] { log += name; });
    }

    SimulatorClock clock;
    std::string log;
};

TEST_F(ClockTest, EventsOfAnInstantRunInTheOrderOfScheduling)
{
    Note(5, "b");
    Note(5, "c");
    Note(1, "a");
    clock.Run(Instant::Never());
    EXPECT_EQ(log, "abc");
    EXPECT_EQ(clock.Now(), Instant::FromNanoseconds(5));
}

TEST_F(ClockTest, EventsAtTheDeadlineRunAndLaterOnesWait)
{
    Note(10, "a");
    Note(11, "b");
    Note(11, "c");
    Note(12, "d");
    clock.Run(Instant::FromNanoseconds(10));
    EXPECT_EQ(log, "a");
    clock.Run(Instant::Never());
    EXPECT_EQ(log, "abcd");
}

TEST_F(ClockTest, CancelledEventDoesNotRun)
{
    const auto event = clock.Schedule(Instant::FromNanoseconds(1), [this] { log += "x"; });
    clock.Cancel(event);
    clock.Cancel(event);
    clock.Run(Instant::Never());
    EXPECT_EQ(log, "");
}

TEST_F(ClockTest, ARunEndsAfterTheEventThatMakesItsPredicateHold)
{
    Note(1, "a");
    Note(1, "b");
    clock.RunUntil([this] { return log == "a"; }, Instant::Never());
    EXPECT_EQ(log, "a");
    clock.RunUntil([] { return true; }, Instant::Never());
    EXPECT_EQ(log, "a");
    clock.Run(Instant::Never());
    EXPECT_EQ(log, "ab");
}

TEST_F(ClockTest, OriginMovesToThePresent)
{
    Note(7, "a");
    clock.Run(Instant::Never());
    clock.StartAtZero();
    EXPECT_EQ(clock.Now(), Instant());
}

} // namespace
} // namespace ns3
