// What one direction of a link is, what it answers for a packet, and what it has counted.
#pragma once

#include "wan/link-impairments.h"
#include "wan-topology/model/queue-limit.h"
#include "wan-topology/model/red-queue.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

struct LinkSettings
{
    geotrain::BitRate rate;   ///< positive
    geotrain::Duration delay; ///< at least 0
    QueueLimit queue;         ///< holds with RED and CoDel too
    double lossRate = 0;      ///< of packets, independent, in [0, 1)
    std::string name;         ///< names the streams of random numbers
    std::uint64_t seed = 1;

    std::optional<RedSettings> red; ///< at most one of red and coDel; none: drop-tail
    std::optional<geotrain::CoDelSettings> coDel;
    geotrain::Bytes mtu =
        geotrain::Bytes::Of(1500); ///< the mean packet of RED, the largest of CoDel
    std::optional<geotrain::PolicerSettings> policer;
    std::optional<geotrain::BurstLossSettings> burstLoss; ///< besides lossRate
    std::optional<geotrain::JitterSettings> jitter;
    double duplication =
        0; ///< of packets that arrive, in [0, 1): the copy arrives right behind the packet

    std::vector<geotrain::RateStep> rateSteps; ///< in the order of time
    std::vector<geotrain::Outage> outages;     ///< in the order of time, none within another
    geotrain::Instant
        scheduleBegin; ///< of rateSteps and outages; Never: once BeginSchedule() says so

    /// Whether there is more to the link than a drop-tail queue and independent losses.
    bool IsImpaired() const
    {
        return red || coDel || policer || burstLoss || jitter || duplication > 0 ||
               !rateSteps.empty() || !outages.empty();
    }
};

struct LinkOutcome
{
    enum class Verdict
    {
        Accepted,
        QueueFull, ///< dropped before the link, by the queue, its AQM or the policer
        Lost       ///< sent, but never arrives
    };

    Verdict verdict = Verdict::Accepted;
    bool marked = false;         ///< congestion experienced (RFC 3168); only of ECN-capable packets
    bool duplicated = false;     ///< arrives twice, the copy at copyArrival
    geotrain::Instant departure; ///< of the last bit; undefined for QueueFull
    geotrain::Instant arrival;   ///< of the last bit; undefined unless Accepted
    geotrain::Instant copyArrival;
};

struct LinkCounters
{
    std::uint64_t acceptedPackets = 0; ///< sent or to be sent, lost ones included
    std::int64_t acceptedBytes = 0;
    std::uint64_t queueDrops = 0; ///< by the queue, its AQM and the policer
    std::int64_t queueDropBytes = 0;
    std::uint64_t lostPackets = 0; ///< at random and in outages
    std::int64_t lostBytes = 0;
    std::uint64_t markedPackets = 0;
    std::uint64_t duplicatedPackets = 0; ///< arrived twice, for one packet sent
    std::int64_t queueingNs = 0;         ///< that accepted packets wait until they are sent, summed
};

} // namespace ns3
