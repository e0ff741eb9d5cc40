// SPDX-License-Identifier: GPL-2.0-only
// Defines the seam between training and what fills its bubbles. A Filler is told which bubbles are
// expected, and puts work into the workers' queues (fill-host.h), where it runs whenever its GPU is
// idle and goes on after training.
#pragma once

#include "filling/bubble.h"

#include <optional>
#include <utility>
#include <vector>

namespace geotrain
{

/// FillKind is the kind of fill work.
enum class FillKind : std::uint8_t
{
    Prefill, ///< prefill of an inference request
    FillJob  ///< piece of a fill job (PipeFill)
};

/// Preemption says what becomes of fill work when training wants its GPU. The schema numbers the
/// values alike.
enum class Preemption : std::uint8_t
{
    Continue, ///< it ends its kernel, and goes on with the next one afterwards
    Restart,  ///< it ends its kernel, and begins its layer or operator again afterwards
    Instant   ///< an ideal GPU: it stops at once, and goes on there afterwards
};

/// WorkRank orders what is ready for a worker, the lowest first: by time, then by number. Work for
/// which nobody waits has Instant::Never().
using WorkRank = std::pair<Instant, std::uint64_t>;

/// FillWork is work that is ready for, or on, one or all of a worker's GPUs.
struct FillWork
{
    WorkerIndex worker = 0;
    FillKind kind = FillKind::Prefill;
    std::uint64_t job = 0;  ///< the request's or the job's number
    std::uint32_t part = 0; ///< number of the piece, for people who read the trace
    Duration length;        ///< time until it ends by itself, once it runs
    /// The worker's GPU, from 0; unset means all of them.
    std::optional<std::uint32_t> gpu = std::nullopt;
    bool isOffline = false; ///< prefill of batch inference, for which nobody waits
    std::uint32_t task = 0; ///< what the filler knows it by
};

/// FillEnd says when fill work ran, and whether training ended it.
struct FillEnd
{
    Instant start;
    Instant end;
    bool isPreempted = false; ///< training, or work that someone waits for, came first
    Duration computed;        ///< until it stopped; what stopping costs comes after it
};

/// FillYield is what a filler reports of work that ended.
struct FillYield
{
    /// Useful part of the time on the GPU; the rest is lost (discarded work, context switches).
    Duration useful;
    double flops = 0; ///< useful FLOPs on all GPUs that it was on
};

/// A TrainingWait is what a training instruction waits for when it is ready and fill work is on its
/// GPU.
struct TrainingWait
{
    Duration work; ///< the work goes on for so long; 0: it is stopped at once
    Duration stop; ///< what stopping it costs after that

    Duration Sum() const
    {
        return work + stop;
    }
};

/// A Filler decides what runs in bubbles.
class Filler
{
  public:
    virtual ~Filler() = default;

    /// Tells the bubbles of `worker` that are to come in its current iteration and in the one
    /// after, in order of time. They replace all that was said before. It is called when an
    /// iteration begins for the worker, before any OnIdle, and within it when training runs earlier
    /// or later than expected.
    virtual void OnForecast(WorkerIndex worker, const std::vector<Bubble>& bubbles) = 0;

    /// Tells that `worker` is idle and its queue empty. The filler may put something there.
    virtual void OnIdle(WorkerIndex /*worker*/)
    {
    }

    /// Returns how long `work` of the queue runs from now on, where its GPUs are free; 0: it is not to
    /// run now. Otherwise it runs. The filler may set its part.
    virtual Duration ToRun(FillWork& work) = 0;

    /// Tells that `work` of this filler has ended, by itself or preempted; its GPUs are free of
    /// fill work. It stays in the queue unless the filler takes it out.
    virtual FillYield OnEnd(const FillWork& work, const FillEnd& end) = 0;

    /// Returns how long training, whose instruction is ready, is to wait for `work`, which has run
    /// for `ran`.
    virtual TrainingWait WaitFor(const FillWork& work, Duration ran) const = 0;
};

/// A FillObserver is told what was filled: trace writers, metrics and tests are observers.
class FillObserver
{
  public:
    virtual ~FillObserver() = default;

    virtual void
    FillEnded(const FillWork& /*work*/, const FillEnd& /*end*/, const FillYield& /*yield*/)
    {
    }

    /// Tells that a training instruction that was ready at `ready` started later because of a
    /// filler.
    virtual void
    TrainingHeld(WorkerIndex /*worker*/, Instant /*ready*/, const TrainingWait& /*held*/)
    {
    }
};

} // namespace geotrain
