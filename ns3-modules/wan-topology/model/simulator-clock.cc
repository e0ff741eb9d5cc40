// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/simulator-clock.h"

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

SimulatorClock::Slot::Slot(SimulatorClock& ofClock, std::uint32_t itsNumber)
    : clock(ofClock),
      number(itsNumber),
      event(Create<ReusableEvent<Slot, &Slot::Happen>>(this))
{
}

void
SimulatorClock::Slot::Happen()
{
    clock.Execute(*this);
}

SimulatorClock::~SimulatorClock()
{
    for (Slot& slot : m_slots)
    {
        slot.event->Detach();
    }
}

void
SimulatorClock::StartAtZero()
{
    NS_ABORT_MSG_IF(m_pending > 0, "the clock can't be set while events are pending on it");
    m_originNs = NowNs();
}

geotrain::Instant
SimulatorClock::Now() const
{
    return geotrain::Instant::FromNanoseconds(NowNs() - m_originNs);
}

geotrain::Clock::EventNumber
SimulatorClock::Schedule(geotrain::Instant at, Callback callback)
{
    const geotrain::Instant now = Now();
    NS_ABORT_MSG_IF(at < now, "an event can't be scheduled in the past");
    if (m_freeSlots.empty())
    {
        const auto number = static_cast<std::uint32_t>(m_slots.size());
        m_slots.emplace_back(*this, number);
        m_freeSlots.push_back(number);
    }
    Slot& slot = m_slots[m_freeSlots.back()];
    m_freeSlots.pop_back();
    ++m_pending;
    slot.callback = std::move(callback);
    slot.event->ScheduleIn((at - now).ToNanoseconds());
    return EventNumber{slot.generation} << 32 | slot.number;
}

void
SimulatorClock::Cancel(EventNumber event)
{
    const auto number = static_cast<std::uint32_t>(event);
    if (number < m_slots.size() && m_slots[number].generation == event >> 32)
    {
        Forget(m_slots[number]);
    }
}

/// Takes the callback out of a slot, which is free when its event has happened.
void
SimulatorClock::Forget(Slot& slot)
{
    slot.callback = nullptr;
    ++slot.generation;
    --m_pending;
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
SimulatorClock::Execute(Slot& slot)
{
    if (!slot.callback)
    {
        m_freeSlots.push_back(slot.number);
        return;
    }
    if (m_deadline < Now())
    {
        // The stop is due at this very instant, but was scheduled later than this event.
        slot.event->ScheduleIn(0);
        return;
    }
    const Callback callback = std::move(slot.callback);
    Forget(slot);
    m_freeSlots.push_back(slot.number);
    callback();
    EndRunIfOver();
}

} // namespace ns3
