// SPDX-License-Identifier: GPL-2.0-only
// HeapSimulatorImpl runs the same events at the same times in the same order as ns-3's
// DefaultSimulatorImpl.
#include "wan-topology/model/heap-simulator-impl.h"

#include <gtest/gtest.h>

#include <ns3/global-value.h>
#include <ns3/string.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

using Happened = std::vector<std::pair<std::int64_t, int>>; // time, event

void
Use(const std::string& implementation)
{
    GlobalValue::Bind("SimulatorImplementationType", StringValue(implementation));
}

/// RandomEvents are events that schedule, cancel and remove others at random, with many ties.
class RandomEvents
{
  public:
    explicit RandomEvents(std::uint32_t seed)
        : m_random(seed)
    {
    }

    Happened Run()
    {
        for (int i = 0; i < 20; ++i)
        {
            ScheduleOne();
        }
        Simulator::Run();
        m_happened.emplace_back(Simulator::Now().GetTimeStep(),
                                -1); // removed events prolong nothing
        m_happened.emplace_back(static_cast<std::int64_t>(Simulator::GetEventCount()), -2);
        Simulator::Destroy();
        return m_happened;
    }

  private:
    std::uint32_t Below(std::uint32_t end)
    {
        return static_cast<std::uint32_t>(m_random() % end);
    }

    void ScheduleOne()
    {
        const int number = static_cast<int>(m_ids.size());
        const Time delay = NanoSeconds(Below(6));
        m_ids.emplace_back();
        switch (Below(4))
        {
        case 0:
            Simulator::ScheduleWithContext(7, delay, &RandomEvents::Happen, this, number);
            break;
        case 1:
            m_ids.back() = Simulator::ScheduleNow(&RandomEvents::Happen, this, number);
            break;
        default:
            m_ids.back() = Simulator::Schedule(delay, &RandomEvents::Happen, this, number);
            break;
        }
    }

    void Happen(int number)
    {
        m_happened.emplace_back(Simulator::Now().GetTimeStep(), number);
        m_happened.emplace_back(Simulator::GetContext(), -3);
        const EventId other = m_ids[Below(static_cast<std::uint32_t>(m_ids.size()))];
        m_happened.emplace_back(Simulator::GetDelayLeft(other).GetTimeStep(),
                                Simulator::IsExpired(other) ? 1 : 0);
        switch (Below(4))
        {
        case 0:
            Simulator::Cancel(other);
            break;
        case 1:
            Simulator::Remove(other);
            break;
        default:
            break;
        }
        for (std::uint32_t i = Below(4); i > 0 && m_ids.size() < 2000; --i)
        {
            ScheduleOne();
        }
    }

    std::mt19937 m_random;
    std::vector<EventId> m_ids;
    Happened m_happened;
};

TEST(HeapSimulator, EventsHappenAsInTheDefaultSimulator)
{
    std::size_t longest = 0;
    for (std::uint32_t seed = 1; seed <= 200; ++seed)
    {
        Use("ns3::DefaultSimulatorImpl");
        const Happened expected = RandomEvents(seed).Run();
        Use("geotrain::HeapSimulatorImpl");
        ASSERT_EQ(RandomEvents(seed).Run(), expected) << "seed " << seed;
        longest = std::max(longest, expected.size());
    }
    EXPECT_GT(longest, 2000U); // or the test has shown nothing
}

TEST(HeapSimulator, RunsOnAfterStop)
{
    Use("geotrain::HeapSimulatorImpl");
    int happened = 0;
    const auto happen = [&happened] { ++happened; };
    Simulator::Schedule(NanoSeconds(1), happen);
    Simulator::Schedule(NanoSeconds(3), happen);
    Simulator::Stop(NanoSeconds(2));
    Simulator::Run();
    EXPECT_EQ(happened, 1);
    EXPECT_EQ(Simulator::Now(), NanoSeconds(2));
    Simulator::Run();
    EXPECT_EQ(happened, 2);
    Simulator::Destroy();
}

TEST(HeapSimulator, DestroyCallsItsEventsInOrderAndDropsTheRest)
{
    Use("geotrain::HeapSimulatorImpl");
    std::vector<int> happened;
    const auto happen = [&happened](int number) { happened.push_back(number); };
    Simulator::ScheduleDestroy([&] { happen(1); });
    const EventId removed = Simulator::ScheduleDestroy([&] { happen(2); });
    Simulator::ScheduleDestroy([&] { happen(3); });
    Simulator::Schedule(NanoSeconds(1), [&] { happen(4); });
    EXPECT_FALSE(removed.IsExpired());
    Simulator::Remove(removed);
    EXPECT_TRUE(removed.IsExpired());
    Simulator::Destroy();
    EXPECT_EQ(happened, (std::vector<int>{1, 3}));
    EXPECT_EQ(HeapSimulatorImpl::InUse(), nullptr);
}

TEST(HeapSimulator, AnotherChosenImplementationStays)
{
    Use("ns3::RealtimeSimulatorImpl");
    UseHeapSimulator();
    StringValue chosen;
    GlobalValue::GetValueByName("SimulatorImplementationType", chosen);
    EXPECT_EQ(chosen.Get(), "ns3::RealtimeSimulatorImpl");
    Use("ns3::DefaultSimulatorImpl");
    UseHeapSimulator();
    GlobalValue::GetValueByName("SimulatorImplementationType", chosen);
    EXPECT_EQ(chosen.Get(), "geotrain::HeapSimulatorImpl");
}

void
CountUp(int* events, int left)
{
    ++*events;
    if (left > 0)
    {
        Simulator::Schedule(NanoSeconds(1), &CountUp, events, left - 1);
    }
}

TEST(HeapSimulator, AWatchEndsARunThatCanGoOnWithoutIt)
{
    Use("geotrain::HeapSimulatorImpl");
    int events = 0;
    int asked = 0;
    Simulator::Schedule(NanoSeconds(1), &CountUp, &events, 9999);
    ASSERT_NE(HeapSimulatorImpl::InUse(), nullptr);
    HeapSimulatorImpl::InUse()->SetWatch([&asked] { return ++asked == 2; });
    Simulator::Run();
    // It is asked after every 1,024 events, and the second answer ends the run.
    EXPECT_TRUE(HeapSimulatorImpl::InUse()->WasEndedByWatch());
    EXPECT_EQ(events, 2048);
    HeapSimulatorImpl::InUse()->SetWatch({});
    Simulator::Run();
    EXPECT_FALSE(HeapSimulatorImpl::InUse()->WasEndedByWatch());
    EXPECT_EQ(events, 10000);
    Simulator::Destroy();
}

} // namespace

} // namespace ns3
