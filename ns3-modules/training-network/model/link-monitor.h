// SPDX-License-Identifier: GPL-2.0-only
// What each link of a WAN has done between two looks at it.
#pragma once

#include "units/duration.h"
#include "wan-topology/model/wan-links.h"

#include <vector>

namespace ns3
{

/// One direction of a link over the interval that ends at `at`.
struct LinkSample
{
    geotrain::Instant at;
    geotrain::Duration interval;
    const WanLink* link = nullptr;
    std::int64_t sentBytes = 0; ///< put on the wire, IP headers included
    double utilization = 0;     ///< of the link's rate
    geotrain::Bytes queued;     ///< at `at`
    std::uint64_t drops = 0;    ///< packets
};

class LinkMonitor
{
  public:
    /// `wan` outlives this.
    explicit LinkMonitor(const WanLinks& wan);

    /// Begins an interval.
    void Begin(geotrain::Instant now);

    /// Ends the interval and begins the next; one sample for each of the links, in their order.
    /// `now` is later than the beginning.
    std::vector<LinkSample> End(geotrain::Instant now);

  private:
    const WanLinks& m_wan;
    geotrain::Instant m_begin;
    std::vector<WanLinkCounters> m_atBegin;
};

} // namespace ns3
