// What a link may do to packets besides sending them: the settings of each thing, all in units that need no topology.
#pragma once

#include "units/bytes.h"
#include "units/duration.h"

namespace geotrain
{

/// CoDel (RFC 8289) instead of drop-tail.
struct CoDelSettings
{
    Duration target = Duration::Milliseconds(5);     ///< RFC 8289, section 4.4
    Duration interval = Duration::Milliseconds(100); ///< RFC 8289, section 4.3
    bool ecn = true; ///< ECN-capable packets are marked instead of dropped
};

/// A token bucket before the queue, which drops what exceeds it (Policer). Both positive.
struct PolicerSettings
{
    BitRate rate;
    Bytes burst;
};

/// Losses in bursts: a chain of two states that moves before each packet (Gilbert 1960; Elliott 1963).
struct BurstLossSettings
{
    double enter = 0; ///< probability a packet that a burst begins, in [0, 1]
    double leave = 1; ///< and that it ends, in (0, 1]: the mean burst has 1/leave packets
    double loss = 1;  ///< of packets in a burst, in [0, 1]
};

/// A delay that is added to the propagation of each packet, drawn again where it would be below 0.
struct JitterSettings
{
    enum class Distribution
    {
        Uniform, ///< in [mean - deviation, mean + deviation]
        Normal   ///< `deviation` is the standard deviation
    };

    Distribution distribution = Distribution::Uniform;
    Duration mean;      ///< before values below 0 are drawn again; at least 0
    Duration deviation; ///< at least 0
    bool reorders = false; ///< packets may overtake; else each comes behind the one before it
};

/// From `at` after the schedule's beginning on, the link has `rate`.
struct RateStep
{
    Duration at;
    BitRate rate;
};

/// From `begin` until `end` after the schedule's beginning, nothing gets through.
struct Outage
{
    Duration begin;
    Duration end;
    bool holds = false; ///< packets wait in the queue; else they are sent, and lost
};

} // namespace geotrain
