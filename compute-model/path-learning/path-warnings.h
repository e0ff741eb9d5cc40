// SPDX-License-Identifier: GPL-2.0-only
// Says what a learned path can't be trusted in: what its records did not show, and by how much it is off
// them.
#pragma once

#include "path-learning/path-model.h"
#include "path-learning/training-settings.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Adds warnings of what a record did not show, or what was left out of it, as the path that was
/// estimated of it has it.
void WarnOfRecord(const PacketTrace& record,
                  const PathParameters& estimated,
                  const TrainingSettings& settings,
                  std::vector<std::string>& warnings);

/// Adds warnings where the errors over the records are above what an answer about the path bears, and where
/// the model is worse than a FIFO from one half of a record to the other.
void WarnOfErrors(const PathModel& model, std::vector<std::string>& warnings);

} // namespace geotrain
