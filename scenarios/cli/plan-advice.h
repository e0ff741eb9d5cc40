// SPDX-License-Identifier: GPL-2.0-only
// Says in one sentence what `geotrain plan` advises.
#pragma once

#include "cli/plan-results.h"

#include <string>

namespace geotrain
{

/// Returns the sentence: which GPUs of which data centres train how, how fast that is, and against
/// the best plan in one data centre, or over several where the best is in one.
std::string AdviceOf(const PlanReport& report);

} // namespace geotrain
