// SPDX-License-Identifier: GPL-2.0-only
// Runs the trainer of learned paths, the program geotrain-train-path beside this one.
#pragma once

#include "path-learning/training-request.h"

namespace geotrain
{

/// Runs the trainer, which writes `request.out`. Signals that end a program reach it: it writes the
/// best so far then, and this returns as after a whole training. Returns its exit code, after which
/// it has said why where that isn't 0. Throws ConfigError where there is no trainer.
int RunTrainer(const TrainingRequest& request);

} // namespace geotrain
