// SPDX-License-Identifier: GPL-2.0-only
// Models a link with more than a drop-tail queue and independent losses. A packet passes, in this
// order: the policer, RED, PIE or a step, the queue's limit, CoDel, the wire at the rate of its time, losses
// (outage, independent, in bursts), jitter and duplication. Everything is decided when the packet
// arrives, since what CoDel does to it depends only on those before it. There is one difference to
// RFC 8289: it spares a packet that leaves at most one MTU behind it in the queue, this link one
// that finds at most one MTU ahead of it. What was sent counts as sent, whether it arrives or not.
#pragma once

#include "wan-topology/model/burst-loss.h"
#include "wan-topology/model/codel-queue.h"
#include "wan-topology/model/jitter.h"
#include "wan-topology/model/link-settings.h"
#include "wan-topology/model/pie-queue.h"
#include "wan-topology/model/policer.h"
#include "wan-topology/model/red-queue.h"
#include "wan-topology/model/scheduled-clock.h"
#include "wan-topology/model/waiting-packets.h"

#include "units/random-stream.h"

#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{

/// ImpairedLink is one direction of such a link.
class ImpairedLink
{
  public:
    explicit ImpairedLink(const LinkSettings& settings);
    ImpairedLink(const ImpairedLink&) = delete;
    ImpairedLink& operator=(const ImpairedLink&) = delete;

    /// These do the same as in LinkModel.
    LinkOutcome Offer(geotrain::Instant now, geotrain::Bytes size, bool ecnCapable);
    geotrain::Bytes Backlog(geotrain::Instant now) const;
    geotrain::Instant FreeAt() const;
    const LinkCounters& GetCounters() const;

    /// Returns the bytes that were put on the wire in outages, which carry nothing.
    geotrain::Bytes SentInOutages(geotrain::Instant now) const;

  private:
    void Forget(geotrain::Instant now);
    bool HasRoom(geotrain::Instant now, geotrain::Bytes size) const;
    AqmVerdict DecideAtArrival(geotrain::Instant now, geotrain::Bytes size, bool ecnCapable);
    bool ExceedsStep(geotrain::Instant now) const;
    AqmVerdict DecideAtDeparture(geotrain::Instant now, bool ecnCapable);
    LinkOutcome Drop(geotrain::Bytes size);
    LinkOutcome Send(geotrain::Instant now, geotrain::Bytes size, bool isMarked);
    bool LosesAtRandom();
    geotrain::Instant ArrivalFrom(geotrain::Instant earliest);

    LinkSettings m_settings;
    ScheduledClock m_clock;
    std::optional<Policer> m_policer;
    std::optional<RedQueue> m_red;
    std::optional<PieQueue> m_pie;
    std::optional<CoDelQueue> m_coDel;
    geotrain::RandomStream m_loss;
    geotrain::RandomStream m_aqmDraws;
    geotrain::RandomStream m_duplication;
    std::optional<BurstLoss> m_burstLoss;
    std::optional<Jitter> m_jitter;
    WaitingPackets m_waiting; ///< those too that CoDel will drop when it is their turn
    geotrain::Instant m_lastArrival;
    std::set<geotrain::Instant> m_arrivals; ///< arrivals to come of packets that may overtake
    LinkCounters m_counters;
    /// Packets that an outage loses: when each is sent, and the bytes of all of them until then.
    std::vector<std::pair<geotrain::Instant, geotrain::Bytes>> m_sentInOutages;
};

} // namespace ns3
