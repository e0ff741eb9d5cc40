// SPDX-License-Identifier: GPL-2.0-only
// Scales what a network says beyond its mean to what windows bear out that it was not trained on. Cross
// traffic that comes at random can't be foreseen, but a network always finds something in the features of
// one sender, which misleads about another. Where it does foresee, a training that ends early, and an
// absolute error, which asks for medians, make it say too little.
#pragma once

#include "path-learning/trainer/training-record.h"

#include <vector>

namespace geotrain
{

/// Scales the deviations of cross traffic from its mean by the slope of what was recorded on what is
/// said, less two standard errors and at least 0. A slope above 3 is none, and leaves them. `judged` are
/// the windows that judge. Windows with losses don't count, since cross traffic was lost there too.
void Calibrate(WindowNetwork& network,
               const std::vector<TrainingRecord>& records,
               const std::vector<TrainingChunk*>& judged);

} // namespace geotrain
