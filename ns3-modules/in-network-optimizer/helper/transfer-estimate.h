// SPDX-License-Identifier: GPL-2.0-only
// Estimates what a stream of an in-network optimizer takes without packets: the bytes that it puts on
// each link, and its delays there and back. Where a switch adds, a link carries a packet once. Where
// the server adds, its link carries each packet once for each worker. Acknowledgements per packet take
// their share of the other direction.
#pragma once

#include "in-network-optimizer/helper/in-network-settings.h"
#include "in-network-optimizer/helper/shared-links.h"

#include <vector>

namespace ns3
{

/// A TransferEstimate is what moving a layer from senders to receivers costs.
struct TransferEstimate
{
    double bytesPerSecond; ///< of payload, at most
    double there;          ///< seconds from the end of the sending until receivers have all
    double back = 0;       ///< seconds that a heartbeat takes from receivers to senders
    double interval = 0;   ///< seconds between heartbeats; 0: acknowledgements come at once
    /// Whether packets are acknowledged at once, instead of buffers by heartbeats.
    bool acknowledgesEach = false;
    double line = 0;   ///< bytes of payload per second of the slowest link
    double window = 0; ///< bytes of payload that may be under way

    /// Returns the seconds from a heartbeat to the arrival of the first data that it allows, and of
    /// their packet's sending.
    double Loop(double packetSeconds) const
    {
        return back + packetSeconds + there;
    }

    /// Returns the payload per second of a window a loop of `loop` seconds.
    double RateOfLoop(double loop) const;
};

double BytesPerSecond(geotrain::BitRate rate);

/// Estimates the parameters' stream of `settings`, from a server to the workers. Each switch keeps
/// the workers' heartbeats until its own interval ends.
TransferEstimate EstimatePulls(const InNetworkClusterSettings& settings);

/// Estimates the gradients' stream, from the workers to a server, whose heartbeats no switch keeps.
TransferEstimate EstimatePushes(const InNetworkClusterSettings& settings);

/// Returns the seconds that a heartbeat takes from a worker to its switch, from each switch to the
/// one above and from the last one to the server.
std::vector<double> HeartbeatHops(const InNetworkClusterSettings& settings);

/// Returns the bytes per second of the links that streams share: those of a worker, or of a trunk where
/// it is slower, down and up, and then those of each server.
std::vector<double> RatesOfLinks(const InNetworkClusterSettings& settings);

/// Returns what the parameters of a server ask of those links.
SharedStream PullsOnLinks(const InNetworkClusterSettings& settings, std::uint32_t server);

/// Returns what the gradients of a server ask of those links.
SharedStream PushesOnLinks(const InNetworkClusterSettings& settings, std::uint32_t server);

} // namespace ns3
