// SPDX-License-Identifier: GPL-2.0-only
// Sends the same messages over packets and over the analytic network. There are two data centres
// with one node per pipeline, a WAN link of 10 Gbit/s between them, 5 Gbit/s per node pair, MTU
// 9000. Each pipeline sends `messages` one after another, the next as soon as the last is delivered
// and answered by one of the same size. The time is when all have ended. Queues hold all windows,
// so that nothing is lost.
//
//   node 0..n-1 --100 Gbit/s-- a ==== 10 Gbit/s, RTT / 2 ==== b --100 Gbit/s-- node n..2n-1
#pragma once

#include "units/bytes.h"
#include "units/duration.h"

#include <cstdint>
#include <ostream>
#include <string>

namespace geotrain
{

struct NetworkCase
{
    enum class Sharing
    {
        Alone,   ///< one pipeline
        Spatial, ///< four, each on its own node pair: they share the link
        Temporal ///< four, which take turns on all node pairs
    };

    enum class Windows
    {
        Cold, ///< connections that have carried nothing but a byte
        Warm, ///< that have carried one message of the case
        Open  ///< that have carried three windows each
    };

    std::int64_t roundTripMilliseconds = 20;
    std::int64_t megabytes = 16;
    std::uint32_t connections = 4; ///< of a node pair, of 4 MB each
    Sharing sharing = Sharing::Alone;
    Windows windows = Windows::Open;
    std::uint32_t messages = 6; ///< of each pipeline, every second one back

    std::string Name() const;
};

/// Prints the case in the name of a test.
inline void
PrintTo(const NetworkCase& networkCase, std::ostream* out)
{
    *out << networkCase.Name();
}

struct NetworkTimes
{
    double packets = 0; ///< s
    double analytic = 0;
    std::uint64_t drops = 0; ///< of packets

    double Error() const
    {
        return analytic / packets - 1;
    }
};

/// Runs each network by itself.
NetworkTimes TimesOverPackets(const NetworkCase& networkCase);
double TimeOverAnalytic(const NetworkCase& networkCase);

/// Runs both networks, one after the other.
NetworkTimes Compare(const NetworkCase& networkCase);

} // namespace geotrain
