// SPDX-License-Identifier: GPL-2.0-only
// Says how many runs go side by side, and what memory each of them may take.
#pragma once

#include "loader/experiment.h"

#include <cstddef>

namespace geotrain
{

/// Returns how many such runs have room in the memory that they may take, by an estimate; at least 1.
unsigned RunsThatFit(const Experiment& scenario);

/// Lets a run that goes on beside others, `runs` in all, take its share of the memory only.
void ShareMemory(Experiment& scenario, std::size_t runs);

} // namespace geotrain
