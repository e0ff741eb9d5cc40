// SPDX-License-Identifier: GPL-2.0-only
// Samples what each link of a WAN does per interval.
#pragma once

#include "units/duration.h"
#include "wan-topology/model/link-schedule.h"
#include "wan-topology/model/wan-links.h"

#include <map>
#include <vector>

namespace ns3
{

/// LinkSample describes one direction of a link over the interval that ends at `at`.
struct LinkSample
{
    geotrain::Instant at;
    geotrain::Duration interval;
    const WanLink* link = nullptr;
    std::int64_t sentBytes = 0; ///< bytes put on the wire, but for those that an outage lost
    double utilization = 0;     ///< share of what the link's rate allowed; 0 where it was 0
    geotrain::Bytes queued;     ///< bytes queued at `at`
    /// Mean waiting time in the link's queue of the packets that came in the interval.
    geotrain::Duration meanQueueing;
    std::uint64_t drops = 0;    ///< packets
};

/// LinkMonitor takes the samples of one WAN.
class LinkMonitor
{
  public:
    /// `wan` outlives the monitor.
    explicit LinkMonitor(const WanLinks& wan);

    /// Begins the first interval.
    void Begin(geotrain::Instant now);

    /// Ends the interval and begins the next. Returns one sample per link, in the links' order.
    /// `now` must be later than the interval's beginning.
    std::vector<LinkSample> End(geotrain::Instant now);

  private:
    double BitsOf(std::size_t link, geotrain::Instant until) const;

    const WanLinks& m_wan;
    geotrain::Instant m_begin;
    std::vector<WanLinkCounters> m_atBegin;
    std::map<std::size_t, LinkSchedule> m_schedules; ///< of the links whose rate changes
};

} // namespace ns3
