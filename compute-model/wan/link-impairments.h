// SPDX-License-Identifier: GPL-2.0-only
// Everything that a link may do to packets besides sending them: one struct from the schema to the
// link, which wan/impairment-validation.h checks.
#pragma once

#include "wan/wan-queue-size.h"

#include "units/bytes.h"
#include "units/duration.h"

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace geotrain
{

/// RedSettings replace drop-tail with RED (Floyd and Jacobson, ToN 1993). A link takes thresholds
/// in bytes, which its builder makes of them.
struct RedSettings
{
    /// Threshold of the average queue.
    WanQueueSize minThreshold{WanQueueSize::Unit::BandwidthDelayProducts, 0.25};
    /// It has the unit of minThreshold and is more.
    WanQueueSize maxThreshold{WanQueueSize::Unit::BandwidthDelayProducts, 0.75};
    double maxProbability = 0.1; ///< drop probability at maxThreshold, in (0, 1] (Floyd 1997)
    /// Weight of one arrival in the average, in (0, 1] (Floyd and Jacobson, section 6).
    double weight = 0.002;
    /// Whether the probability grows from there to 1 at twice maxThreshold; otherwise all packets
    /// are dropped there.
    bool gentle = true;
    bool ecn = true; ///< ECN-capable packets are marked instead of dropped at random
};

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
    BitRate rate; ///< 0 only in a schedule that repeats: packets wait for the next step
};

/// A RateSchedule is a rate over time.
struct RateSchedule
{
    std::vector<RateStep> steps; ///< in the order of time, from the schedule's beginning on
    /// Time after which the steps begin again, which is more than the last step's; 0: never. The
    /// first step of a schedule that repeats is at 0.
    Duration period;

    /// Returns the rate at `at` after the beginning; `first` holds before the first step.
    BitRate RateAt(Duration at, BitRate first) const;

    /// Adds the times of the steps, in ns, up to `until`.
    void AddChanges(Duration until, std::set<std::int64_t>& changes) const;

    /// Returns the mean over the period in bit/s; without a period, the last step's rate.
    BitRate MeanRate() const;
};

/// An Outage lets nothing through from `begin` until `end` after the schedule's beginning.
struct Outage
{
    Duration begin;
    Duration end;
    bool holds = false; ///< true: packets wait in the queue; false: they are sent and lost
};

/// LinkImpairments are all of these; by default there are none. They hold for one direction.
struct LinkImpairments
{
    double lossRate = 0;            ///< probability per packet, independent, in [0, 1)
    std::optional<RedSettings> red; ///< at most one of red and coDel; none: drop-tail
    std::optional<CoDelSettings> coDel;
    std::optional<PolicerSettings> policer;
    std::optional<BurstLossSettings> burstLoss; ///< besides lossRate
    std::optional<JitterSettings> jitter;
    /// Probability per packet that arrives, in [0, 1); the copy arrives right behind the packet.
    double duplication = 0;
    RateSchedule rates;          ///< without steps, the rate is constant
    std::vector<Outage> outages; ///< in the order of time; none overlaps another

    /// Returns whether there is more than independent losses, which every link has a quick way for.
    bool IsMoreThanLoss() const
    {
        return red || coDel || policer || burstLoss || jitter || duplication > 0 ||
               !rates.steps.empty() || !outages.empty();
    }
};

} // namespace geotrain
