// SPDX-License-Identifier: GPL-2.0-only
// All members send each other a part of their vectors at the same time, as NCCL's grouped sends and
// receives do: what brings tokens to their experts and back. With n members each sends n - 1 messages
// of an n-th of its vector. It ignores that a message for each expert may be apart.
#pragma once

#include "execution/collective-algorithm.h"

namespace geotrain
{

extern const CollectiveAlgorithm allToAllCollective;

} // namespace geotrain
