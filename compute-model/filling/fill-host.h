// SPDX-License-Identifier: GPL-2.0-only
// Brings training and its fillers together on the GPUs. It watches the executor, keeps the
// forecast, tells the fillers of idle workers, and runs their work, one piece per GPU at a time.
// Training comes first: work on a worker whose next instruction is ready is stopped at that
// instant, unless its filler holds training back, which is counted. Of what happens at one instant,
// training is served first.
#pragma once

#include "filling/bubble-forecast.h"
#include "filling/bubble-instructions.h"
#include "filling/filler.h"
#include "execution/clock.h"
#include "execution/execution-observer.h"

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

    /// Adds a filler. Idle workers are offered to the fillers in the order of these calls. Call it
    /// before Begin().
    void Add(Filler& filler);

    /// Tells the fillers the first forecast, and which workers are idle once training has begun at
    /// this instant. Call it before Executor::Run.
    void Begin();

    /// Starts work on GPUs that are idle and free of fill work (IsFree). Throws std::logic_error
    /// where they are not.
    void Start(Filler& filler, const FillWork& work);

    /// Ends all fill work on the worker, as if training had come.
    void Stop(WorkerIndex worker);

    /// Returns whether neither training nor fill work is on the GPU; without `gpu`, on any GPU of
    /// the worker.
    bool IsFree(WorkerIndex worker, std::optional<std::uint32_t> gpu = std::nullopt) const;

    Clock& GetClock() const;
    BubbleForecast& Forecast() const;

    /// Returns the Bubble instructions of the iteration that `worker` is in; none without
    /// MarkBubbles().
    std::vector<StreamBubble> MarkedBubbles(WorkerIndex worker) const;

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
    };

    /// Gpus are the GPUs of one worker.
    struct Gpus
    {
        std::vector<Running> fills; ///< in the order in which they started
        bool isTraining = false;
        bool isAsked = false; ///< an event that offers it to the fillers is scheduled
    };

    void Foretell(WorkerIndex worker);
    void Offer(WorkerIndex worker);
    void OfferSoon(WorkerIndex worker);
    void End(WorkerIndex worker, std::optional<std::uint32_t> gpu, bool isPreempted);

    Clock& m_clock;
    BubbleForecast& m_forecast;
    std::vector<FillObserver*> m_observers;
    std::optional<BubbleInstructions> m_instructions;
    std::vector<Filler*> m_fillers;
    std::vector<Gpus> m_gpus; ///< by worker
};

} // namespace geotrain
