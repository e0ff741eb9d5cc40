// SPDX-License-Identifier: GPL-2.0-only
// Defines what a run asks of each kind of filler that its scenario has. A kind of filler implements
// it by what it is made of, what it leaves in the trace and what it checks; the run knows no kind.
#pragma once

#include "execution/message-layer.h"
#include "loader/experiment.h"
#include "trace/record-sink.h"
#include "training-plan/plan-streams.h"
#include "units/bytes.h"

namespace geotrain
{

/// A FilledTraining is a training job whose bubbles are filled, in one run. All references outlive its
/// fillers.
struct FilledTraining
{
    const Experiment& experiment;
    const TrainingSpec& spec; ///< the job, one of the experiment's
    PlanStreams& plan;
    MessageLayer& layer;
    RecordSink& writer;
};

/// FillerRun is one kind of filler in one run.
class FillerRun
{
  public:
    virtual ~FillerRun() = default;

    /// Begins its work; FillRun calls it after FillHost::Begin and before Executor::Run.
    virtual void Begin()
    {
    }

    /// Returns whether there is no use in going on.
    virtual bool HasFailed() const
    {
        return false;
    }

    /// Ends what is left after the run, and writes its results into the trace and into `end`.
    /// Throws ConfigError where it has failed.
    virtual void Finish(trace::RunEnd& end) = 0;

    /// Returns the most memory that training and this filler used on one GPU.
    virtual Bytes PeakMemory() const = 0;

    /// Ends the program with a message where bytes were lost or carried twice.
    virtual void CheckConservation() const
    {
    }

    /// Throws ConfigError where work came and all of it was refused.
    virtual void RefuseIfAllWereRefused() const
    {
    }
};

} // namespace geotrain
