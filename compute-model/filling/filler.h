// SPDX-License-Identifier: GPL-2.0-only
// Defines the seam between training and what fills its bubbles. A Filler is told which bubbles are
// expected and when a worker really is idle. It starts work through FillHost (fill-host.h), which
// keeps one thing on a GPU at a time and stops the work at once when a training instruction becomes
// ready.
#pragma once

#include "filling/bubble.h"

#include <optional>
#include <vector>

namespace geotrain
{

/// FillKind is the kind of fill work.
enum class FillKind : std::uint8_t
{
    Prefill, ///< prefill of an inference request
    FillJob  ///< piece of a fill job (PipeFill)
};

/// FillWork is work that is, or was, on one or all of a worker's GPUs.
struct FillWork
{
    WorkerIndex worker = 0;
    FillKind kind = FillKind::Prefill;
    std::uint64_t job = 0;  ///< the request's or the job's number
    std::uint32_t part = 0; ///< number of the piece, for people who read the trace
    Duration length;        ///< time until it ends by itself
    /// The worker's GPU, from 0; unset means all of them.
    std::optional<std::uint32_t> gpu = std::nullopt;
    bool isOffline = false; ///< prefill of batch inference, for which nobody waits
};

/// FillEnd says when fill work ran, and whether training ended it.
struct FillEnd
{
    Instant start;
    Instant end;
    bool isPreempted = false; ///< training came first
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

    /// Tells that training leaves `worker` idle: nothing else of this instant starts an
    /// instruction, and nothing else fills all of its GPUs. The filler may start work on those that
    /// are free.
    virtual void OnIdle(WorkerIndex worker, Instant now) = 0;

    /// Tells that a training instruction takes `worker`; what ran there has been stopped and ended.
    /// It is number `position` of its iteration: bubbles that end with it or one before it are
    /// over.
    virtual void OnBusy(WorkerIndex worker, std::uint32_t position, Instant now) = 0;

    /// Tells that `work` of this filler has ended, by itself or preempted; its GPUs are free of
    /// fill work.
    virtual FillYield OnEnd(const FillWork& work, const FillEnd& end) = 0;

    /// Returns how long training, whose instruction is ready, is to wait for `work`, which started at
    /// `start`; nothing by default.
    virtual TrainingWait WaitFor(const FillWork& /*work*/, Instant /*start*/, Instant /*ready*/)
    {
        return {};
    }
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
