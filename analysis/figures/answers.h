// SPDX-License-Identifier: GPL-2.0-only
// Says in a sentence what a comparison answers: which value of a varied number is enough, or which
// variant is the fastest. It speaks of means; what random draws do to them is in their intervals.
#pragma once

#include "figures/comparison.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Returns a sentence for each series of the first swept number, such as "connections per node pair: 10
/// reaches 93 % of the speed at 20", or else one that names the fastest variant. There is none for
/// comparisons of jobs, of more series than a reader takes in, or of variants that are equally fast.
std::vector<std::string> AnswersOf(const Comparison& comparison);

} // namespace geotrain
