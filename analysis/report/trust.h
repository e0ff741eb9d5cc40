// SPDX-License-Identifier: GPL-2.0-only
// Says how far the results of a run can be trusted: what was simulated and what only computed, how
// much was measured, and what speaks against taking the numbers as they are.
#pragma once

#include "metrics/summary.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Returns whether the run was over the kernel's TCP in real time.
bool IsLive(const trace::RunHeader& header);

/// Returns the sentences for a run, escaped. `seeds` is the number of seeds behind the numbers.
std::vector<std::string> TrustOf(const Summary& summary, std::size_t seeds);

} // namespace geotrain
