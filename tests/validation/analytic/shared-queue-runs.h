// SPDX-License-Identifier: GPL-2.0-only
// Runs whole scenarios whose node pairs share the queues of WAN links, over packets and over the
// analytic network.
#pragma once

#include <cstdint>
#include <string>

namespace geotrain
{

/// What the two networks say of one scenario.
struct SharedQueueTimes
{
    double packets = 0; ///< iteration time in s
    double analytic = 0;
    double retransmitted = 0; ///< bytes, over packets

    double Error() const
    {
        return analytic / packets - 1;
    }
};

/// Runs a scenario over both networks, one after the other. `text` is all of it.
SharedQueueTimes RunOverBoth(const std::string& text);

/// Draws a scenario: a chain, a star, a parking lot or a ring of three or four data centres, with
/// pipelines or data parallelism over the WAN. Links have 1 to 10 Gbit/s, 1 to 50 ms and queues of
/// 0.25 to 20 bandwidth-delay products; windows are below and above that product. The same number
/// gives the same scenario.
std::string DrawScenario(std::uint64_t number);

} // namespace geotrain
