// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/simulator-clock.h"

#include "wan-topology/model/heap-simulator-impl.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3
{

namespace
{

// These describe the run in progress. ns-3 has one simulator per process, which all clocks share.
const geotrain::Clock::Predicate* isRunOver = nullptr;
bool isRunning = false;

void
StopSimulator()
{
    Simulator::Stop();
}

} // namespace

SimulatorClock::~SimulatorClock()
{
    for (auto& pending : m_pending)
    {
        pending.second.event.Cancel();
    }
}

void
SimulatorClock::StartAtZero()
{
    NS_ABORT_MSG_IF(!m_pending.empty(), "the clock can't be set while events are pending on it");
    m_origin = Simulator::Now();
}

geotrain::Instant
SimulatorClock::Now() const
{
    return geotrain::Instant::FromNanoseconds((Simulator::Now() - m_origin).GetNanoSeconds());
}

geotrain::Clock::EventNumber
SimulatorClock::Schedule(geotrain::Instant at, Callback callback)
{
    NS_ABORT_MSG_IF(at < Now(), "an event can't be scheduled in the past");
    const EventNumber number = ++m_last;
    Pending& pending = m_pending[number];
    pending.callback = std::move(callback);
    pending.event = Simulator::Schedule(
        NanoSeconds((at - Now()).ToNanoseconds()), &SimulatorClock::Execute, this, number);
    return number;
}

void
SimulatorClock::Cancel(EventNumber event)
{
    const auto found = m_pending.find(event);
    if (found != m_pending.end())
    {
        found->second.event.Cancel();
        m_pending.erase(found);
    }
}

void
SimulatorClock::RunUntil(const Predicate& isOver, geotrain::Instant deadline)
{
    if (isOver && isOver())
    {
        return;
    }
    EventId stop;
    isRunOver = isOver ? &isOver : nullptr;
    m_deadline = deadline;
    if (deadline != geotrain::Instant::Never())
    {
        NS_ABORT_MSG_IF(deadline < Now(), "the deadline lies in the past");
        stop = Simulator::Schedule(NanoSeconds((deadline - Now()).ToNanoseconds() + 1),
                                   &StopSimulator);
    }
    isRunning = true;
    Simulator::Run();
    isRunning = false;
    stop.Cancel();
    isRunOver = nullptr;
    m_deadline = geotrain::Instant::Never();
}

void
SimulatorClock::SetWatch(Predicate watch)
{
    if (auto* simulator = HeapSimulatorImpl::InUse())
    {
        simulator->SetWatch(std::move(watch));
    }
}

bool
SimulatorClock::WasEndedByWatch()
{
    const auto* simulator = HeapSimulatorImpl::InUse();
    return simulator != nullptr && simulator->WasEndedByWatch();
}

void
SimulatorClock::EndRunIfOver()
{
    if (isRunOver != nullptr && (*isRunOver)())
    {
        Simulator::Stop();
    }
}

bool
SimulatorClock::IsRunning()
{
    return isRunning;
}

void
SimulatorClock::Execute(EventNumber event)
{
    if (m_deadline < Now())
    {
        // The stop is due at this very instant, but was scheduled later than this event.
        m_pending[event].event = Simulator::ScheduleNow(&SimulatorClock::Execute, this, event);
        return;
    }
    auto node = m_pending.extract(event);
    node.mapped().callback();
    EndRunIfOver();
}

} // namespace ns3
