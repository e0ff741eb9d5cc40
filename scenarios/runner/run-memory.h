// SPDX-License-Identifier: GPL-2.0-only
// Estimates the memory that a run takes before it begins, by the number of things that are in
// memory at once. The figures were measured; scenarios/README.md has the runs and the error.
#pragma once

#include "loader/machine-memory.h"
#include "loader/scenario-loader.h"
#include "runner/transfer-run.h"

namespace geotrain
{

/// Returns the memory of a run. It makes the streams of training.
MemoryEstimate MemoryOf(const Experiment& scenario);

/// Returns the memory of a transfer without a scenario.
MemoryEstimate MemoryOf(const TransferSettings& settings);

/// Throws ConfigError where the run needs more than run.memory_limit.
void RefuseTooLarge(const Experiment& scenario);

} // namespace geotrain
