// SPDX-License-Identifier: GPL-2.0-only
// Computes the WAN capacity that a run can use, against which wan_utilization is measured. It is
// the sum of the caps of all directed node pairs that the run uses between data centres, or what
// shared links hold where that is less. A pair without a cap counts with what its nodes' caps and
// NICs allow. It ignores that a node shares these between its pairs. A link that is oversubscribed
// scales all of its pairs down alike. Rates are those before the first step (rates-over-time.h).
#pragma once

#include "wan/resources.h"

#include <memory>
#include <vector>

namespace geotrain
{

/// Returns the capacity of both directions together in bit/s; 0 where no pair crosses the WAN. `paths`
/// are those of the run, which are found where they are not given.
double UsableWanCapacity(const WanTopology& topology,
                         const std::vector<NodePair>& pairs,
                         std::shared_ptr<const WanPaths> paths = nullptr);

} // namespace geotrain
