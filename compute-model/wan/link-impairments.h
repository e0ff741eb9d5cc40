// SPDX-License-Identifier: GPL-2.0-only
// Everything that a link may do to packets besides sending them: one struct from the schema to the
// link, which wan/impairment-validation.h checks.
#pragma once

#include "wan/queue-kinds.h"

#include "units/bytes.h"
#include "units/duration.h"

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace geotrain
{

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
struct LinkImpairments : QueueKinds
{
    double lossRate = 0; ///< probability per packet, independent, in [0, 1)
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
        return red || coDel || step || pie || policer || burstLoss || jitter || duplication > 0 ||
               !rates.steps.empty() || !outages.empty();
    }
};

} // namespace geotrain
