// SPDX-License-Identifier: GPL-2.0-only
// Says in a sentence what `geotrain plan` advises, behind one for each question that it was asked.
#pragma once

#include "cli/plan-results.h"

#include <string>

namespace geotrain
{

/// Returns the answers to --without, --add and --wan-rate, then the advice: which GPUs of which data
/// centres train how, how fast that is, and against the best plan in one data centre, or over several
/// where the best is in one.
std::string AdviceOf(const PlanReport& report);

} // namespace geotrain
