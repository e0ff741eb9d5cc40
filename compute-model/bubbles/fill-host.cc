#include "bubbles/fill-host.h"

#include <stdexcept>
#include <utility>

namespace geotrain
{

FillHost::FillHost(Clock& clock, BubbleForecast& forecast, std::vector<FillObserver*> observers)
    : m_clock(clock),
      m_forecast(forecast),
      m_observers(std::move(observers)),
      m_gpus(forecast.Workers())
{
}

void
FillHost::Add(Filler& filler)
{
    m_fillers.push_back(&filler);
}

void
FillHost::Begin()
{
    for (WorkerIndex worker = 0; worker < m_gpus.size(); ++worker)
    {
        const auto bubbles = m_forecast.Next(worker);
        for (Filler* filler : m_fillers)
        {
            filler->OnForecast(worker, bubbles);
        }
    }
    // An event behind this one comes after those that begin training.
    m_clock.Schedule(m_clock.Now(),
                     [this]
                     {
                         for (WorkerIndex worker = 0; worker < m_gpus.size(); ++worker)
                         {
                             OfferSoon(worker);
                         }
                     });
}

void
FillHost::Start(Filler& filler, const FillWork& work)
{
    if (!IsFree(work.worker))
    {
        throw std::logic_error("fill work must start on a worker that is free");
    }
    Gpu& gpu = m_gpus[work.worker];
    const Instant now = m_clock.Now();
    const auto end =
        m_clock.Schedule(now + work.length, [this, worker = work.worker] { End(worker, false); });
    gpu.fill = Running{&filler, work, now, end};
}

void
FillHost::Stop(WorkerIndex worker)
{
    if (m_gpus[worker].fill)
    {
        End(worker, true);
    }
}

bool
FillHost::IsFree(WorkerIndex worker) const
{
    return !m_gpus[worker].isTraining && !m_gpus[worker].fill;
}

bool
FillHost::IsTraining(WorkerIndex worker) const
{
    return m_gpus[worker].isTraining;
}

Clock&
FillHost::GetClock() const
{
    return m_clock;
}

BubbleForecast&
FillHost::Forecast() const
{
    return m_forecast;
}

Duration
FillHost::HoldOf(WorkerIndex worker)
{
    Gpu& gpu = m_gpus[worker];
    if (!gpu.fill)
    {
        return Duration();
    }
    const Instant now = m_clock.Now();
    gpu.isTraining = true;
    Duration held = gpu.fill->filler->HoldTraining(gpu.fill->work, gpu.fill->start, now);
    if (!(held > Duration()))
    {
        held = gpu.fill->filler->PreemptionCost(gpu.fill->work);
        End(worker, true);
    }
    if (held > Duration())
    {
        for (FillObserver* observer : m_observers)
        {
            observer->TrainingHeld(worker, now, held);
        }
    }
    return held;
}

void
FillHost::InstructionStarted(WorkerIndex worker, std::uint32_t, const Instruction&, Instant start)
{
    m_gpus[worker].isTraining = true;
    if (m_gpus[worker].fill)
    {
        End(worker, true);
    }
    for (Filler* filler : m_fillers)
    {
        filler->OnBusy(worker, m_forecast.PositionOf(worker), start);
    }
}

void
FillHost::InstructionEnded(
    WorkerIndex worker, std::uint32_t, const Instruction& instruction, Instant start, Instant end)
{
    m_gpus[worker].isTraining = false;
    if (m_forecast.Ended(worker, instruction, start, end))
    {
        const auto bubbles = m_forecast.Next(worker);
        for (Filler* filler : m_fillers)
        {
            filler->OnForecast(worker, bubbles);
        }
    }
    OfferSoon(worker);
}

/// After everything else of this instant that is known now.
void
FillHost::OfferSoon(WorkerIndex worker)
{
    if (!m_gpus[worker].isAsked)
    {
        m_gpus[worker].isAsked = true;
        m_clock.Schedule(m_clock.Now(),
                         [this, worker]
                         {
                             m_gpus[worker].isAsked = false;
                             Offer(worker);
                         });
    }
}

void
FillHost::Offer(WorkerIndex worker)
{
    for (Filler* filler : m_fillers)
    {
        if (IsFree(worker))
        {
            filler->OnIdle(worker, m_clock.Now());
        }
    }
}

void
FillHost::End(WorkerIndex worker, bool isPreempted)
{
    const Running running = *m_gpus[worker].fill;
    m_gpus[worker].fill.reset();
    m_clock.Cancel(running.end);
    const FillEnd end{running.start, m_clock.Now(), isPreempted};
    const FillYield yield = running.filler->OnEnd(running.work, end);
    for (FillObserver* observer : m_observers)
    {
        observer->FillEnded(running.work, end, yield);
    }
    if (IsFree(worker))
    {
        OfferSoon(worker);
    }
}

} // namespace geotrain
