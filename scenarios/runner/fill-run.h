// SPDX-License-Identifier: GPL-2.0-only
// What a run's scenario fills training's bubbles with: the forecast, the host, and one FillerRun
// for each kind of filler that the scenario has. A new kind is one more element of the list.
#pragma once

#include "filling/fill-host.h"
#include "loader/scenario-loader.h"
#include "runner/fill-recorder.h"
#include "runner/filler-run.h"
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

    /// Whether there is no use in going on: a filler has failed.
    bool HasFailed() const;

    /// After it: ends what is left, and says in `end` what the GPUs' memory held at most. Throws
    /// ConfigError where a filler has failed.
    void Finish(trace::RunEnd& end);

    /// Ends the program with a message if a filler's bytes were lost or carried twice.
    void CheckConservation() const;

    /// Throws ConfigError where all work of a filler was refused.
    void RefuseIfAllWereRefused() const;

  private:
    Bytes PeakMemory() const;

    std::vector<WorkerMemory> m_memory;
    BubbleForecast m_forecast;
    FillRecorder m_recorder;
    FillHost m_host;
    std::vector<std::unique_ptr<FillerRun>> m_fillers; ///< idle workers are offered in this order
};

/// Returns whether the scenario fills bubbles.
bool HasFillers(const LoadedScenario& scenario);

/// Returns the scenario with training alone.
LoadedScenario WithoutFillers(LoadedScenario scenario);

/// Returns what of `plan` is to be warmed for the fillers beside training's pairs.
std::vector<Network::WarmUp> PairsOfFillers(const LoadedScenario& scenario,
                                            const PlanStreams& plan);

/// Returns whether prefills may make training slower, since they share its NICs, hold it back, or
/// cost it time when it stops them.
bool MayDisturbTraining(const LoadedScenario& scenario);

} // namespace geotrain
