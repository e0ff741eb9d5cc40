// SPDX-License-Identifier: GPL-2.0-only
// Brings training and its fillers together on the GPUs. It watches the executor, keeps the
// forecast, and has a queue of fill work for each worker. What is first there runs whenever its GPU
// is idle, one thing per GPU at a time. Training comes first: work on a worker whose next
// instruction is ready ends the kernel in progress, which training waits for and which is counted,
// and goes on afterwards. Work for which nobody waits yields to work for which someone does alike.
// Of what happens at one instant, training is served first.
#pragma once

#include "filling/bubble-forecast.h"
#include "filling/bubble-instructions.h"
#include "filling/filler.h"
#include "execution/clock.h"
#include "execution/execution-observer.h"

#include <map>
#include <optional>
#include <vector>

namespace geotrain
{

/// FillHost owns what runs on the GPUs beside training.
class FillHost : public ExecutionObserver
{
  public:
    /// All references must outlive the host.
    FillHost(Clock& clock, BubbleForecast& forecast, std::vector<FillObserver*> observers);

    /// Inserts Bubble instructions into the streams of `plan` and keeps them equal to the forecast.
    /// Call it before Begin(), and before the plan's executor is made.
    void MarkBubbles(ExecutionPlan& plan);

    /// Adds a filler. Call it before Begin().
    void Add(Filler& filler);

    /// Tells the fillers the first forecast, and starts what they have on workers that are idle once
    /// training has begun at this instant. Call it before Executor::Run.
    void Begin();

    /// Puts work into the queue of its worker, until it is removed. A rank is one work's.
    void Queue(Filler& filler, WorkRank rank, const FillWork& work);
    void Remove(WorkerIndex worker, WorkRank rank);

    /// Starts what is ready for the GPUs of `worker` that are idle: at once, or after everything else of
    /// this instant that is known by then.
    void StartReady(WorkerIndex worker);
    void StartSoon(WorkerIndex worker);

    /// Ends all fill work on the worker, as if training had come.
    void Stop(WorkerIndex worker);

    Clock& GetClock() const;
    BubbleForecast& Forecast() const;

    /// Returns the Bubble instructions of the iteration that `worker` is in; none without
    /// MarkBubbles().
    std::vector<Bubble> MarkedBubbles(WorkerIndex worker) const;

    /// Returns how long a ready instruction of `worker` has to wait; ExecutorOptions::holdOf calls
    /// it.
    Duration HoldOf(WorkerIndex worker);

    void InstructionStarted(WorkerIndex worker,
                            std::uint32_t iteration,
                            const Instruction& instruction,
                            Instant start) override;
    void InstructionEnded(WorkerIndex worker,
                          std::uint32_t iteration,
                          const Instruction& instruction,
                          Instant start,
                          Instant end) override;

  private:
    struct Running
    {
        Filler* filler = nullptr;
        FillWork work;
        Instant start;
        Clock::EventNumber end = 0;
        std::optional<Duration> computes; ///< until when, where training waits for a kernel
    };

    struct Queued
    {
        Filler* filler = nullptr;
        FillWork work;
    };

    /// Gpus are the GPUs of one worker.
    struct Gpus
    {
        std::map<WorkRank, Queued> ready; ///< what runs stays here
        std::vector<Running> fills;       ///< in the order in which they started
        bool isTraining = false;
        bool isAsked = false; ///< an event that starts what is ready is scheduled
    };

    void Foretell(WorkerIndex worker);
    bool IsFree(WorkerIndex worker, std::optional<std::uint32_t> gpu) const;
    void Start(Filler& filler, const FillWork& work);
    void YieldSoon(const Running& running);
    void End(WorkerIndex worker, std::optional<std::uint32_t> gpu, bool isPreempted);

    Clock& m_clock;
    BubbleForecast& m_forecast;
    std::vector<FillObserver*> m_observers;
    std::optional<BubbleInstructions> m_instructions;
    std::vector<Filler*> m_fillers;
    std::vector<Gpus> m_gpus; ///< by worker
};

} // namespace geotrain
