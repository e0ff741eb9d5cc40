// SPDX-License-Identifier: GPL-2.0-only
// Says in the header of a trace what a training job is: its workers, its schedule, and how it serves.
#pragma once

#include "loader/experiment.h"
#include "schema/trace.pb.h"
#include "training-plan/plan-streams.h"

namespace geotrain
{

/// Describes a training job, whose streams are `plan`.
void DescribeTraining(const Experiment& experiment,
                      const TrainingSpec& spec,
                      const PlanStreams& plan,
                      trace::RunHeader& header);

} // namespace geotrain
