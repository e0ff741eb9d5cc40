// The seam between training and what fills its bubbles. A Filler is told what bubbles are expected and when
// a worker really is idle; it starts work through FillHost (fill-host.h), which keeps one thing on a GPU at a
// time and stops the work at once when a training instruction becomes ready.
#pragma once

#include "filling/bubble.h"

#include <optional>
#include <vector>

namespace geotrain
{

enum class FillKind : std::uint8_t
{
    Prefill, ///< of an inference request
    FillJob  ///< of PipeFill
};

/// Work that is on one or all of a worker's GPUs, or was.
struct FillWork
{
    WorkerIndex worker = 0;
    FillKind kind = FillKind::Prefill;
    std::uint64_t job = 0;  ///< the request's or the job's number
    std::uint32_t part = 0; ///< which piece of it: for people who read the trace
    Duration length;        ///< until it ends by itself
    std::optional<std::uint32_t> gpu = std::nullopt; ///< of the worker, from 0; unset: all of them
};

/// What became of it.
struct FillEnd
{
    Instant start;
    Instant end;
    bool isPreempted = false; ///< training came first
};

/// What a filler says of work that ended.
struct FillYield
{
    Duration useful;  ///< of the time on the GPU; the rest is lost (discarded, context switches)
    double flops = 0; ///< that were useful, of all GPUs that it was on
};

class Filler
{
  public:
    virtual ~Filler() = default;

    /// The bubbles of `worker` that are to come in the iteration that it is in and in the one after, in order of time;
    /// they replace all that was said before. Called when an iteration begins for the
    /// worker, before any OnIdle, and within it when training runs earlier or later than was expected.
    virtual void OnForecast(WorkerIndex worker, const std::vector<Bubble>& bubbles) = 0;

    /// Training leaves `worker` idle, and nothing else of this instant starts an instruction; nothing else
    /// fills all of its GPUs. The filler may start work on those that are free.
    virtual void OnIdle(WorkerIndex worker, Instant now) = 0;

    /// A training instruction takes `worker`; what ran there has been stopped and ended. It is number `position` of
    /// its iteration: bubbles that end with it or one before it are over.
    virtual void OnBusy(WorkerIndex worker, std::uint32_t position, Instant now) = 0;

    /// `work` of this filler has ended, by itself or preempted; its GPUs are free of fill work.
    virtual FillYield OnEnd(const FillWork& work, const FillEnd& end) = 0;

    /// How long training is to wait for `work`, which started at `start`, now that an instruction is ready.
    /// 0 (strict): the work is stopped now. Else it goes on, and is stopped after that time at the latest.
    virtual Duration HoldTraining(const FillWork& /*work*/, Instant /*start*/, Instant /*ready*/)
    {
        return Duration();
    }

    /// What stopping `work` costs training before its instruction starts. Default: nothing.
    virtual Duration PreemptionCost(const FillWork& /*work*/) const
    {
        return Duration();
    }
};

/// Who wants to know what was filled: trace writers, metrics, tests.
class FillObserver
{
  public:
    virtual ~FillObserver() = default;

    virtual void
    FillEnded(const FillWork& /*work*/, const FillEnd& /*end*/, const FillYield& /*yield*/)
    {
    }

    /// A training instruction that was ready at `ready` started `held` later because of a filler.
    virtual void TrainingHeld(WorkerIndex /*worker*/, Instant /*ready*/, Duration /*held*/)
    {
    }
};

} // namespace geotrain
