// SPDX-License-Identifier: GPL-2.0-only
#include "runner/analytic-testbed.h"

#include "analytic/analytic-network.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

/// Counts that the second link of a way inside a data centre stores the last packet once more. A
/// message's bytes alone leave it out, which shows in pieces of few packets, and ZeRO-3's collectives
/// are chains of them.
void
StoreLastPackets(AnalyticTopology& topology, Bytes mtu)
{
    topology.pathOf = [pathOf = std::move(topology.pathOf), rates = topology.linkRates, mtu](
                          NodeIndex source, NodeIndex destination)
    {
        AnalyticPath path = pathOf(source, destination);
        Duration packet;
        for (const std::size_t link : path.links)
        {
            packet = std::max(packet, rates[link].TransmissionTime(mtu));
        }
        if (!path.crossesWan)
        {
            path.delay += packet;
            path.roundTrip += packet;
        }
        return path;
    };
}

} // namespace

std::unique_ptr<Network>
MakeAnalyticNetwork(const WanTopology& wan,
                    AnalyticTransport transport,
                    const std::vector<Network::WarmUp>& pairs,
                    const AnalyticChoices& choices)
{
    transport.seed = choices.seed;
    AnalyticTopology topology = MakeAnalyticTopology(wan, transport, pairs);
    topology.ranks = choices.ranks;
    if (choices.storesLastPackets)
    {
        StoreLastPackets(topology, wan.mtu);
    }
    return std::make_unique<AnalyticNetwork>(std::move(topology));
}

} // namespace geotrain
