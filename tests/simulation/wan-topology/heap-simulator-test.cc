// SPDX-License-Identifier: GPL-2.0-only
// HeapSimulatorImpl runs the events of one site at the same times in the same order as ns-3's
// DefaultSimulatorImpl, and those of several in an order that does not depend on how they mix.
#include "wan-topology/model/reusable-event.h"

#include <gtest/gtest.h>

#include <ns3/global-value.h>
#include <ns3/string.h>

#include <algorithm>
#include <map>
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

/// RandomEvents are events of one site that schedule, cancel and remove others at random, with many
/// ties.
class RandomEvents
{
  public:
    explicit RandomEvents(std::uint32_t seed)
        : m_random(seed)
    {
    }

    Happened Run()
    {
        Simulator::ScheduleWithContext(7, Time(0), &RandomEvents::Begin, this);
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

    void Begin()
    {
        for (int i = 0; i < 20; ++i)
        {
            ScheduleOne();
        }
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

TEST(HeapSimulator, EventsOfOneSiteHappenAsInTheDefaultSimulator)
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

TEST(HeapSimulator, SimultaneousEventsHappenBySiteAndThenInItsOrder)
{
    Use("geotrain::HeapSimulatorImpl");
    std::vector<int> happened;
    int number = 0;
    for (const std::uint32_t site :
         std::vector<std::uint32_t>{2, 9, Simulator::NO_CONTEXT, 2, 0, 9, 0})
    {
        const AtSite at(site);
        Simulator::Schedule(NanoSeconds(1), [&happened, number] { happened.push_back(number); });
        // The site that schedules counts, not the one where it happens.
        Simulator::ScheduleWithContext(
            3, NanoSeconds(1), [&happened, number] { happened.push_back(10 + number); });
        ++number;
    }
    Simulator::Run();
    EXPECT_EQ(happened, (std::vector<int>{2, 12, 4, 14, 6, 16, 0, 10, 3, 13, 1, 11, 5, 15}));
    Simulator::Destroy();
}

/// SiteEvents are events of several sites, each of which draws from a stream of its own. They
/// schedule others at their own site at once, and at any site after at least 1 ns.
class SiteEvents
{
  public:
    /// Begins at the sites in the order of `sites`.
    std::vector<std::string> Run(const std::vector<std::uint32_t>& sites)
    {
        Use("geotrain::HeapSimulatorImpl");
        for (int i = 0; i < 5; ++i)
        {
            for (const std::uint32_t site : sites)
            {
                const AtSite at(site);
                Simulator::Schedule(NanoSeconds(Draw(site) % 3), &SiteEvents::Happen, this);
            }
        }
        Simulator::Run();
        Simulator::Destroy();
        return m_happened;
    }

  private:
    static constexpr std::uint32_t s_sites = 6;

    std::uint32_t Draw(std::uint32_t site)
    {
        return static_cast<std::uint32_t>(m_random.try_emplace(site, site).first->second());
    }

    void Happen()
    {
        const std::uint32_t site = Simulator::GetContext();
        const std::uint32_t draw = Draw(site);
        m_happened.push_back(std::to_string(Simulator::Now().GetTimeStep()) + " ns: site " +
                             std::to_string(site) + " draws " + std::to_string(draw));
        for (std::uint32_t i = draw % 3; i > 0 && m_happened.size() < 5000; --i)
        {
            Simulator::Schedule(NanoSeconds(Draw(site) % 3), &SiteEvents::Happen, this);
            const std::uint32_t other = Draw(site) % s_sites;
            const Time later = NanoSeconds(1 + Draw(site) % 3);
            Simulator::ScheduleWithContext(other, later, &SiteEvents::Happen, this);
        }
    }

    std::map<std::uint32_t, std::mt19937> m_random; ///< by site
    std::vector<std::string> m_happened;
};

TEST(HeapSimulator, HowTheEventsOfSitesMixChangesNothing)
{
    const std::vector<std::string> expected = SiteEvents().Run({0, 1, 2, 3, 4, 5});
    EXPECT_GT(expected.size(), 4000U); // or the test has shown nothing
    EXPECT_EQ(SiteEvents().Run({5, 4, 3, 2, 1, 0}), expected);
    EXPECT_EQ(SiteEvents().Run({3, 0, 5, 1, 4, 2}), expected);
}

TEST(HeapSimulator, AnEventForNowOfAnEarlierSiteIsPendingUntilItHappens)
{
    Use("geotrain::HeapSimulatorImpl");
    std::vector<bool> expired;
    EventId next;
    EventId removed;
    const auto inner = [&]
    {
        next = Simulator::ScheduleNow([&] { expired.push_back(next.IsExpired()); });
        removed = Simulator::ScheduleNow([&] { expired.push_back(true); });
        expired.push_back(next.IsExpired());
        Simulator::Remove(removed);
    };
    const auto outer = [&] { Simulator::ScheduleWithContext(1, NanoSeconds(1), inner); };
    Simulator::ScheduleWithContext(5, NanoSeconds(1), outer);
    Simulator::Run();
    EXPECT_EQ(expired, (std::vector<bool>{false, true}));
    EXPECT_TRUE(removed.IsExpired());
    Simulator::Destroy();
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
