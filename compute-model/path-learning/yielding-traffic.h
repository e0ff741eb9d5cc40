// SPDX-License-Identifier: GPL-2.0-only
// Sends a path's cross traffic as connections that yield to others, as iBox's reactive cross
// traffic (Ashok et al., SIGMETRICS 2022). The recorded series says when they begin and how many
// bytes they have: each takes a third of the rate, an estimate, so that one begins where the series
// rises by as much, and the oldest ends where it falls. They send packets of 1,500 bytes at window
// over round-trip time into the path's own buffer: slow start until a loss, then CUBIC's window
// (RFC 9438, section 4). Losses within a round trip count as one, and what is lost is sent again.
// HyStart, timeouts and bursts are left out. It has no clock.
#pragma once

#include "path-learning/fifo-buffer.h"
#include "wan/learned-link.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace geotrain
{

/// CrossTransfer is what one connection sends.
struct CrossTransfer
{
    std::int64_t start = 0; ///< ns from the series' beginning
    double bytes = 0;
};

/// Returns the transfers of a series over a path of `rate`, by their start.
std::vector<CrossTransfer> TransfersOf(const CrossTrafficSeries& series, BitRate rate);

/// YieldingTraffic sends the transfers, which begin again after the series' end.
class YieldingTraffic
{
  public:
    YieldingTraffic(const CrossTrafficSeries& series, const PathParameters& path);

    /// Sends what is due until `until`, which never goes back, and follows the buffer to it.
    void Advance(std::int64_t until, FifoBuffer& buffer);

  private:
    /// A Connection's times are in ns, and its windows in packets.
    struct Connection
    {
        double bytesLeft;
        double next;             ///< when it sends
        double window = 10;      ///< RFC 6928
        double windowBefore = 0; ///< the last loss, W_max; 0: slow start
        double epoch = 0;        ///< when it heard of the last loss
        double lossHeard = 0;    ///< when it hears of another; 0: of none
    };

    void Begin(std::int64_t until);
    void Send(Connection& connection, FifoBuffer& buffer);
    static void Grow(Connection& connection, double roundTrip);

    std::vector<CrossTransfer> m_transfers;
    std::int64_t m_period; ///< ns, of the series
    double m_roundTrip;    ///< ns, without the buffer
    std::size_t m_begun = 0;
    std::vector<Connection> m_connections;
};

} // namespace geotrain
