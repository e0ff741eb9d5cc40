// SPDX-License-Identifier: GPL-2.0-only
// Describes how a node pair is connected in the analytic network: links, delays, and its connections
// of bulk-tcp.
#pragma once

#include "units/bytes.h"
#include "units/duration.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace geotrain
{

/// What bulk-tcp's retransmission timeout has beyond the smoothed round trip, at least: Linux's
/// TCP_RTO_MIN.
constexpr Duration leastTimeoutVariation = Duration::Milliseconds(200);

/// An AnalyticConnection holds the settings of a connection (analytic/congestion-window.h).
struct AnalyticConnection
{
    Bytes window; ///< most bytes in flight; 0: no limit
    /// Window of a connection that has carried nothing; 0: `window`, so that it is always warm.
    Bytes initialWindow;
    Bytes firstFlight;   ///< most bytes before the first acknowledgement; 0: no such limit
    Bytes segment;       ///< payload per packet; 0: one byte
    bool isReno = false; ///< windows follow Reno instead of CUBIC
    std::optional<bool> hasHyStart; ///< which ends slow start; none: CUBIC has it and Reno not
    bool restartsAfterIdle = false; ///< a pause shrinks the window (RFC 2861)
    /// Most payload over the WAN: what the host's pacing (SO_MAX_PACING_RATE) and the network's cap per
    /// connection leave; none: no bound.
    std::optional<BitRate> mostRate;
};

/// An AnalyticRoute is the way of a connection's bytes and that of their acknowledgements.
struct AnalyticRoute
{
    /// A Hop is a WAN link or a NIC whose queue the bytes go through.
    struct Hop
    {
        std::size_t link = 0; ///< index into AnalyticTopology::linkRates
        Duration delay;       ///< before it: from the source or the hop ahead
    };

    std::vector<Hop> hops;       ///< in their order; only where windows limit the pair
    std::vector<Hop> returnHops; ///< those of acknowledgements
    Duration delay;              ///< one way, without queues
    Duration roundTrip;          ///< without queues
};

/// An AnalyticPath says how a node pair is connected.
struct AnalyticPath : AnalyticConnection, AnalyticRoute
{
    /// Route of each connection, where parallel links share them; empty: all go by the path itself.
    std::vector<AnalyticRoute> routes;
    /// Indices into AnalyticTopology::linkRates, each at most once: what pairs share max-min fairly.
    std::vector<std::size_t> links;
    /// Share of a packet that the first drop of `queue` is ahead of those of other pairs, 0 to 1, so that pairs that
    /// send alike don't lose alike.
    double dropPhase = 0;
    Bytes queue; ///< payload that waits ahead of the links; more is lost; 0: no limit
    std::uint32_t connections = 1;
    bool crossesWan = false;
    bool mayGroup = true; ///< one of its connections may stand for several
    std::optional<int> rank; ///< links serve the highest first; none: all in their order

    /// Returns whether windows limit it. Where acknowledgements take no time, none does.
    bool IsLimitedByWindow() const
    {
        return window > Bytes() && roundTrip > Duration();
    }
};

/// Removes the window limit of a path inside a data centre whose window is at least the
/// bandwidth-delay product. Such a window opens in microseconds.
void LeaveOutLooseWindow(AnalyticPath& path, const std::vector<BitRate>& linkRates);

} // namespace geotrain
