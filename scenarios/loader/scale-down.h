// SPDX-License-Identifier: GPL-2.0-only
// Makes a scenario slower in bits and not in time: rates, queues, windows and messages are divided
// by run.scale, delays and compute times stay. So transfers take as long as before, with fewer
// packets. It is for live runs, whose packets are carried in real time.
#pragma once

#include "loader/experiment.h"

#include <cstdint>

namespace geotrain
{

/// Returns `size` divided by `scale`, rounded up, so that a positive size stays positive.
Bytes ScaledDown(Bytes size, std::uint32_t scale);

/// Divides what is resolved by run.scale. Messages of training are divided when their
/// streams are made (runner/training-streams.h).
void ScaleDown(Experiment& experiment);

} // namespace geotrain
