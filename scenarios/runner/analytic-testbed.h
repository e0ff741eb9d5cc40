// SPDX-License-Identifier: GPL-2.0-only
// Makes the network without packets of a run, and that on which training is rehearsed for its fillers.
#pragma once

#include "analytic/analytic-transport.h"
#include "execution/network.h"
#include "wan/wan-topology.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace geotrain
{

/// AnalyticChoices are what a run says of its network without packets.
struct AnalyticChoices
{
    std::uint64_t seed = 1;
    /// Counts that links inside a data centre store the last packet once more, as ZeRO-3's chains of
    /// small pieces show.
    bool storesLastPackets = false;
    std::vector<int> ranks = {}; ///< priority of each owner's class; empty: all the same
};

/// Makes the network for the node pairs of `pairs`.
std::unique_ptr<Network> MakeAnalyticNetwork(const WanTopology& wan,
                                             AnalyticTransport transport,
                                             const std::vector<Network::WarmUp>& pairs,
                                             const AnalyticChoices& choices);

} // namespace geotrain
