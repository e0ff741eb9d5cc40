// SPDX-License-Identifier: GPL-2.0-only
// Says how far the records were from what a network says of their windows.
#pragma once

#include "path-learning/trainer/training-record.h"

#include <vector>

namespace geotrain
{

/// Returns what a network says of a record's cross traffic or delays, by window.
std::vector<double> SaidOf(const WindowNetwork& network, const TrainingRecord& record);

/// Fills the residuals of `network`, whose weights and slots are there. `paths` are by record. Quantiles
/// are shifted so that what is drawn of them, which is not below 0, has the records' mean. Of cross
/// traffic the recorded slots are kept, too, and what the network said of their windows, unless that is a
/// constant.
void FillResiduals(WindowNetwork& network,
                   const std::vector<TrainingRecord>& records,
                   const std::vector<PathParameters>& paths);

} // namespace geotrain
