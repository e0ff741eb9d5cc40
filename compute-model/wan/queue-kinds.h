// SPDX-License-Identifier: GPL-2.0-only
// The queues that may stand in the place of a link's drop-tail queue. The link's queue size limits each
// of them too.
#pragma once

#include "wan/wan-queue-size.h"

#include "units/bytes.h"
#include "units/duration.h"

#include <cstdint>
#include <optional>
#include <string>
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

/// StepSettings mark ECN-capable packets that find more than a threshold waiting (DCTCP: Alizadeh et al.,
/// SIGCOMM 2010). Exactly one of the two is there.
struct StepSettings
{
    std::optional<Duration> time;     ///< of the wait until the packet is sent
    std::optional<WanQueueSize> size; ///< of what waits behind the packet being sent
};

/// FqCoDelSettings give each flow a queue with CoDel of its own, in turns (RFC 8290).
struct FqCoDelSettings
{
    CoDelSettings coDel;
    std::int64_t flows = 1024; ///< queues, to which flows are hashed (RFC 8290, section 5.2.3)
    Bytes quantum;             ///< of a turn; 0: the MTU
    std::optional<Duration>
        ceThreshold; ///< wait above which ECN-capable packets are marked as well
};

/// PieSettings drop or mark at random at arrival, so that packets wait for `target` (RFC 8033).
struct PieSettings
{
    /// Delay says how the wait is measured (RFC 8033, section 4.3).
    enum class Delay
    {
        Timestamps,   ///< that of the last packet that left
        DepartureRate ///< by Little's law
    };

    Duration target = Duration::Milliseconds(15);    ///< RFC 8033, section 4.2
    Duration update = Duration::Milliseconds(15);    ///< of the probability
    double alpha = 0.125;                            ///< Hz
    double beta = 1.25;                              ///< Hz
    Duration maxBurst = Duration::Milliseconds(150); ///< without drops, after a rest
    bool ecn = true;              ///< ECN-capable packets are marked instead, below markProbability
    double markProbability = 0.1; ///< RFC 8033, section 5.1
    Delay delay = Delay::Timestamps;
};

/// DualPi2Settings give scalable flows a queue of their own, coupled to that of others (RFC 9332,
/// appendix A).
struct DualPi2Settings
{
    /// Scheduler says which queue goes first where both have packets.
    enum class Scheduler
    {
        Weighted,       ///< by bytes, as Linux's sch_dualpi2
        TimeShiftedFifo ///< L4S, unless the classic packet has waited longer by more than timeShift
    };

    Duration target = Duration::Milliseconds(15);   ///< wait of classic packets
    Duration maxRtt = Duration::Milliseconds(100);  ///< RTT_max, which makes the gains
    double coupling = 2;                            ///< k
    Duration threshold = Duration::Milliseconds(1); ///< wait from which L4S packets are marked
    Duration ramp; ///< wait above the threshold at which all are marked; 0: a step
    Scheduler scheduler = Scheduler::Weighted;
    double classicShare = 0.1; ///< Weighted: least share of the classic queue, in [0, 1]
    Duration timeShift = Duration::Milliseconds(50);
};

/// QueueKinds holds at most one of these; none: drop-tail.
struct QueueKinds
{
    std::optional<RedSettings> red;
    std::optional<CoDelSettings> coDel;
    std::optional<StepSettings> step;
    std::optional<PieSettings> pie;
    std::optional<FqCoDelSettings> fqCoDel;
    std::optional<DualPi2Settings> dualPi2;

    /// Returns the names of those that are there, as a scenario has them.
    std::vector<std::string> Names() const;

    /// Returns whether packets leave in another order than they come, so that they wait before the link.
    bool Reorders() const
    {
        return fqCoDel || dualPi2;
    }
};

} // namespace geotrain
