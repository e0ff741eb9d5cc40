// SPDX-License-Identifier: GPL-2.0-only
#include "filling/fill-host.h"

#include <algorithm>
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
FillHost::MarkBubbles(ExecutionPlan& plan)
{
    m_instructions.emplace(plan);
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
        Foretell(worker);
    }
    // An event that is scheduled here comes after those that begin training.
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
    if (!IsFree(work.worker, work.gpu))
    {
        throw std::logic_error("fill work must start on GPUs that are free");
    }
    const Instant now = m_clock.Now();
    const auto end =
        m_clock.Schedule(now + work.length,
                         [this, worker = work.worker, gpu = work.gpu] { End(worker, gpu, false); });
    m_gpus[work.worker].fills.push_back({&filler, work, now, end});
}

void
FillHost::Stop(WorkerIndex worker)
{
    while (!m_gpus[worker].fills.empty())
    {
        End(worker, m_gpus[worker].fills.front().work.gpu, true);
    }
}

bool
FillHost::IsFree(WorkerIndex worker, std::optional<std::uint32_t> gpu) const
{
    const Gpus& gpus = m_gpus[worker];
    return !gpus.isTraining &&
           std::none_of(gpus.fills.begin(),
                        gpus.fills.end(),
                        [gpu](const Running& running)
                        { return !gpu || !running.work.gpu || running.work.gpu == gpu; });
}

std::vector<StreamBubble>
FillHost::MarkedBubbles(WorkerIndex worker) const
{
    return m_instructions ? m_instructions->Read(
                                worker, m_forecast.IterationOf(worker), m_forecast.BeganOf(worker))
                          : std::vector<StreamBubble>();
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
    Gpus& gpus = m_gpus[worker];
    if (gpus.fills.empty())
    {
        return Duration();
    }
    const Instant now = m_clock.Now();
    gpus.isTraining = true;
    TrainingWait held; // longest over the GPUs, since the worker works in step
    for (const Running& running : std::vector<Running>(gpus.fills))
    {
        const TrainingWait wait = running.filler->WaitFor(running.work, running.start, now);
        if (!(wait.work > Duration()))
        {
            End(worker, running.work.gpu, true);
        }
        held = held.Sum() < wait.Sum() ? wait : held;
    }
    if (held.Sum() > Duration())
    {
        for (FillObserver* observer : m_observers)
        {
            observer->TrainingHeld(worker, now, held);
        }
    }
    return held.Sum();
}

void
FillHost::InstructionStarted(WorkerIndex worker, std::uint32_t, const Instruction&, Instant start)
{
    m_gpus[worker].isTraining = true;
    Stop(worker);
    for (Filler* filler : m_fillers)
    {
        filler->OnBusy(worker, m_forecast.PositionOf(worker), start);
    }
    if (m_forecast.Started(worker, start))
    {
        Foretell(worker);
    }
}

void
FillHost::InstructionEnded(
    WorkerIndex worker, std::uint32_t, const Instruction& instruction, Instant start, Instant end)
{
    m_gpus[worker].isTraining = false;
    if (m_forecast.Ended(worker, instruction, start, end))
    {
        Foretell(worker);
    }
    OfferSoon(worker);
}

/// Passes the forecast on to the stream and to the fillers.
void
FillHost::Foretell(WorkerIndex worker)
{
    const auto bubbles = m_forecast.Next(worker);
    if (m_instructions)
    {
        m_instructions->Write(
            worker, m_forecast.IterationOf(worker), m_forecast.BeganOf(worker), bubbles);
    }
    for (Filler* filler : m_fillers)
    {
        filler->OnForecast(worker, bubbles);
    }
}

/// Offers the worker after everything else of this instant that is known by then.
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
        const Gpus& gpus = m_gpus[worker];
        const bool isFull = !gpus.fills.empty() && !gpus.fills.front().work.gpu;
        if (!gpus.isTraining && !isFull)
        {
            filler->OnIdle(worker, m_clock.Now());
        }
    }
}

void
FillHost::End(WorkerIndex worker, std::optional<std::uint32_t> gpu, bool isPreempted)
{
    auto& fills = m_gpus[worker].fills;
    const auto ended =
        std::find_if(fills.begin(),
                     fills.end(),
                     [gpu](const Running& running) { return running.work.gpu == gpu; });
    const Running running = *ended;
    fills.erase(ended);
    m_clock.Cancel(running.end);
    const FillEnd end{running.start, m_clock.Now(), isPreempted};
    const FillYield yield = running.filler->OnEnd(running.work, end);
    for (FillObserver* observer : m_observers)
    {
        observer->FillEnded(running.work, end, yield);
    }
    if (!m_gpus[worker].isTraining)
    {
        OfferSoon(worker);
    }
}

} // namespace geotrain
