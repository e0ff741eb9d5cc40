// SPDX-License-Identifier: GPL-2.0-only
// The ring of collectives (Patarasuk and Yuan, JPDC 2009). With n members, a reduce-scatter or an
// all-gather takes n-1 steps and an all-reduce 2(n-1). In each step every member sends one n-th of the
// vector to its successor.
#pragma once

#include "execution/collective-algorithm.h"

namespace geotrain
{

extern const CollectiveAlgorithm ringCollective;

} // namespace geotrain
