// SPDX-License-Identifier: GPL-2.0-only
// Finds the queues at which windows of several node pairs meet. Which pair's bytes come first there
// decides on what the others wait for, over packets as on the analytic network, and replicas of a
// training that are alike come to the nanosecond together.
#pragma once

#include "analytic/analytic-network.h"
#include "wan/resources.h"

#include <cstddef>
#include <vector>

namespace geotrain
{

/// A WindowMeeting is a WAN link, a NIC or a port that is a queue of several node pairs, some of which
/// cross the WAN with windows that are open: together they hold more than their way does.
struct WindowMeeting
{
    std::size_t link = 0;        ///< index into AnalyticTopology::linkRates
    std::vector<NodePair> pairs; ///< at least two
    /// Windows of the pairs over the WAN as a multiple of the link's rate times the longest of their
    /// round trips; above 1.
    double windows = 0;
};

/// Returns the meetings of `pairs`, those of the largest multiple first.
std::vector<WindowMeeting> FindWindowMeetings(const AnalyticTopology& topology,
                                              const std::vector<NodePair>& pairs);

} // namespace geotrain
