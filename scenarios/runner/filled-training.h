// SPDX-License-Identifier: GPL-2.0-only
// A training job whose bubbles are filled, and what its fillers take of the run.
#pragma once

#include "execution/message-layer.h"
#include "loader/experiment.h"
#include "trace/record-sink.h"
#include "training-plan/plan-streams.h"

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

} // namespace geotrain
