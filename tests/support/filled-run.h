// SPDX-License-Identifier: GPL-2.0-only
// Runs a schedule on the analytic network with fill jobs in its bubbles, for tests, and records who
// did what when.
#pragma once

#include "fill-jobs/pipe-filler.h"
#include "filling/rehearsal.h"
#include "schedule-runs.h"
#include "timing/compute-jitter.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace geotrain
{

struct FilledRunInputs
{
    StreamInputs streams;
    Duration hop;
    double jitter = 0;
    std::uint64_t seed = 1;
    WorkerMemory memory; ///< memory of every worker
    std::vector<FillJob> jobs;
    PipeFillerOptions options;
    Bytes offloadable;
    std::uint32_t gpus = 1; ///< GPUs of every worker
};

struct FilledSpan
{
    FillWork work;
    FillEnd end;
    FillYield yield;
};

class FillSpanRecorder : public FillObserver
{
  public:
    void FillEnded(const FillWork& work, const FillEnd& end, const FillYield& yield) override
    {
        m_spans.push_back({work, end, yield});
    }

    void TrainingHeld(WorkerIndex, Instant, const TrainingWait& held) override
    {
        m_held += held.Sum();
        m_longestHold = std::max(m_longestHold, held.Sum());
    }

    const std::vector<FilledSpan>& Spans() const
    {
        return m_spans;
    }

    Duration Held() const
    {
        return m_held;
    }

    Duration LongestHold() const
    {
        return m_longestHold;
    }

  private:
    std::vector<FilledSpan> m_spans;
    Duration m_held;
    Duration m_longestHold;
};

struct FilledRun
{
    std::vector<SpanRecorder::Span> training;
    std::vector<FilledSpan> fills;
    std::vector<FillJobRecord> jobs;
    Bytes peakMemory;
    Duration held;
    Duration longestHold;
    Duration makespan;
    std::string failure;
};

inline ExecutorOptions
JitteredOptions(const FilledRunInputs& inputs)
{
    ExecutorOptions options;
    const ComputeJitter jitter(inputs.seed, inputs.jitter);
    options.durationOf =
        [jitter](
            WorkerIndex worker, std::uint32_t iteration, std::size_t position, Duration planned)
    { return jitter.Apply(worker, iteration, position, planned); };
    return options;
}

inline Rehearsal
RehearseOn(const ExecutionPlan& plan, Duration hop)
{
    AnalyticNetwork network(DelayOnly(hop));
    return Rehearse(plan, 3, network, {}, Instant::Never());
}

inline FilledRun
RunFilled(const FilledRunInputs& inputs)
{
    ExecutionPlan plan = BuildStreams(inputs.streams);
    BubbleForecast forecast(std::vector<WorkerMemory>(plan.workers.size(), inputs.memory),
                            RehearseOn(plan, inputs.hop),
                            Duration());
    AnalyticNetwork network(DelayOnly(inputs.hop));
    FillSpanRecorder fills;
    FillHost host(network.GetClock(), forecast, {&fills});
    host.MarkBubbles(plan);
    std::vector<FillWorker> workers;
    for (std::uint32_t worker = 0; worker < plan.workers.size(); ++worker)
    {
        workers.push_back({worker, inputs.gpus, inputs.offloadable});
    }
    PipeFiller filler(host, inputs.jobs, workers, inputs.options);
    host.Add(filler);
    SpanRecorder training;
    ExecutorOptions options = JitteredOptions(inputs);
    options.holdOf = [&host](WorkerIndex worker) { return host.HoldOf(worker); };
    host.Begin();
    RunToTheEnd(plan, network, {&training, &host}, options);
    FilledRun run{training.Spans(),
                  fills.Spans(),
                  filler.Records(),
                  filler.PeakMemory(),
                  fills.Held(),
                  fills.LongestHold(),
                  training.Makespan(),
                  filler.Failure()};
    return run;
}

} // namespace geotrain
