// SPDX-License-Identifier: GPL-2.0-only
// Says after a run where a network without packets has lost some, since it has but a model of what
// follows, and where packets would have been lost that it knows nothing of.
#pragma once

#include "execution/network.h"
#include "units/bytes.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Returns a line for each kind of loss; none for a network with packets. `portQueue` is what a node's
/// port holds.
std::vector<std::string> WarningsOfLosses(const Network& network, Bytes portQueue);

} // namespace geotrain
