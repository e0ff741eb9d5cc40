// Brings training and its fillers together on the GPUs: it watches the executor, keeps the forecast, tells the
// fillers of idle workers, and runs their work, one at a time on a GPU. Training comes first: work on a
// worker whose next instruction is ready is stopped at that instant, unless its filler holds training back,
// which is counted. What happens at one instant happens to training first.
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

class FillHost : public ExecutionObserver
{
  public:
    /// All references must outlive the host.
    FillHost(Clock& clock, BubbleForecast& forecast, std::vector<FillObserver*> observers);

    /// Puts Bubble instructions into the streams of `plan` and keeps them as the forecast is. Before Begin(), and
    /// before the plan's executor is made.
    void MarkBubbles(ExecutionPlan& plan);

    /// Fillers are asked in the order of these calls. Before Begin().
    void Add(Filler& filler);

    /// Tells the fillers the first forecast, and which workers are idle once training has begun at this
    /// instant. Call it before Executor::Run.
    void Begin();

    /// Puts work on GPUs that are idle and free of fill work (IsFree). Throws std::logic_error else.
    void Start(Filler& filler, const FillWork& work);

    /// Ends all work that runs there, as if training had come.
    void Stop(WorkerIndex worker);

    /// Of training and of fill work; unset: all of its GPUs.
    bool IsFree(WorkerIndex worker, std::optional<std::uint32_t> gpu = std::nullopt) const;

    /// Whether a training instruction runs on the worker, or is held back there.
    bool IsTraining(WorkerIndex worker) const;

    Clock& GetClock() const;
    BubbleForecast& Forecast() const;

    /// The Bubble instructions of the iteration that `worker` is in; none without MarkBubbles().
    std::vector<StreamBubble> MarkedBubbles(WorkerIndex worker) const;

    /// For ExecutorOptions::holdOf.
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

    /// The GPUs of one worker.
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
