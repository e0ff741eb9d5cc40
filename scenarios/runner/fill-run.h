// SPDX-License-Identifier: GPL-2.0-only
// Fills training's bubbles in one run: holds the forecast, the host, and the filler that the job has.
#pragma once

#include "filling/fill-host.h"
#include "runner/fill-jobs-run.h"
#include "runner/fill-recorder.h"
#include "runner/filled-training.h"
#include "runner/serving-run.h"

#include <optional>
#include <vector>

namespace geotrain
{

/// FillRun holds the fillers of one run. A job without fillers needs none.
class FillRun
{
  public:
    /// Puts Bubble instructions into the streams of the plan. The first forecast comes from
    /// `rehearsed`, a run of training alone.
    FillRun(const FilledTraining& training, Rehearsal rehearsed);

    /// Returns the observers to add to the executor, after the run's other observers.
    std::vector<ExecutionObserver*> Observers();

    /// Returns how long training on `worker` must wait for a filler.
    Duration HoldOf(WorkerIndex worker);

    /// Starts the fillers. Call it before Executor::Run.
    void Begin();

    /// Returns whether a filler has failed, so that there is no use in going on.
    bool HasFailed() const;

    /// Ends what is left, and writes the peak memory of the GPUs into `end`. Call it after
    /// Executor::Run. Throws ConfigError where a filler has failed.
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
    std::optional<ServingRun> m_serving;
    std::optional<FillJobsRun> m_jobs;
};

/// Returns whether the job fills bubbles.
bool HasFillers(const TrainingSpec& spec);

/// Returns the job with training alone.
TrainingSpec WithoutFillers(TrainingSpec spec);

/// Returns the node pairs that the fillers use besides those of training, to be warmed.
std::vector<Network::WarmUp> PairsOfFillers(const TrainingSpec& spec, const PlanStreams& plan);

/// Returns whether prefills may make training slower: they share its NICs, hold it back, or take
/// time to stop.
bool MayDisturbTraining(const TrainingSpec& spec);

} // namespace geotrain
