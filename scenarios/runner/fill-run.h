// SPDX-License-Identifier: GPL-2.0-only
// Assembles what fills training's bubbles in a run: the forecast, the host and its fillers,
// connected to the run's messages and trace.
#pragma once

#include "filling/fill-host.h"
#include "fill-jobs/pipe-filler.h"
#include "prefill-service/prefill-controller.h"
#include "execution/executor.h"
#include "loader/scenario-loader.h"
#include "runner/fill-recorder.h"
#include "runner/kv-network.h"
#include "runner/run-plan.h"

#include <memory>
#include <vector>

namespace geotrain
{

/// FillRun holds the fillers of one run. A scenario without fillers needs none.
class FillRun
{
  public:
    /// Puts Bubble instructions into the streams of `plan`. The first forecast comes from
    /// `rehearsed`, a run of training alone. All references must outlive this object.
    FillRun(const LoadedScenario& scenario,
            PlanStreams& plan,
            Rehearsal rehearsed,
            MessageLayer& layer,
            TraceWriter& writer);

    /// Returns the observers to add to the executor, after the run's other observers.
    std::vector<ExecutionObserver*> Observers();

    /// Returns how long training on `worker` must wait for a filler.
    Duration HoldOf(WorkerIndex worker);

    /// Starts the fillers. Call it before Executor::Run.
    void Begin();

    /// Returns whether every fill job was refused, so that the run can stop.
    bool HasFailed() const;

    /// Ends the fillers' work, and sets in `end` the GPUs' peak memory and the totals of serving.
    /// Call it after Executor::Run. Throws ConfigError where every fill job was refused.
    void Finish(trace::RunEnd& end);

    /// Ends the program with a message if KV caches were lost or carried twice.
    void CheckConservation() const;

    /// Throws ConfigError where requests arrived and every one was refused.
    void RefuseIfAllWereRefused() const;

  private:
    void MakeServing(const PlanStreams& plan, MessageLayer& layer);
    void CompareWithDedicated(trace::RunEnd& end) const;
    Bytes PeakMemory() const;
    void FinishFillJobs();

    const LoadedScenario& m_scenario;
    std::vector<WorkerMemory> m_memory;
    BubbleForecast m_forecast;
    FillRecorder m_recorder;
    FillHost m_host;
    std::unique_ptr<KvNetwork> m_kvNetwork;
    std::unique_ptr<RequestSource> m_source;
    std::unique_ptr<ServingTimes> m_times;
    std::unique_ptr<PrefillController> m_controller;
    std::unique_ptr<PipeFiller> m_filler;
};

/// Returns whether the scenario fills bubbles.
bool HasFillers(const LoadedScenario& scenario);

/// Returns whether prefills may make training slower, since they share its NICs, hold it back, or
/// cost it time when it stops them.
bool MayDisturbTraining(const LoadedScenario& scenario);

} // namespace geotrain
