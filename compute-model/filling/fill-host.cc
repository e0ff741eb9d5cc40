// SPDX-License-Identifier: GPL-2.0-only
#include "filling/fill-host.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

bool
IsWaitedFor(const FillWork& work)
{
    return work.kind == FillKind::Prefill && !work.isOffline;
}

} // namespace

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
                             StartSoon(worker);
                         }
                     });
}

void
FillHost::Queue(Filler& filler, WorkRank rank, const FillWork& work)
{
    Gpus& gpus = m_gpus[work.worker];
    gpus.ready[rank] = {&filler, work};
    if (!IsWaitedFor(work))
    {
        return;
    }
    for (const Running& running : gpus.fills)
    {
        if (!IsWaitedFor(running.work))
        {
            YieldSoon(running);
        }
    }
}

void
FillHost::Remove(WorkerIndex worker, WorkRank rank)
{
    m_gpus[worker].ready.erase(rank);
}

void
FillHost::Start(Filler& filler, const FillWork& work)
{
    const Instant now = m_clock.Now();
    const auto end =
        m_clock.Schedule(now + work.length,
                         [this, worker = work.worker, gpu = work.gpu] { End(worker, gpu, false); });
    m_gpus[work.worker].fills.push_back({&filler, work, now, end, std::nullopt});
}

/// Stops work at the end of its kernel, unless something else ends it first.
void
FillHost::YieldSoon(const Running& running)
{
    const Instant now = m_clock.Now();
    const Duration rest = running.filler->WaitFor(running.work, now - running.start).work;
    m_clock.Schedule(now + rest,
                     [this, worker = running.work.worker, gpu = running.work.gpu, is = running.end]
                     {
                         const auto& fills = m_gpus[worker].fills;
                         if (std::any_of(fills.begin(),
                                         fills.end(),
                                         [is](const Running& other) { return other.end == is; }))
                         {
                             End(worker, gpu, true);
                         }
                     });
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

std::vector<Bubble>
FillHost::MarkedBubbles(WorkerIndex worker) const
{
    return m_instructions ? m_instructions->Read(
                                worker, m_forecast.IterationOf(worker), m_forecast.BeganOf(worker))
                          : std::vector<Bubble>();
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
    std::vector<std::optional<std::uint32_t>> stopped;
    for (Running& running : gpus.fills)
    {
        const TrainingWait wait = running.filler->WaitFor(running.work, now - running.start);
        running.computes = now - running.start + wait.work;
        held = held.Sum() < wait.Sum() ? wait : held;
        if (!(wait.work > Duration()))
        {
            stopped.push_back(running.work.gpu);
        }
    }
    for (const auto& gpu : stopped)
    {
        End(worker, gpu, true);
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
    StartSoon(worker);
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

void
FillHost::StartSoon(WorkerIndex worker)
{
    if (!m_gpus[worker].isAsked)
    {
        m_gpus[worker].isAsked = true;
        m_clock.Schedule(m_clock.Now(),
                         [this, worker]
                         {
                             m_gpus[worker].isAsked = false;
                             StartReady(worker);
                         });
    }
}

void
FillHost::StartReady(WorkerIndex worker)
{
    Gpus& gpus = m_gpus[worker];
    if (gpus.isTraining)
    {
        return;
    }
    for (Filler* filler : m_fillers)
    {
        if (gpus.ready.empty())
        {
            filler->OnIdle(worker);
        }
    }
    for (const auto& [rank, queued] : gpus.ready)
    {
        FillWork work = queued.work;
        work.length = IsFree(worker, work.gpu) ? queued.filler->ToRun(work) : Duration();
        if (work.length > Duration())
        {
            Start(*queued.filler, work);
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
    const Duration onGpu = m_clock.Now() - running.start;
    const FillEnd end{running.start,
                      m_clock.Now(),
                      isPreempted,
                      std::min(onGpu, running.computes.value_or(onGpu))};
    const FillYield yield = running.filler->OnEnd(running.work, end);
    for (FillObserver* observer : m_observers)
    {
        observer->FillEnded(running.work, end, yield);
    }
    if (!m_gpus[worker].isTraining)
    {
        StartSoon(worker);
    }
}

} // namespace geotrain
