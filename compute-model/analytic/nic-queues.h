// SPDX-License-Identifier: GPL-2.0-only
// The NICs that several node pairs share, as queues. What a connection inside a data centre may have in flight goes
// into its node's NIC at once, and packets for the WAN wait behind it: 100 MB take 16 ms at 50 Gbit/s. At the
// destination all that comes to a node passes one port, which loses what it has no room for. A host never drops at its
// own NIC.
#pragma once

#include "analytic/analytic-path.h"
#include "wan/resources.h"

#include <functional>
#include <vector>

namespace geotrain
{

/// A Flight is what a pair's windows let it send.
struct Flight
{
    Bytes most;               ///< in flight, of all connections
    double bitsPerSecond = 0; ///< at most
};

/// Returns per resource whether it is a NIC that is a queue. The pairs through it can bring more than it takes, and what
/// windows let wait there would delay others by more than `waitThatCounts`. None is where that is so only of NICs whose
/// pairs all stay in a data centre. `pairs` are all that are used.
std::vector<bool> FindSharedNics(const Resources& resources,
                                 const std::vector<NodePair>& pairs,
                                 const std::function<Flight(const NodePair&)>& flightOf,
                                 Duration waitThatCounts);

/// Makes the shared NICs of a pair hops of its path, there and for acknowledgements. NICs that limit it no more are
/// taken out of what it shares max-min fairly. The hops at WAN links are set before; a path without a window is left
/// as it is.
void QueueAtNics(AnalyticPath& path,
                 const Resources& resources,
                 const std::vector<bool>& shared,
                 const NodePair& pair);

} // namespace geotrain
