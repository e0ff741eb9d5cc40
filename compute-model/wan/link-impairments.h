// SPDX-License-Identifier: GPL-2.0-only
// Settings of a link's impairments: what it may do to packets besides sending them. Their units
// need no topology.
#pragma once

#include "units/bytes.h"
#include "units/duration.h"

namespace geotrain
{

/// CoDelSettings replace drop-tail with CoDel (RFC 8289).
struct CoDelSettings
{
    Duration target = Duration::Milliseconds(5);     ///< RFC 8289, section 4.4
    Duration interval = Duration::Milliseconds(100); ///< RFC 8289, section 4.3
    bool ecn = true; ///< ECN-capable packets are marked instead of dropped
};

/// PolicerSettings describe a token bucket before the queue, which drops what exceeds it (Policer).
/// Both are positive.
struct PolicerSettings
{
    BitRate rate;
    Bytes burst;
};

/// BurstLossSettings describe losses in bursts: a chain of two states moves before each packet
/// (Gilbert 1960; Elliott 1963).
struct BurstLossSettings
{
    double enter = 0; ///< probability per packet that a burst begins, in [0, 1]
    /// Probability per packet that the burst ends, in (0, 1]; the mean burst has 1/leave packets.
    double leave = 1;
    double loss = 1; ///< loss probability per packet in a burst, in [0, 1]
};

/// JitterSettings describe a delay that is added to the propagation of each packet. It is drawn
/// again where it would be below 0.
struct JitterSettings
{
    /// Distribution says how the delay is drawn.
    enum class Distribution
    {
        Uniform, ///< in [mean - deviation, mean + deviation]
        Normal   ///< `deviation` is the standard deviation
    };

    Distribution distribution = Distribution::Uniform;
    Duration mean;      ///< mean before values below 0 are drawn again; at least 0
    Duration deviation; ///< at least 0
    /// Whether packets may overtake each other; otherwise each arrives after the one before it.
    bool reorders = false;
};

/// A RateStep gives the link `rate` from `at` after the schedule's beginning on.
struct RateStep
{
    Duration at;
    BitRate rate;
};

/// An Outage lets nothing through from `begin` until `end` after the schedule's beginning.
struct Outage
{
    Duration begin;
    Duration end;
    bool holds = false; ///< true: packets wait in the queue; false: they are sent and lost
};

} // namespace geotrain
