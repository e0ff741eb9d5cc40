// SPDX-License-Identifier: GPL-2.0-only
// How a pair of nodes is connected, as the analytic network takes it: links, delays, and the TCP of
// its connections.
#pragma once

#include "units/bytes.h"
#include "units/duration.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace geotrain
{

/// Whose rules a connection's windows, receivers and pacing follow.
enum class AnalyticTcp
{
    Stock, ///< ns-3's own sockets
    Bulk   ///< bulk-tcp
};

/// What a connection has in flight (analytic/congestion-window.h).
struct AnalyticConnection
{
    AnalyticTcp tcp = AnalyticTcp::Stock;
    Bytes window;                   ///< in flight at most; 0: no limit
    Bytes initialWindow;            ///< where it has carried nothing; 0: `window`, always warm
    Bytes firstFlight;              ///< before its first acknowledgement at most; 0: no such limit
    Bytes segment;                  ///< windows count in whole ones of this payload; 0: to the byte
    Bytes header;                   ///< of a transfer, and of each chunk of a striped message
    bool restartsAfterIdle = false; ///< bulk-tcp's windows, as in RFC 2861
};

/// How a pair of nodes is connected.
struct AnalyticPath : AnalyticConnection
{
    std::vector<std::size_t> links; ///< indices into AnalyticTopology::linkRates, each at most once
    Duration delay;                 ///< one way
    Duration roundTrip;
    std::uint32_t connections = 1;
    bool crossesWan = false;
};

/// Inside a data centre a window opens in microseconds: one that is as much as the path holds or
/// more is left out, and all goes at once.
void LeaveOutLooseWindow(AnalyticPath& path, const std::vector<BitRate>& linkRates);

} // namespace geotrain
