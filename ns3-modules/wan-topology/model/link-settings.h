// SPDX-License-Identifier: GPL-2.0-only
// Defines the settings of one direction of a link, its answer for a packet, and its counters.
#pragma once

#include "wan-topology/model/queue-limit.h"
#include "wan/learned-link.h"
#include "wan/link-impairments.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3
{

/// LinkSettings describe one direction of a link. Thresholds of RED and of a step are in bytes. A link
/// ignores fqCoDel and dualPi2, which stand before it (LightQueue).
struct LinkSettings : geotrain::LinkImpairments
{
    geotrain::BitRate rate;   ///< positive
    geotrain::Duration delay; ///< at least 0
    QueueLimit queue;         ///< limit, which holds with every kind of queue
    std::string name;         ///< names the streams of random numbers
    std::uint64_t seed = 1;
    /// The mean packet of RED and PIE, and the largest packet of CoDel.
    geotrain::Bytes mtu = geotrain::Bytes::Of(1500);
    /// Beginning of rates and outages, which the links of a run share and each reads for every
    /// packet; Never: they have not begun. None: time 0.
    std::shared_ptr<const geotrain::Instant> scheduleBegin;
    /// What the link is instead of rate, delay, queue and impairments; none: an ordinary link.
    std::shared_ptr<const geotrain::PathParameters> learned;
};

/// LinkOutcome is what becomes of a packet.
struct LinkOutcome
{
    enum class Verdict
    {
        Accepted,
        QueueFull, ///< dropped before the link, by the queue, its AQM or the policer
        Lost       ///< sent, but never arrives
    };

    Verdict verdict = Verdict::Accepted;
    bool marked = false;         ///< congestion experienced (RFC 3168); only ECN-capable packets
    bool duplicated = false;     ///< true: it arrives twice, the copy at copyArrival
    geotrain::Instant departure; ///< departure of the last bit; undefined for QueueFull
    geotrain::Instant arrival;   ///< arrival of the last bit; undefined unless Accepted
    geotrain::Instant copyArrival;
};

/// LinkCounters count what one direction has done since the beginning.
struct LinkCounters
{
    std::uint64_t acceptedPackets = 0; ///< packets sent or to be sent, lost ones included
    std::int64_t acceptedBytes = 0;
    std::uint64_t queueDrops = 0; ///< drops by the queue, its AQM and the policer
    std::int64_t queueDropBytes = 0;
    std::uint64_t lostPackets = 0; ///< losses at random and in outages
    std::int64_t lostBytes = 0;
    std::uint64_t markedPackets = 0;
    std::uint64_t duplicatedPackets = 0; ///< packets that arrived twice for one packet sent
    std::int64_t queueingNs = 0; ///< time that accepted packets wait until they are sent, summed
};

} // namespace ns3
