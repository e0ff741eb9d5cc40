// SPDX-License-Identifier: GPL-2.0-only
#include "live-wan/model/wall-clock-simulator-impl.h"

#include <ns3/abort.h>
#include <ns3/global-value.h>
#include <ns3/string.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <sys/epoll.h>
#include <unistd.h>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(WallClockSimulatorImpl);

namespace
{

constexpr std::int64_t LONGEST_SLEEP_NS = 100000000; ///< between two questions of Run()

std::int64_t
MonotonicTimeNs()
{
    timespec now = {};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t(now.tv_sec) * 1000000000 + now.tv_nsec;
}

} // namespace

TypeId
WallClockSimulatorImpl::GetTypeId()
{
    static TypeId id = TypeId("geotrain::WallClockSimulatorImpl")
                           .SetParent<HeapSimulatorImpl>()
                           .SetGroupName("LiveWan")
                           .AddConstructor<WallClockSimulatorImpl>();
    return id;
}

WallClockSimulatorImpl::WallClockSimulatorImpl()
    : m_poll(epoll_create1(EPOLL_CLOEXEC))
{
}

WallClockSimulatorImpl::~WallClockSimulatorImpl()
{
    close(m_poll);
}

WallClockSimulatorImpl&
WallClockSimulatorImpl::InUse()
{
    Simulator::Now(); // makes the simulator
    auto* simulator = dynamic_cast<WallClockSimulatorImpl*>(HeapSimulatorImpl::InUse());
    NS_ABORT_MSG_IF(!simulator, "the simulator does not follow the wall clock");
    return *simulator;
}

void
WallClockSimulatorImpl::WatchDescriptor(int descriptor, std::function<void()> onReadable)
{
    m_watched[descriptor] = std::move(onReadable);
    epoll_event event = {};
    event.events = EPOLLIN;
    event.data.fd = descriptor;
    NS_ABORT_MSG_IF(epoll_ctl(m_poll, EPOLL_CTL_ADD, descriptor, &event) != 0,
                    "a descriptor can't be watched");
}

void
WallClockSimulatorImpl::ForgetDescriptor(int descriptor)
{
    epoll_ctl(m_poll, EPOLL_CTL_DEL, descriptor, nullptr);
    m_watched.erase(descriptor);
}

void
WallClockSimulatorImpl::SetExpectsMore(std::function<bool()> expectsMore)
{
    m_expectsMore = std::move(expectsMore);
}

const Lateness&
WallClockSimulatorImpl::EventLateness() const
{
    return m_lateness;
}

std::int64_t
WallClockSimulatorImpl::WallNs() const
{
    return MonotonicTimeNs() - m_originNs;
}

void
WallClockSimulatorImpl::Run()
{
    m_originNs = MonotonicTimeNs() - NowNs();
    m_isStopped = false;
    while (!m_isStopped)
    {
        const std::int64_t next = NextEventNs();
        if (next == INT64_MAX && !(m_expectsMore && m_expectsMore()))
        {
            return;
        }
        Wait(next);
        if (const std::int64_t late = WallNs() - next; late >= 0)
        {
            m_lateness.Add(late);
        }
        AskWatch(); // there may be few events, after which it is asked otherwise
        if (WasEndedByWatch())
        {
            return;
        }
        if (!m_isStopped && !RunUntil(std::max(WallNs(), NowNs())))
        {
            return;
        }
    }
}

/// Waits for `untilNs` and calls those whose descriptors are readable before.
void
WallClockSimulatorImpl::Wait(std::int64_t untilNs)
{
    std::array<epoll_event, 64> events;
    const std::int64_t wall = WallNs();
    const std::int64_t waitNs =
        std::clamp<std::int64_t>(untilNs == INT64_MAX ? LONGEST_SLEEP_NS : untilNs - wall,
                                 0,
                                 LONGEST_SLEEP_NS);
    const timespec wait = {0, static_cast<long>(waitNs)};
    const int count =
        epoll_pwait2(m_poll, events.data(), static_cast<int>(events.size()), &wait, nullptr);
    for (int i = 0; i < count && !m_isStopped; ++i)
    {
        // What a callback schedules for now comes after the events that are due before.
        if (!RunUntil(std::max(WallNs(), NowNs())))
        {
            return;
        }
        const auto watched = m_watched.find(events[static_cast<std::size_t>(i)].data.fd);
        if (watched != m_watched.end())
        {
            watched->second();
        }
    }
}

void
WallClockSimulatorImpl::Stop()
{
    m_isStopped = true;
    HeapSimulatorImpl::Stop();
}

void
UseWallClock()
{
    GlobalValue::Bind("SimulatorImplementationType",
                      StringValue(WallClockSimulatorImpl::GetTypeId().GetName()));
}

} // namespace ns3
