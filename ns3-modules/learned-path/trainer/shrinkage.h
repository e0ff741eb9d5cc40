// SPDX-License-Identifier: GPL-2.0-only
// Takes back what a network says beyond its mean as far as windows that it was not trained on don't bear
// it out. Cross traffic that comes at random can't be foreseen, but a network always finds something in
// the features of one sender, which misleads about another.
#pragma once

#include "learned-path/trainer/training-record.h"

#include <vector>

namespace geotrain
{

/// Scales the deviations of each lane's cross traffic from its mean by the slope of what was recorded on
/// what is said, less two standard errors and within 0 and 1. `judged` are the windows that judge.
/// Windows with losses don't count, since cross traffic was lost there too.
void Shrink(WindowNetwork& network,
            const std::vector<TrainingRecord>& records,
            const std::vector<TrainingChunk*>& judged);

} // namespace geotrain
