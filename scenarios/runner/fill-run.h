// SPDX-License-Identifier: GPL-2.0-only
// What a run's scenario fills training's bubbles with: the forecast, the host and its fillers,
// wired to the run's messages and trace. Nothing at all where the scenario has no fillers.
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

class FillRun
{
  public:
    /// `rehearsed` is the training alone as the schedule and its times say that it goes. Puts
    /// Bubble instructions into the streams of `plan`. All must outlive this.
    FillRun(const LoadedScenario& scenario,
            PlanStreams& plan,
            Rehearsal rehearsed,
            MessageLayer& layer,
            TraceWriter& writer);

    /// Behind the run's other observers.
    std::vector<ExecutionObserver*> Observers();

    Duration HoldOf(WorkerIndex worker);

    /// Before Executor::Run.
    void Begin();

    /// Whether there is no use in going on: every fill job was refused.
    bool HasFailed() const;

    /// After it: ends what is left, and says in `end` what the GPUs' memory held at most. Throws
    /// ConfigError where every fill job was refused.
    void Finish(trace::RunEnd& end);

    /// Ends the program with a message if KV caches were lost or carried twice.
    void CheckConservation() const;

    /// Throws ConfigError where requests came and every one was refused.
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

/// Whether the scenario fills bubbles.
bool HasFillers(const LoadedScenario& scenario);

/// Whether its prefills may make training slower: they share its NICs, hold it back, or cost it
/// something to stop.
bool MayDisturbTraining(const LoadedScenario& scenario);

} // namespace geotrain
