// SPDX-License-Identifier: GPL-2.0-only
// Makes what a training job executes: the instruction streams of its plan for all iterations.
#pragma once

#include "loader/experiment.h"
#include "training-plan/plan-streams.h"

#include <string>

namespace geotrain
{

/// Makes the streams. Warm-up iterations come first, then the measured ones. Without flush more
/// iterations follow, so that the pipeline does not drain during the measured ones. Throws
/// ConfigError, which names `file`, where the plan can't be streamed.
PlanStreams
MakeTrainingStreams(const TrainingSpec& spec, const RunSettings& run, const std::string& file);

} // namespace geotrain
