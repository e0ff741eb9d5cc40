// SPDX-License-Identifier: GPL-2.0-only
// Says how far the windows of the records were from what a network says of them.
#pragma once

#include "learned-path/trainer/training-record.h"

#include <vector>

namespace geotrain
{

/// Returns quantiles of what the records' cross traffic, or delay, was beyond the network's softplus.
/// They are shifted so that what is drawn of them, which is not below 0, has the records' mean.
std::vector<double> ResidualsOf(const WindowNetwork& network,
                                const std::vector<TrainingRecord>& records);

} // namespace geotrain
