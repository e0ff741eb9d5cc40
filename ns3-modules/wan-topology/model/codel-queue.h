// SPDX-License-Identifier: GPL-2.0-only
// Models CoDel (RFC 8289, section 5; marks as Linux's codel_impl.h): packets that leave the queue
// are dropped or marked while they have waited too long for too long. Packets are decided one after
// another, in the order of the queue. A decision depends only on earlier packets, so it can be made
// when the packet arrives. It keeps no packets.
#pragma once

#include "wan-topology/model/aqm-verdict.h"
#include "wan/link-impairments.h"

#include <cstdint>
#include <optional>

namespace ns3
{

/// CoDelQueue is the state of CoDel on one queue.
class CoDelQueue
{
  public:
    explicit CoDelQueue(const geotrain::CoDelSettings& settings);

    /// Decides for the next packet. It would leave the queue after `sojourn`, at `now` or, if the
    /// packet before it is dropped, at that packet's time. `isStanding` says that the queue holds
    /// more than one packet of the MTU.
    AqmVerdict
    Decide(geotrain::Instant now, geotrain::Duration sojourn, bool isStanding, bool ecnCapable);

  private:
    /// Previous says what became of the packet before.
    enum class Previous
    {
        Left,
        FirstDrop, ///< dropping began with it: the next packet leaves
        LaterDrop
    };

    bool MayDrop(geotrain::Instant now, geotrain::Duration sojourn, bool isStanding);
    AqmVerdict GoOnDropping(geotrain::Instant now, bool ecnCapable);
    AqmVerdict BeginDropping(geotrain::Instant now, bool ecnCapable);
    geotrain::Instant ControlLaw(geotrain::Instant from) const;

    geotrain::CoDelSettings m_settings;
    /// When the wait will have been too long for an interval.
    std::optional<geotrain::Instant> m_firstAbove;
    bool m_isDropping = false;
    Previous m_previous = Previous::Left;
    geotrain::Instant m_dropNext;
    std::int64_t m_count = 0;     ///< drops since dropping began
    std::int64_t m_lastCount = 0; ///< count with which dropping began
};

} // namespace ns3
